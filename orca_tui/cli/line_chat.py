"""The talk line by line: each line is a turn, or a command that begins with a slash."""

from __future__ import annotations

import os
import re
import signal
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from functools import partial
from gettext import gettext as _
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from orca_core.model.errors import InvalidInput, NotFound, OrcaError
from orca_core.model.llm import Span
from orca_core.model.memories import Memory
from orca_core.model.operations import UndoOutcome
from orca_core.model.sessions import NewSession, SessionById, TurnRequest, new_session_id
from orca_core.model.tasks import TaskView
from orca_core.model.views import ListQuery
from orca_tui.cli.memory_tables import found_table, memory_table
from orca_tui.cli.output import Output
from orca_tui.cli.runtime import OpenOrca, Runtime
from orca_tui.cli.turn_printer import TurnOutcome, TurnPrinter, background_noted, run_turn
from orca_tui.language import N_
from orca_tui.signals import raise_for
from orca_tui.words.history_words import undone_lines
from orca_tui.words.inbox_words import waiting_line
from orca_tui.words.memory_words import addition_line, memory_line, reason_phrase
from orca_tui.words.receipt_words import receipt_text
from orca_tui.words.task_words import episode_note, task_ending, task_line, task_text

HISTORY_NAME = "chat_history"
HISTORY_LINES = 1000
LINE_EDITOR_SETTINGS = ("set input-meta on", "set output-meta on", "set convert-meta off", "tab: self-insert")
"""Chinese is text, also where the locale knows only ASCII: no byte of it is a key combination."""
ENDING_PATIENCE_S = 10.0


ALL_WORDS = ("all", "全部")


class Conversation:
    """What a line-by-line talk knows between two lines."""

    def __init__(self, opened: OpenOrca, output: Output, request: TurnRequest) -> None:
        self.orca = opened
        self.output = output
        self.next_request = request
        self.is_over = False

    @property
    def session_id(self) -> str | None:
        """The session at hand; None where it begins with the next line."""
        session = self.next_request.session
        return session.id if isinstance(session, SessionById) else None

    @property
    def where(self) -> str:
        """Which session the next line belongs to. Raises StorageError."""
        if self.session_id is not None:
            try:
                session, _rounds = self.orca.run(self.orca.orca.sessions.show(self.session_id, last=0))
            except NotFound:
                return _("the next line begins the session {id}").format(id=self.session_id)
            words = f"{session.id}  {session.title}  ({_('rounds')}: {session.rounds})"
            return _("going on in: {session}").format(session=words)
        return _("the next line begins a new session")

    def went_on(self, outcome: TurnOutcome) -> None:
        """The next turn follows this one, in its session."""
        if outcome.session_id is not None:
            session = SessionById(outcome.session_id, may_be_new=not outcome.is_saved)
            self.next_request = replace(self.next_request, session=session)

    def named(self) -> str:
        """The name of the session at hand; one that begins gets its own now, before its first line."""
        if self.session_id is None:
            session = SessionById(new_session_id(datetime.now(UTC)), may_be_new=True)
            self.next_request = replace(self.next_request, session=session)
            return session.id
        return self.session_id

    def begin_anew(self) -> None:
        """The next turn opens a session."""
        self.next_request = replace(self.next_request, session=NewSession())

    def offer_to_forget(self, ids: Sequence[int]) -> None:
        """Show what may be meant, ask which, and archive that. Raises OrcaError."""
        if not ids:
            self.output.note(_("nothing is remembered that this could mean"))
            return
        memories = self.orca.run(self.orca.orca.memories.get(ids))
        for memory in memories:
            self.output.note(memory_line(memory))
        chosen = self._ask_which(memories)
        if not chosen:
            self.output.note(_("nothing was archived"))
            return
        changed = self.orca.run(self.orca.orca.memories.archive(chosen))
        for memory in changed.records:
            self.output.note(f"{_('archived')}  {memory_line(memory)}")

    def _ask_which(self, memories: Sequence[Memory]) -> list[int]:
        """The ids that were named, of those offered; asked again while something else was typed."""
        offered = [memory.id for memory in memories]
        while True:
            try:
                words = self.output.ask(_("archive which? (numbers, all, or nothing) ")).replace("#", " ").split()
            except (EOFError, KeyboardInterrupt):
                self.output.note("")
                return []
            if any(word in ALL_WORDS for word in words):
                return offered
            if all(word.isdecimal() and int(word) in offered for word in words):
                return list(dict.fromkeys(int(word) for word in words))


def _task(conversation: Conversation, text: str) -> None:
    """Start one, or show the current one. A talk that has no session yet gets its name with its task."""
    opened, output = conversation.orca, conversation.output
    if not text.strip():
        output.line(task_text(_current(conversation), output.marks))
        return
    view = opened.run(opened.orca.work.tasks.start(conversation.named(), text))
    output.note(f"{_('started')}  {task_line(view)}")


