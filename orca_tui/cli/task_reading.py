"""`orca task list | show`: looking, without changing anything."""

from __future__ import annotations

from gettext import gettext as _

import click

from orca_core.model.errors import NotFound
from orca_core.model.records import plain_ref
from orca_core.model.tasks import TASKS, TaskPage, TaskStatus
from orca_core.serialize.work import task_json, tasks_json
from orca_tui.cli.commands import as_json_option, command, option
from orca_tui.cli.completions import TASK_STATES, words
from orca_tui.cli.output import Column
from orca_tui.cli.record_ids import TASK_ID
from orca_tui.cli.runtime import OpenOrca, Runtime, pass_runtime
from orca_tui.cli.streams import SESSION_ID
from orca_tui.words.task_words import idle_note, progress_words, standing_words, task_text

session_option = option("--session", "session_id", type=SESSION_ID, metavar="ID", help="Only of this session.")


@command(
    "list",
    examples=(
        "orca task list",
        "orca task list --status in_progress --session s --json",
    ),
)
@option(
    "--status",
    default="all",
    metavar="STATUS",
    shell_complete=words(*TASK_STATES),
    help="all, ended, or in_progress, completed, failed, dropped.",
)
@session_option
@option("--limit", type=click.IntRange(min=0), metavar="N", help="At most so many.")
@option("--offset", type=click.IntRange(min=0), default=0, metavar="N", help="Leave out the first ones.")
@as_json_option
@pass_runtime
def list_tasks(
    runtime: Runtime, *, status: str, session_id: str | None, limit: int | None, offset: int, as_json: bool
) -> None:
    """List tasks, newest first."""
    with runtime.orca() as orca:
        tasks = orca.engine.work.tasks
        listed = tasks.page(status, session_id=session_id, limit=limit, offset=offset, with_results=as_json)
        page = orca.run(listed)
        idle = [] if as_json else orca.run(tasks.idle())
    if as_json:
        runtime.output.json(tasks_json(page))
        return
    columns = (
        Column(_("id")),
        Column(_("status")),
        Column(_("steps"), is_number=True),
        Column(_("last touched")),
        Column(_("task"), takes_rest=True),
    )
    rows = [
        (
            str(plain_ref(TASKS.ref(view.task))),
            standing_words(view),
            progress_words(view),
            f"{view.task.updated_at.astimezone():%Y-%m-%d %H:%M}",
            view.task.request,
        )
        for view in page.tasks
    ]
    runtime.output.table(columns, rows)
    if not page.total:
        runtime.output.note(_("No task yet, or none like this: orca task start begins one."))
    elif len(page.tasks) < page.total:
        runtime.output.note(_("{shown} of {total}").format(shown=len(page.tasks), total=page.total))
    if idle:
        runtime.output.note(idle_note(len(idle)))


@command(
    examples=(
        "orca task show",
        "orca task show w1 w2 --json",
    )
)
@click.argument("ids", metavar="[ID...]", type=TASK_ID, nargs=-1)
@session_option
@as_json_option
@pass_runtime
def show(runtime: Runtime, ids: tuple[int, ...], session_id: str | None, as_json: bool) -> None:
    """Show all of a task; of the latest in progress, unless told otherwise."""
    with runtime.orca() as orca:
        wanted = list(dict.fromkeys(ids)) or [latest_open(orca, session_id)]
        views = orca.run(orca.engine.work.tasks.get(wanted))
    if not as_json:
        runtime.output.line("\n\n".join(task_text(view, runtime.output.marks) for view in views))
    elif len(views) == 1:
        runtime.output.json(task_json(views[0]))
    else:
        runtime.output.json(tasks_json(TaskPage(tuple(views), len(views))))


def latest_open(orca: OpenOrca, session_id: str | None) -> int:
    """The latest task in progress, of a session or of all. Raises NotFound."""
    page = orca.run(
        orca.engine.work.tasks.page(TaskStatus.IN_PROGRESS.value, session_id=session_id, limit=1, with_results=False)
    )
    if not page.tasks:
        raise NotFound(
            template="no task is in progress",
            hint="orca task start begins one; or name one by its number",
            what="task",
            id="",
        )
    return page.tasks[0].task.id
