"""The talk line by line: each line is a turn, or a command that begins with a slash."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from functools import partial
from gettext import gettext as _
from pathlib import Path

from msgspec.structs import replace

from orca_core.model.errors import InvalidInput, OrcaError
from orca_core.model.llm import Span
from orca_core.model.sessions import TurnRequest
from orca_tui.cli.conversation import Conversation
from orca_tui.cli.runtime import OpenOrca, Runtime
from orca_tui.cli.slash import is_slash_command, run_slash_command
from orca_tui.cli.turns import TurnView, run_turn, telling
from orca_tui.signals import raise_for
from orca_tui.words.inbox_words import waiting_line

HISTORY_NAME = "chat_history"
HISTORY_LINES = 1000
LINE_EDITOR_SETTINGS = ("set input-meta on", "set output-meta on", "set convert-meta off", "tab: self-insert")
"""Chinese is text, also where the locale knows only ASCII: no byte of it is a key combination."""
ENDING_PATIENCE_S = 10.0


def talk(runtime: Runtime, begin: Callable[[OpenOrca], TurnRequest], model: str | None = None) -> None:
    """Chat until Ctrl+D or /quit; what `begin` makes holds what the options say for every turn.

    Raises InvalidInput where there is no terminal to talk in."""
    if not runtime.has_terminal:
        raise InvalidInput(
            template="there is no terminal to chat in",
            hint='ask one question with: orca chat "TEXT", or see orca --help',
        )
    with runtime.orca(model, will_talk=True, keeps_up=True) as orca, _line_history(orca.home / HISTORY_NAME, runtime):
        conversation = Conversation(orca, runtime.output, begin(orca))
        runtime.output.note(_("/help lists the commands, Ctrl+D ends."))
        _guarded(runtime, lambda: runtime.output.note(conversation.where))
        _guarded(runtime, lambda: _announce(orca, runtime))
        for line in _lines(runtime):
            _guarded(runtime, partial(_take, conversation, line))
            if conversation.is_over:
                break
        with telling(orca, runtime.output):
            orca.run(orca.engine.saves.drain(ENDING_PATIENCE_S))
            orca.run(orca.engine.worker.finish())
        orca.run(orca.engine.worker.tidy(ENDING_PATIENCE_S))


def _announce(orca: OpenOrca, runtime: Runtime) -> None:
    """What waits in the inbox, said once a start. Raises StorageError."""
    if words := waiting_line(orca.run(orca.engine.inbox.waiting()), datetime.now(UTC)):
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
    outcome, signals = run_turn(conversation.orca, request, TurnView(conversation.output).show)
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
