"""`orca chat`: one turn, or a line-by-line talk."""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable
from gettext import gettext as _

import click

from orca_core.model.errors import InvalidInput, StorageError
from orca_core.model.events import Done, Event
from orca_core.model.llm import Source, Span
from orca_core.model.sessions import NewSession, SessionById, SessionChoice, TurnRequest
from orca_core.serialize.events import event_json
from orca_tui.cli.commands import command, option
from orca_tui.cli.parameters import ANY_TEXT, SESSION_ID, read_piped
from orca_tui.cli.runtime import OpenOrca, Runtime
from orca_tui.cli.turn_printer import TurnOutcome, TurnPrinter, background_noted, run_turn
from orca_tui.language import explained, sentence_and_way_out
from orca_tui.signals import raise_for
from orca_tui.words.memory_words import memory_line

STDIN_MARK = "-"
BACKGROUND_PATIENCE_S = 5.0
SAVING_PATIENCE_S = 5.0


@command(
    prints="events",
    examples=(
        'orca chat "why does my pod restart?"',
        'git diff | orca chat "review this"',
        'orca chat --session nginx --json "what did we change?"',
    ),
)
@click.argument("text", required=False, type=ANY_TEXT)
@option("-m", "--model", type=ANY_TEXT, metavar="MODEL", help="Ask this model of the provider.")
@option("--system", type=ANY_TEXT, metavar="TEXT", help="Use this system prompt instead.")
@option("--no-memory", is_flag=True, help="Recall nothing and learn nothing in this turn.")
@option("--session", "session_id", type=SESSION_ID, metavar="ID", help="Go on in this session; made if it is new.")
@option("--new", is_flag=True, help="Begin a new session.")
def chat(
    runtime: Runtime,
    *,
    text: str | None,
    model: str | None,
    system: str | None,
    no_memory: bool,
    session_id: str | None,
    new: bool,
) -> None:
    """Ask something, or chat line by line.

    TEXT is the question; what is piped in goes with it as material. With - or without TEXT the piped text is the
    question itself. In a terminal, without TEXT, each line is a turn.
    """
    if new and session_id is not None:
        raise click.UsageError(_("--new and --session ID name different sessions"))
    said = _said(runtime, text)

    def begin(opened: OpenOrca) -> TurnRequest:
        session = NewSession() if new else _going_on(opened, runtime, session_id)
        return TurnRequest(said, session, system_prompt=system, use_memory=not no_memory)

    if not said:
        from orca_tui.cli.line_chat import talk  # one question needs no line editor

        talk(runtime, begin, model)
        return
    with runtime.open_orca(model, will_talk=True) as opened:
        request = begin(opened)
        outcome, signals = _events(opened, runtime, request) if runtime.as_json else _answer(opened, runtime, request)
    if signals:
        raise_for(signals[0])
    if not outcome.is_good:
        raise click.exceptions.Exit(1)


def _going_on(opened: OpenOrca, runtime: Runtime, session_id: str | None) -> SessionChoice:
    """The session that was named, made where there is none; else the one used last."""
    if session_id is not None:
        return SessionById(session_id, may_be_new=True)
    try:
        return opened.run(opened.orca.sessions.latest_or_new())
    except StorageError as error:  # the question is answered all the same
        runtime.output.warn(_("the latest session can't be read: {reason}").format(reason=explained(error)))
        return NewSession()


def _said(runtime: Runtime, text: str | None) -> tuple[Span, ...]:
    """The question and its material; empty where a person is to be asked line by line."""
    if sys.stdin.isatty():
        if text is None and (runtime.as_json or not runtime.has_terminal):
            raise InvalidInput(template="there is no question", hint="give it as TEXT, or pipe it in")
        if text == STDIN_MARK:
            return (Span(read_piped(sys.stdin), Source.TYPED),)
        return () if text is None else (Span(text, Source.TYPED),)
    piped = read_piped(sys.stdin)
    if text is None or text == STDIN_MARK:
        return (Span(piped, Source.PIPED),)
    question = Span(text, Source.TYPED)
    return (question, Span(f"\n\n{piped}", Source.PIPED)) if piped.strip() else (question,)


def _answer(opened: OpenOrca, runtime: Runtime, request: TurnRequest) -> tuple[TurnOutcome, list[int]]:
    outcome, signals = run_turn(opened, request, TurnPrinter(runtime.output).show)
    if outcome.proposed is not None:
        _propose(opened, runtime, outcome.proposed)
    if not signals:
        with background_noted(opened, runtime.output):
            opened.run(opened.orca.saves.drain(SAVING_PATIENCE_S))
            opened.run(opened.orca.worker.drain())
        _look_after(opened)
    return outcome, signals


def _look_after(opened: OpenOrca) -> None:
    """What this turn and those before it left gets its vectors; the rest of upkeep is done once a day."""
    opened.run(opened.orca.worker.embed(BACKGROUND_PATIENCE_S))
    opened.run(opened.orca.upkeep.once_a_day(BACKGROUND_PATIENCE_S))


def _propose(opened: OpenOrca, runtime: Runtime, ids: tuple[int, ...]) -> None:
    if not ids:
        runtime.output.note(_("nothing is remembered that this could mean"))
        return
    for memory in opened.run(opened.orca.memories.get(ids)):
        runtime.output.note(memory_line(memory))
    runtime.output.note(_("to forget what was meant: orca memory archive {ids}").format(ids=" ".join(map(str, ids))))


def _events(opened: OpenOrca, runtime: Runtime, request: TurnRequest) -> tuple[TurnOutcome, list[int]]:
    """The events, a line each. `done` comes last: behind what the turn made Orca learn."""
    ending: list[Event] = []

    def show(event: Event) -> None:
        if isinstance(event, Done):
            ending.append(event)
        else:
            runtime.output.json(event_json(event, sentence_and_way_out))

    background = AfterTheTurn(show)
    unsubscribes = (opened.orca.worker.subscribe(background.show), opened.orca.saves.subscribe(background.show))
    outcome, signals = run_turn(opened, request, show)
    background.turn_ended()
    if not signals:
        opened.run(opened.orca.saves.drain(SAVING_PATIENCE_S))
        opened.run(opened.orca.worker.drain())
        _look_after(opened)
    for unsubscribe in unsubscribes:
        unsubscribe()
    for event in ending:
        runtime.output.json(event_json(event, sentence_and_way_out))
    return outcome, signals


class AfterTheTurn:
    """Shows background events, which come in the loop's thread, behind those of the turn, which are shown in this
    one: those that come earlier are held until then."""

    def __init__(self, show: Callable[[Event], None]) -> None:
        self._show = show
        self._lock = threading.Lock()
        self._held: list[Event] | None = []

    def show(self, event: Event) -> None:
        with self._lock:
            if self._held is None:
                self._show(event)
            else:
                self._held.append(event)

    def turn_ended(self) -> None:
        with self._lock:
            held, self._held = self._held or [], None
            for event in held:
                self._show(event)