def _step(conversation: Conversation, text: str) -> None:
    opened = conversation.orca
    view = opened.run(opened.orca.work.tasks.add_step(_current(conversation).task.id, text))
    conversation.output.note(f"{view.steps[-1].number}  {view.steps[-1].description}")


def _done(conversation: Conversation, text: str) -> None:
    """End it: an outcome, and a few words; without an outcome it was a success."""
    opened, output = conversation.orca, conversation.output
    how, said = task_ending(text)
    ended = opened.run(opened.orca.work.tasks.complete(_current(conversation).task.id, how, said))
    output.note(f"{_('ended')}  {task_line(ended.task)}")
    if ended.episode is not None:
        output.note(episode_note(ended.episode))


def _current(conversation: Conversation) -> TaskView:
    """Raises NotFound."""
    session_id, opened = conversation.session_id, conversation.orca
    view = None if session_id is None else opened.run(opened.orca.work.tasks.current(session_id))
    if view is None:
        raise NotFound(template="no task is in progress in this chat: /task TEXT starts one", what="task", id="")
    return view


SHOWN_MEMORIES = 20

_SLASH_COMMAND = re.compile(r"/([^\s/]*)(?:\s+(.*))?", re.DOTALL)


class SlashCommand(Struct, frozen=True):
    """A command of the talk: what it does with the text behind its name, and what `/help` says of it."""

    run: Callable[[Conversation, str], None]
    usage: str
    help: str


def is_slash_command(line: str) -> bool:
    """Whether a line is a command; a path (`/etc/hosts is odd`) is a question."""
    return _SLASH_COMMAND.fullmatch(line.strip()) is not None


def run_slash_command(conversation: Conversation, line: str) -> None:
    """Carry out a line for which `is_slash_command` holds. Raises OrcaError."""
    found = _SLASH_COMMAND.fullmatch(line.strip())
    assert found is not None
    name, text = found[1], found[2] or ""
    if name not in SLASH_COMMANDS:
        raise InvalidInput(template="no command /{name}", hint="/help lists them", name=name)
    SLASH_COMMANDS[name].run(conversation, text)


def _new(conversation: Conversation, _text: str) -> None:
    conversation.begin_anew()
    conversation.output.note(conversation.where)


def _remember(conversation: Conversation, text: str) -> None:
    opened = conversation.orca
    addition = opened.run(opened.orca.memories.add(_needed(text, "/remember TEXT")))
    conversation.output.note(addition_line(addition.outcome, addition.memory, addition.reason))


def _forget(conversation: Conversation, text: str) -> None:
    opened = conversation.orca
    conversation.offer_to_forget(opened.run(opened.orca.search.meant(_needed(text, "/forget TEXT"))))


def _why(conversation: Conversation, _text: str) -> None:
    opened = conversation.orca
    receipt = opened.run(opened.orca.sessions.receipt(conversation.session_id, None))
    conversation.output.line(receipt_text(receipt, conversation.output.marks))


def _memory(conversation: Conversation, text: str) -> None:
    opened, output, memories = conversation.orca, conversation.output, conversation.orca.orca.memories
    if text:
        found = opened.run(opened.orca.search.find(text, SHOWN_MEMORIES))
        found_table(output, found.hits)
        for rule in found.rules:
            output.note(reason_phrase(rule))
        return
    page = opened.run(memories.page(ListQuery(limit=SHOWN_MEMORIES)))
    memory_table(output, page.records)
    if page.total > len(page.records):
        output.note(_("{count} more: orca memory list").format(count=page.total - len(page.records)))


def _undo(conversation: Conversation, _text: str) -> None:
    _say_undone(conversation, conversation.orca.run(conversation.orca.orca.history.undo(None)))


def _redo(conversation: Conversation, _text: str) -> None:
    _say_undone(conversation, conversation.orca.run(conversation.orca.orca.history.redo(None)))


def _help(conversation: Conversation, _text: str) -> None:
    for command in SLASH_COMMANDS.values():
        conversation.output.note(f"{command.usage:18}{_(command.help)}")


def _quit(conversation: Conversation, _text: str) -> None:
    conversation.is_over = True


def _say_undone(conversation: Conversation, undone: UndoOutcome) -> None:
    for line in undone_lines(undone):
        conversation.output.note(line)


def _needed(text: str, usage: str) -> str:
    if not text.strip():
        raise InvalidInput(template="a text is missing", hint="{usage}", usage=usage)
    return text


