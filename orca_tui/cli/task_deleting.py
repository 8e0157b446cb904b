"""`orca task delete`: what can not be taken back."""

from __future__ import annotations

from collections.abc import Sequence
from gettext import gettext as _

import click

from orca_core.domain.errors import InvalidInput
from orca_core.domain.work.tasks import TaskView
from orca_tui.cli.commands import command, option
from orca_tui.cli.memory_deleting import YES_WORDS
from orca_tui.cli.record_ids import TASK_ID
from orca_tui.cli.runtime import Runtime, pass_runtime
from orca_tui.words.tasks import task_line


@command()
@click.argument("ids", metavar="ID...", type=TASK_ID, nargs=-1, required=True)
@option("--yes", is_flag=True, help="Do not ask.")
@pass_runtime
def delete(runtime: Runtime, ids: tuple[int, ...], yes: bool) -> None:
    """Delete tasks for good, with their steps.

    Undo does not bring them back. Episodes that they became stay."""
    wanted = list(dict.fromkeys(ids))
    if not yes and not runtime.has_terminal:
        raise InvalidInput(template="there is no terminal to ask in", hint="add --yes to delete without being asked")
    with runtime.orca() as orca:
        tasks = orca.engine.work.tasks
        views = orca.run(tasks.get(wanted))
        if not yes and not _agrees(runtime, views):
            runtime.output.note(_("nothing was deleted"))
            raise click.exceptions.Exit(1)
        is_wiped = orca.run(tasks.delete(wanted))
        orca.run(orca.engine.worker.tidy())
    for view in views:
        runtime.output.line(f"{_('deleted')}  {task_line(view)}")
    if not is_wiped:
        runtime.output.note(
            _("another program reads the database: the text is wiped from its files at the next idle moment")
        )


def _agrees(runtime: Runtime, views: Sequence[TaskView]) -> bool:
    for view in views:
        runtime.output.note(task_line(view))
    runtime.output.note(_("This is for good: undo does not bring them back."))
    try:
        answer = runtime.output.ask(_("delete {count} for good? [y/N] ").format(count=len(views)))
    except EOFError:
        return False
    return answer.strip().lower() in YES_WORDS
