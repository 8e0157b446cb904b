"""`orca task edit`: all steps of a task at once, in an editor or from stdin."""

from __future__ import annotations

import sys
from gettext import gettext as _

import click

from orca_core.model.errors import InvalidInput
from orca_core.model.tasks import TASKS, TaskView
from orca_tui.cli.commands import as_json_option, command, option
from orca_tui.cli.outcomes import Outcome, tell
from orca_tui.cli.record_ids import TASK_ID
from orca_tui.cli.runtime import OpenOrca, Runtime, pass_runtime
from orca_tui.cli.streams import ANY_TEXT, SESSION_ID, read_piped
from orca_tui.cli.task_reading import latest_open
from orca_tui.words.task_words import plan_in, plan_text, step_line, task_line


@command(
    examples=(
        'orca task edit w3 --steps "read the log"',
        'printf "read the log\\nrestart php-fpm\\n" | orca task edit w3 --steps -',
    )
)
@click.argument("task_id", metavar="[ID]", type=TASK_ID, required=False)
@option("--steps", "given", type=ANY_TEXT, metavar="TEXT", help="The steps, a line each; - reads them from stdin.")
@option("--session", "session_id", type=SESSION_ID, metavar="ID", help="The latest one of this session.")
@as_json_option
@pass_runtime
def edit(runtime: Runtime, *, task_id: int | None, given: str | None, session_id: str | None, as_json: bool) -> None:
    """Edit all steps of a task at once, in your editor.

    A line is a step: write lines anew, move them, take them out, put new ones in. What ended stays, and stays where it
    is. A step that moves gets another number. It is one change, which can be taken back."""
    with runtime.orca() as orca:
        tasks = orca.engine.work.tasks
        wanted = task_id if task_id is not None else latest_open(orca, session_id)
        [view] = orca.run(tasks.get([wanted]))
        text = read_piped(sys.stdin) if given == "-" else given
        text = _edited_by_hand(runtime, view) if text is None else text
        changed = orca.run(tasks.plan(wanted, plan_in(text, view), [step.number for step in view.steps]))
        _tell(runtime, orca, changed, as_json=as_json)


def _edited_by_hand(runtime: Runtime, view: TaskView) -> str:
    if not runtime.has_terminal:
        raise InvalidInput(template="there is no terminal for an editor", hint="orca task edit --steps - reads stdin")
    text = plan_text(view)
    # The editor speaks the user's language, not the one that `speak` set for this process.
    edited = click.edit(text, env={"LANGUAGE": runtime.environ.get("LANGUAGE", "")}, extension=".md")
    return edited if edited is not None and edited.strip() else text


def _tell(runtime: Runtime, orca: OpenOrca, view: TaskView, *, as_json: bool) -> None:
    lines = [
        f"{_('changed')}  {task_line(view)}",
        *(f"    {step_line(step, runtime.output.marks)}" for step in view.steps),
    ]
    told = lines if view.operation is not None else []
    tell(runtime, orca, Outcome((view.operation,), (TASKS.ref(view.task),), told), as_json=as_json)
