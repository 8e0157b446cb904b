"""`orca task`: what is being worked on, step by step."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from datetime import UTC, datetime
from gettext import gettext as _
from typing import Any

import click

from orca_core.model.episodes import EPISODES, TaskEnded
from orca_core.model.errors import InvalidInput, NotFound
from orca_core.model.record_types import Ref, plain_ref
from orca_core.model.sessions import new_session_id
from orca_core.model.tasks import TASKS, StepStatus, TaskStatus, TaskView, Trigger
from orca_core.serialize.work import task_json
from orca_tui.cli.commands import Group, Option, option
from orca_tui.cli.output import TableColumn
from orca_tui.cli.parameters import ANY_TEXT, SESSION_ID, TASK_ID, TASK_STATES, json_object, read_piped, words
from orca_tui.cli.records import NEW_TAGS, RecordCommands, print_operations, session_option, text_option
from orca_tui.cli.runtime import OpenOrca, Runtime
from orca_tui.language import N_
from orca_tui.words.task_words import (
    episode_note,
    idle_note,
    progress_words,
    standing_words,
    step_line,
    task_ending,
    task_line,
    task_text,
)

task = Group("task", help="Say what is being worked on, step by step.")

STATUS = Option(
    ["--status"],
    default="all",
    metavar="STATUS",
    shell_complete=words(*TASK_STATES),
    help="all, ended, or in_progress, completed, failed, dropped.",
)
OF_SESSION = session_option("Only of this session.")
of_latest = option("--session", "session_id", type=SESSION_ID, metavar="ID", help="The latest one of this session.")
IDS = click.Argument(["ids"], metavar="[ID...]", type=TASK_ID, nargs=-1)
COLUMNS = (
    TableColumn(N_("id"), lambda view: str(plain_ref(TASKS.ref(view.task)))),
    TableColumn(N_("status"), standing_words),
    TableColumn(N_("steps"), progress_words, is_number=True),
    TableColumn(N_("last touched"), lambda view: f"{view.task.updated_at.astimezone():%Y-%m-%d %H:%M}"),
    TableColumn(N_("task"), lambda view: view.task.request, takes_rest=True),
)


TASK_COMMANDS = RecordCommands(
    group=task,
    type=TASKS,
    service=lambda opened: opened.orca.work.tasks,
    line=task_line,
    plural="tasks",
    to_json=task_json,
    columns=COLUMNS,
    texts=lambda runtime, opened, ids: [
        task_text(view, runtime.output.marks) for view in opened.run(opened.orca.work.tasks.get(ids))
    ],
)


def _idle_note(opened: OpenOrca) -> str:
    idle = opened.run(opened.orca.work.tasks.idle())
    return idle_note(len(idle)) if idle else ""


async def _listed(opened: OpenOrca, **filters: Any) -> tuple[Sequence[TaskView], int]:
    page = await opened.orca.work.tasks.page(**filters, with_results=True)
    return page.records, page.total


TASK_COMMANDS.list(
    "List tasks, newest first.",
    STATUS,
    OF_SESSION,
    find=_listed,
    note=_idle_note,
    nothing=N_("No task yet, or none like this: orca task start begins one."),
    examples=("orca task list", "orca task list --status in_progress --session s --json"),
)


@task.command(params=[IDS, OF_SESSION], examples=("orca task show", "orca task show w1 w2 --json"))
def show(runtime: Runtime, ids: tuple[int, ...], session_id: str | None) -> None:
    """Show all of a task; of the latest in progress, unless told otherwise."""
    with runtime.open_orca() as opened:
        TASK_COMMANDS.show_some(runtime, opened, _named_or_latest(opened, ids, session_id))


@task.command(
    params=[
        click.Argument(["request"], metavar="TEXT", type=ANY_TEXT),
        text_option("--target", "What it is done to: a server, a program, a file.", default=""),
        text_option("--summary", "More about it.", default=""),
        NEW_TAGS,
        Option(
            ["--trigger"],
            type=click.Choice([each.value for each in Trigger]),
            default="user_request",
            help="What began it.",
        ),
        session_option("Its session; else the latest."),
    ],
    examples=(
        'orca task start "nginx answers 502" --target nginx --session s',
        'orca task start "the disk is nearly full" --trigger alert --tag disk',
    ),
)
def start(runtime: Runtime, request: str, session_id: str | None, **about: Any) -> None:
    """Start a task.

    It is the current one of its session from now on; those that were begun before wait."""
    with runtime.open_orca() as opened:
        view = opened.run(opened.orca.work.tasks.start(session_id or _latest_session(opened), request, **about))
        _tell(runtime, opened, view, f"{_('started')}  {task_line(view)}")


@task.command(
    examples=(
        'orca task step "read the error log" --tool shell --args \'{"command": "tail error.log"}\'',
        "tail error.log | orca task step 1 --result - --status completed",
    )
)
@click.argument("what", metavar="TEXT|NUMBER", type=ANY_TEXT)
@option("--description", type=ANY_TEXT, metavar="TEXT", help="What a step that is changed is called from now on.")
@option("--tool", type=ANY_TEXT, metavar="NAME", help="The tool that it calls.")
@option("--args", "args_text", type=ANY_TEXT, metavar="JSON", help="What the tool is given: a JSON object.")
@option("--result", type=ANY_TEXT, metavar="TEXT", help="What the tool answered; - reads it from stdin.")
@option("--status", type=click.Choice([each.value for each in StepStatus][:-1]), help="How the step stands.")
@option("--task", "task_id", type=TASK_ID, metavar="ID", help="The task; else the latest in progress.")
@of_latest
def step(
    runtime: Runtime,
    *,
    what: str,
    description: str | None,
    tool: str | None,
    args_text: str | None,
    result: str | None,
    status: str | None,
    task_id: int | None,
    session_id: str | None,
) -> None:
    """Add a step, or change the one with this number.

    A completed step stays completed. What a tool was given and answered is kept up to 64 KB each."""
    args = None if args_text is None else json_object(args_text, "--args", '{"path": "/etc/hosts"}')
    answered = read_piped(sys.stdin) if result == "-" else result
    with runtime.open_orca() as opened:
        tasks = opened.orca.work.tasks
        wanted = task_id if task_id is not None else _latest_open(opened, session_id)
        if what.isascii() and what.isdigit():
            given: dict[str, Any] = {"tool": tool, "args": args, "result": answered, "status": status}
            if description is None and all(each is None for each in given.values()):
                raise InvalidInput(template="nothing to change", hint="name at least one field")
            number = int(what[:9])
            view = opened.run(tasks.update_step(wanted, number, description=description, **given))
        elif description is not None:
            raise InvalidInput(
                template="--description belongs to the number of a step", hint="the text of a new step stands alone"
            )
        else:
            status = status or StepStatus.PENDING.value
            added = tasks.add_step(wanted, what, tool=tool or "", args=args, result=answered or "", status=status)
            view = opened.run(added)
            number = view.steps[-1].number
        [shown] = [each for each in view.steps if each.number == number]
        _tell(runtime, opened, view, step_line(shown, runtime.output.marks))


@task.command(
    examples=(
        'orca task done success "no 502 within an hour"',
        'orca task done failed "the disk was full" --task w3',
    )
)
@click.argument("outcome", metavar="[success|partial|failed|unknown]", type=ANY_TEXT, required=False)
@click.argument("summary", metavar="[SUMMARY]", type=ANY_TEXT, required=False)
@option("--task", "ids", type=TASK_ID, multiple=True, metavar="ID", help="The task, or several; else the latest.")
@of_latest
def done(
    runtime: Runtime,
    *,
    outcome: str | None,
    summary: str | None,
    ids: tuple[int, ...],
    session_id: str | None,
) -> None:
    """End a task: it becomes an episode, which can be found later.

    Without an outcome it was a success; a text alone is its summary."""
    how, said = task_ending(outcome or "")
    if summary is not None:  # what stands before it is an outcome, or refused as one
        how, said = (outcome or "" if said else how), summary
    with runtime.open_orca() as opened:
        tasks = opened.orca.work.tasks
        wanted = _named_or_latest(opened, ids, session_id)
        ended = [opened.run(tasks.complete(each, how, said)) for each in _all_open(opened, wanted)]
        _report(runtime, opened, ended)


@task.command(
    examples=(
        "orca task drop",
        "orca task drop w3",
    )
)
@click.argument("ids", metavar="[ID...]", type=TASK_ID, nargs=-1)
@of_latest
def drop(runtime: Runtime, ids: tuple[int, ...], session_id: str | None) -> None:
    """Drop tasks: they are over, and become no episode."""
    with runtime.open_orca() as opened:
        tasks = opened.orca.work.tasks
        wanted = _named_or_latest(opened, ids, session_id)
        dropped = [TaskEnded(opened.run(tasks.drop(each)), None) for each in _all_open(opened, wanted)]
        _report(runtime, opened, dropped)


TASK_COMMANDS.delete(
    """Delete tasks for good, with their steps.

    Undo does not bring them back. Episodes that they became stay; --proof says where words of them are left.""",
    examples=("orca task delete w3", "orca task delete w3 --yes --json"),
)


def _latest_session(opened: OpenOrca) -> str:
    latest = opened.run(opened.orca.sessions.latest())
    return new_session_id(datetime.now(UTC)) if latest is None else latest.id


def _all_open(opened: OpenOrca, ids: Sequence[int]) -> list[int]:
    """The tasks, one that is over first: it is refused before another is ended. Raises NotFound."""
    views = opened.run(opened.orca.work.tasks.get(ids))
    return [view.task.id for view in sorted(views, key=lambda view: view.task.status is TaskStatus.IN_PROGRESS)]


def _latest_open(opened: OpenOrca, session_id: str | None) -> int:
    """The latest task in progress, of a session or of all. Raises NotFound."""
    page = opened.run(
        opened.orca.work.tasks.page(TaskStatus.IN_PROGRESS.value, session_id=session_id, limit=1, with_results=False)
    )
    if not page.records:
        raise NotFound(
            template="no task is in progress",
            hint="orca task start begins one; or name one by its number",
            what="task",
            id="",
        )
    return page.records[0].task.id


def _named_or_latest(opened: OpenOrca, ids: Sequence[int], session_id: str | None) -> list[int]:
    return list(dict.fromkeys(ids)) or [_latest_open(opened, session_id)]


def _report(runtime: Runtime, opened: OpenOrca, ended: Sequence[TaskEnded]) -> None:
    refs: list[Ref] = []
    lines: list[str] = []
    for each in ended:
        refs.append(TASKS.ref(each.task.task))
        word = _("dropped") if each.task.task.outcome is None else _("ended")
        lines.append(f"{word}  {task_line(each.task)}")
        if each.episode is not None:
            refs.append(EPISODES.ref(each.episode))
            lines.append(episode_note(each.episode))
    print_operations(runtime, opened, [each.task.operation for each in ended], refs, lines)


def _tell(runtime: Runtime, opened: OpenOrca, view: TaskView, *lines: str) -> None:
    print_operations(runtime, opened, (view.operation,), (TASKS.ref(view.task),), lines)
