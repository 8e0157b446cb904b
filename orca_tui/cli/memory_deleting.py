"""`orca memory delete | undo | redo | reindex`: what can not be taken back, what can, and what changes no memory."""

from __future__ import annotations

from collections.abc import Sequence
from gettext import gettext as _

import click

from orca_core.domain.errors import InvalidInput
from orca_core.domain.memories import Deletion, Memory
from orca_tui.cli.commands import command, option
from orca_tui.cli.runtime import Runtime, pass_runtime
from orca_tui.cli.views import undone_lines
from orca_tui.words.memories import memory_line

YES_WORDS = ("y", "yes", "是", "好")

operation_argument = click.argument("operation", metavar="[OP]", type=int, required=False)


@command()
@click.argument("ids", metavar="ID...", type=int, nargs=-1, required=True)
@option("--yes", is_flag=True, help="Do not ask.")
@option("--with-messages", is_flag=True, help="Delete the messages that they came from, too.")
@pass_runtime
def delete(runtime: Runtime, ids: tuple[int, ...], yes: bool, with_messages: bool) -> None:
    """Delete memories for good.

    The text is gone from the database, its history and its receipts; undo does not bring it back. To put a memory
    aside, archive it."""
    wanted = list(dict.fromkeys(ids))
    if not yes and not runtime.has_terminal:
        raise InvalidInput(template="there is no terminal to ask in", hint="add --yes to delete without being asked")
    with runtime.orca() as orca:
        memories = orca.run(orca.engine.memories.get(wanted))
        if not yes and not _agrees(runtime, memories, with_messages):
            runtime.output.note(_("nothing was deleted"))
            raise click.exceptions.Exit(1)
        deletion = orca.run(orca.engine.memories.delete(wanted, with_messages=with_messages))
        orca.run(orca.engine.worker.tidy())
    _report(runtime, deletion)


@command()
@operation_argument
@pass_runtime
def undo(runtime: Runtime, operation: int | None) -> None:
    """Take back the last change by hand, or the operation OP.

    What a turn did to weights is taken back only where OP names it. A delete stays."""
    with runtime.orca() as orca:
        undone = orca.run(orca.engine.history.undo(operation))
        orca.run(orca.engine.worker.tidy())
    runtime.output.line("\n".join(undone_lines(undone)))


@command()
@operation_argument
@pass_runtime
def redo(runtime: Runtime, operation: int | None) -> None:
    """Take back the last undo, or the undo OP."""
    with runtime.orca() as orca:
        redone = orca.run(orca.engine.history.redo(operation))
        orca.run(orca.engine.worker.tidy())
    runtime.output.line("\n".join(undone_lines(redone)))


@command()
@pass_runtime
def reindex(runtime: Runtime) -> None:
    """Make anew what memories, episodes and knowledge are found by.

    The words are indexed again from what is stored, and vectors of what is gone are dropped. Nothing is embedded anew
    that has a vector."""
    with runtime.orca() as orca:
        orca.run(orca.engine.doctor.reindex())
        orca.run(orca.engine.worker.tidy())
    runtime.output.line(_("indexed anew"))


def _agrees(runtime: Runtime, memories: Sequence[Memory], with_messages: bool) -> bool:
    for memory in memories:
        runtime.output.note(memory_line(memory))
    runtime.output.note(_("This is for good: undo does not bring them back."))
    if with_messages:
        runtime.output.note(_("The messages that they came from go with them."))
    else:
        runtime.output.note(_("The messages that they came from stay; --with-messages takes them too."))
    try:
        answer = runtime.output.ask(_("delete {count} for good? [y/N] ").format(count=len(memories)))
    except EOFError:
        return False
    return answer.strip().lower() in YES_WORDS


def _report(runtime: Runtime, deletion: Deletion) -> None:
    runtime.output.line(f"{_('deleted')}  {' '.join(f'#{memory_id}' for memory_id in deletion.ids)}")
    if deletion.messages:
        runtime.output.note(_("these messages still hold what they came from:"))
        for session_id, number in deletion.messages:
            runtime.output.note(_("  session {session} round {round}").format(session=session_id, round=number))
    if not deletion.finished:
        runtime.output.note(
            _("another program reads the database: the text is wiped from its files at the next idle moment")
        )