SLASH_COMMANDS = {
    "new": SlashCommand(_new, "/new", N_("begin a new session")),
    "remember": SlashCommand(_remember, "/remember TEXT", N_("remember this, now")),
    "forget": SlashCommand(_forget, "/forget TEXT", N_("archive what this means, after asking")),
    "why": SlashCommand(_why, "/why", N_("which memories the last turn got, and why")),
    "memory": SlashCommand(_memory, "/memory [QUERY]", N_("list or search what is remembered")),
    "task": SlashCommand(_task, "/task [TEXT]", N_("start a task; or show it")),
    "step": SlashCommand(
        lambda conversation, text: _step(conversation, _needed(text, "/step TEXT")),
        "/step TEXT",
        N_("add a step to the task"),
    ),
    "done": SlashCommand(_done, "/done [OUTCOME]", N_("end the task: success, partial or failed, and a few words")),
    "undo": SlashCommand(_undo, "/undo", N_("take back the last change by hand")),
    "redo": SlashCommand(_redo, "/redo", N_("take back the last undo")),
    "help": SlashCommand(_help, "/help", N_("this list")),
    "quit": SlashCommand(_quit, "/quit", N_("end, like Ctrl+D")),
}


def talk(runtime: Runtime, begin: Callable[[OpenOrca], TurnRequest], model: str | None = None) -> None:
    """Chat until Ctrl+D or /quit; what `begin` makes holds what the options say for every turn.

    Raises InvalidInput where there is no terminal to talk in."""
    if not runtime.has_terminal:
        raise InvalidInput(
            template="there is no terminal to chat in",
            hint='ask one question with: orca chat "TEXT", or see orca --help',
        )
    with (
        runtime.open_orca(model, will_talk=True, keeps_up=True) as opened,
        _line_history(opened.home / HISTORY_NAME, runtime),
    ):
        conversation = Conversation(opened, runtime.output, begin(opened))
        runtime.output.note(_("/help lists the commands, Ctrl+D ends."))
        _guarded(runtime, lambda: runtime.output.note(conversation.where))
        _guarded(runtime, lambda: _announce(opened, runtime))
        for line in _lines(runtime):
            _guarded(runtime, partial(_take, conversation, line))
            if conversation.is_over:
                break
        with background_noted(opened, runtime.output):
            opened.run(opened.orca.saves.drain(ENDING_PATIENCE_S))
            opened.run(opened.orca.worker.finish())
        opened.run(opened.orca.worker.tidy(ENDING_PATIENCE_S))


def _announce(opened: OpenOrca, runtime: Runtime) -> None:
    """What waits in the inbox, said once a start. Raises StorageError."""
    if words := waiting_line(opened.run(opened.orca.inbox.waiting()), datetime.now(UTC)):
        runtime.output.note(_("{waiting}; orca memory inbox shows them").format(waiting=words))


def _guarded(runtime: Runtime, step: Callable[[], None]) -> None:
    """What goes wrong in one step is said, and the talk goes on."""
    try:
        step()
    except OrcaError as error:
        runtime.output.fail(error)
    except KeyboardInterrupt:
        runtime.output.note("")


def _take(conversation: Conversation, line: str) -> None:
    if is_slash_command(line):
        run_slash_command(conversation, line)
    elif line.strip():
        _say(conversation, line)


def _say(conversation: Conversation, line: str) -> None:
    request = replace(conversation.next_request, spans=(Span(line),))
    outcome, signals = run_turn(conversation.orca, request, TurnPrinter(conversation.output).show)
    conversation.went_on(outcome)
    for number in signals:
        if number != signal.SIGINT:
            raise_for(number)
    if outcome.proposed is not None:
        conversation.offer_to_forget(outcome.proposed)


def _lines(runtime: Runtime) -> Iterator[str]:
    """What is typed, line by line; Ctrl+C drops the line, Ctrl+D ends."""
    while True:
        try:
            yield runtime.output.ask(_("you> "))
        except KeyboardInterrupt:
            runtime.output.note("")
        except EOFError:
            runtime.output.note("")
            return


@contextmanager
def _line_history(path: Path, runtime: Runtime) -> Iterator[None]:
    """Line editing with the lines of earlier talks, kept in a file that only its owner reads."""
    import readline  # changes how input() works: only for a talk

    for setting in LINE_EDITOR_SETTINGS:
        readline.parse_and_bind(setting)

    try:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        os.close(os.open(path, os.O_CREAT | os.O_RDWR, 0o600))
        readline.read_history_file(path)
    except OSError as error:
        runtime.output.warn(
            _("{path}: {reason}; what you type is not kept for the next talk").format(path=path, reason=error.strerror)
        )
        yield
        return
    readline.set_history_length(HISTORY_LINES)
    try:
        yield
    finally:
        readline.write_history_file(path)
        path.chmod(0o600)
