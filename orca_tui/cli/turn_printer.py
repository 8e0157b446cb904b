"""One turn on the command line: the answer on stdout as it comes, what memory did on stderr."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from gettext import gettext as _

from msgspec import Struct, field

from orca_core.model.events import (
    ActsRead,
    Consolidated,
    Delta,
    Done,
    Embedded,
    EpisodesRead,
    Event,
    Extraction,
    Failed,
    ForgetProposed,
    GuideMade,
    Injected,
    LookedUp,
    LookingUp,
    Promoted,
    Queued,
    Reasoning,
    Referenced,
    Reply,
    Resting,
    Saved,
    SummaryFolded,
    WeightMoved,
    injection_after,
)
from orca_core.model.llm import Finish
from orca_core.model.recall import Injection, References
from orca_core.model.sessions import TurnRequest
from orca_tui.cli.output import Output
from orca_tui.cli.runtime import OpenOrca
from orca_tui.language import translated
from orca_tui.signals import first_signal_stops
from orca_tui.words.learning_words import extraction_lines
from orca_tui.words.turn_words import FINISH_WORDS, note_of, receipt_line


class TurnOutcome(Struct):
    """What a turn came to, gathered from its events."""

    session_id: str | None = None
    round: int | None = None
    reply: Reply | None = None
    failures: list[Failed] = field(default_factory=list)
    proposed: tuple[int, ...] | None = None

    @property
    def is_good(self) -> bool:
        """Whether the answer came whole and was saved."""
        return self.reply is not None and self.reply.finish is not Finish.INTERRUPTED and not self.failures

    @property
    def is_saved(self) -> bool:
        """Whether all that was to be kept of it is."""
        return not any(failure.kind == "not_saved" for failure in self.failures)

    def take(self, event: Event) -> None:
        """Note what this event says of how the turn went."""
        match event:
            case Reply():
                self.reply = event
            case Failed():
                self.failures.append(event)
            case ForgetProposed(proposed):
                self.proposed = proposed
            case Done(session_id, number):
                self.session_id, self.round = session_id, number


class TurnPrinter:
    """Shows the events of one turn. What is no terminal gets the answer once it is whole: what looked like its
    beginning may turn out to be thoughts, and can not be taken back from a pipe."""

    def __init__(self, output: Output) -> None:
        self._output = output
        self._held: list[str] = []
        self._injection: Injection | None = None
        self._references = References()
        self._moves: list[WeightMoved] = []
        self._said_once: set[type[Event]] = set()
        self._is_whole = False

    def show(self, event: Event) -> None:
        """Write what a person wants to know of this event, now."""
        match event:
            case Delta(text) if self._output.is_terminal:
                self._output.piece(text)
            case Delta(text):
                self._held.append(text)
            case Reasoning(takes_back=True) if not self._output.is_terminal:
                self._held.clear()
            case Reasoning(takes_back=True):
                self._output.end_line()
                self._output.note(_("what was shown so far was thinking; the answer follows"))
            case Reply():
                self._end_answer(event)
            case Injected() | LookedUp():
                self._injection = injection_after(self._injection, event)
            case Referenced(references):
                self._references = references
            case WeightMoved(is_taken_back=False):
                self._moves.append(event)
            case Failed():
                self._let_go()
                self._output.fail(event)
            case Done():
                self._end_turn()
            case _:
                self._note(event)

    def _note(self, event: Event) -> None:
        if isinstance(event, Queued | Reasoning):
            if type(event) in self._said_once:
                return
            self._said_once.add(type(event))
        if note := note_of(event):
            if isinstance(event, LookingUp):  # behind the beginning of an answer
                self._output.end_line()
            self._output.note(note)

    def _let_go(self) -> None:
        for text in self._held:
            self._output.piece(text)
        self._held.clear()

    def _end_answer(self, reply: Reply) -> None:
        self._let_go()
        self._output.end_line()
        self._is_whole = reply.finish is not Finish.INTERRUPTED
        sentence = translated(FINISH_WORDS.get(reply.finish, ""), {})
        if said := " ".join(part for part in (sentence, f"({reply.note})" if reply.note else "") if part):
            self._output.note(said)

    def _end_turn(self) -> None:
        self._let_go()
        self._output.end_line()
        if self._injection is not None and self._is_whole:
            self._output.note(receipt_line(self._injection, self._references, self._moves, self._output.marks))


@contextmanager
def background_noted(opened: OpenOrca, output: Output) -> Iterator[None]:
    """Say beside the answer what is learnt, and saved, meanwhile."""

    def tell(
        event: Extraction
        | SummaryFolded
        | EpisodesRead
        | ActsRead
        | Consolidated
        | GuideMade
        | Promoted
        | Resting
        | Embedded
        | Saved,
    ) -> None:
        lines = extraction_lines(event, output.marks) if isinstance(event, Extraction) else [note_of(event)]
        for line in filter(None, lines):
            output.note(line)

    unsubscribes = (opened.orca.worker.subscribe(tell), opened.orca.saves.subscribe(tell))
    try:
        yield
    finally:
        for unsubscribe in unsubscribes:
            unsubscribe()


def run_turn(opened: OpenOrca, request: TurnRequest, show: Callable[[Event], None]) -> tuple[TurnOutcome, list[int]]:
    """Carry out a turn. A first Ctrl+C (or SIGTERM, SIGHUP) stops the answer and keeps it; the signals that came are
    returned with the outcome. Raises OrcaError."""
    outcome = TurnOutcome()
    with (
        opened.loop.stream(lambda stop: opened.orca.chat.turn(request, stop)) as (events, stop),
        first_signal_stops(stop) as signals,
    ):
        for event in events:
            outcome.take(event)
            show(event)
    return outcome, signals
