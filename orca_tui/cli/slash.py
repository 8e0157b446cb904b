"""The commands of the line-by-line talk: `/new`, `/remember TEXT` and the like."""

from __future__ import annotations

import re
from collections.abc import Callable
from gettext import gettext as _

from msgspec import Struct

from orca_core.model.errors import InvalidInput
from orca_core.model.operations import Undone
from orca_core.model.views import ListQuery
from orca_tui.cli import slash_work
from orca_tui.cli.conversation import Conversation
from orca_tui.cli.views import found_table, memory_table, receipt_text, undone_lines
from orca_tui.language import N_
from orca_tui.words.memory_words import addition_line, reason_phrase

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
    orca = conversation.orca
    addition = orca.run(orca.engine.memories.add(_needed(text, "/remember TEXT")))
    conversation.output.note(addition_line(addition.outcome, addition.memory, addition.reason))


def _forget(conversation: Conversation, text: str) -> None:
    orca = conversation.orca
    conversation.offer_to_forget(orca.run(orca.engine.search.meant(_needed(text, "/forget TEXT"))))


def _why(conversation: Conversation, _text: str) -> None:
    orca = conversation.orca
    receipt = orca.run(orca.engine.sessions.receipt(conversation.session_id, None))
    conversation.output.line(receipt_text(receipt, conversation.output.marks))


def _memory(conversation: Conversation, text: str) -> None:
    orca, output, memories = conversation.orca, conversation.output, conversation.orca.engine.memories
    if text:
        found = orca.run(orca.engine.search.find(text, SHOWN_MEMORIES))
        found_table(output, found.hits)
        for rule in found.rules:
            output.note(reason_phrase(rule))
        return
    page = orca.run(memories.page(ListQuery(limit=SHOWN_MEMORIES)))
    memory_table(output, page.views)
    if page.total > len(page.views):
        output.note(_("{count} more: orca memory list").format(count=page.total - len(page.views)))


def _undo(conversation: Conversation, _text: str) -> None:
    _say_undone(conversation, conversation.orca.run(conversation.orca.engine.history.undo(None)))


def _redo(conversation: Conversation, _text: str) -> None:
    _say_undone(conversation, conversation.orca.run(conversation.orca.engine.history.redo(None)))


def _session(conversation: Conversation, _text: str) -> None:
    conversation.output.note(conversation.where)


def _help(conversation: Conversation, _text: str) -> None:
    for command in SLASH_COMMANDS.values():
        conversation.output.note(f"{command.usage:18}{_(command.help)}")


def _quit(conversation: Conversation, _text: str) -> None:
    conversation.is_over = True


def _say_undone(conversation: Conversation, undone: Undone) -> None:
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
    "task": SlashCommand(slash_work.task, "/task [TEXT]", N_("start a task; or show it")),
    "step": SlashCommand(
        lambda conversation, text: slash_work.step(conversation, _needed(text, "/step TEXT")),
        "/step TEXT",
        N_("add a step to the task"),
    ),
    "done": SlashCommand(
        slash_work.done, "/done [OUTCOME]", N_("end the task: success, partial or failed, and a few words")
    ),
    "undo": SlashCommand(_undo, "/undo", N_("take back the last change by hand")),
    "redo": SlashCommand(_redo, "/redo", N_("take back the last undo")),
    "session": SlashCommand(_session, "/session", N_("which session this is")),
    "help": SlashCommand(_help, "/help", N_("this list")),
    "quit": SlashCommand(_quit, "/quit", N_("end, like Ctrl+D")),
}
