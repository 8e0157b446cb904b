"""`orca task start | step | done | drop`: changes by hand, each of which can be undone."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from datetime import UTC, datetime
from gettext import gettext as _
from typing import Any

import click

from orca_core.model.episodes import EPISODES, TaskEnded
from orca_core.model.errors import InvalidInput
from orca_core.model.records import Ref
from orca_core.model.sessions import new_session_id
from orca_core.model.tasks import TASKS, StepStatus, TaskStatus, TaskView, Trigger
from orca_tui.cli.commands import as_json_option, command, option
from orca_tui.cli.completions import records
from orca_tui.cli.given import json_object
from orca_tui.cli.outcomes import Outcome, tell
from orca_tui.cli.record_ids import TASK_ID
from orca_tui.cli.runtime import OpenOrca, Runtime, pass_runtime
from orca_tui.cli.streams import ANY_TEXT, SESSION_ID, read_piped
from orca_tui.cli.task_reading import latest_open
from orca_tui.words.task_words import episode_note, step_line, task_ending, task_line

session_option = option(
    "--session", "session_id", type=SESSION_ID, metavar="ID", help="The latest one of this session."
)


@command(
    examples=(
        'orca task start "nginx answers 502" --target nginx --session s',
        'orca task start "the disk is nearly full" --trigger alert --tag disk',
    )
)
@click.argument("request", metavar="TEXT", type=ANY_TEXT)
@option("--target", default="", type=ANY_TEXT, metavar="TEXT", help="What it is done to: a server, a program, a file.")
@option("--summary", default="", type=ANY_TEXT, metavar="TEXT", help="More about it.")
@option(
    "--tag",
    "tags",
    multiple=True,
    type=ANY_TEXT,
    shell_complete=records("tag"),
    metavar="TAG",
    help="A tag; may be given again.",
)
@option("--trigger", type=click.Choice([each.value for each in Trigger]), default="user_request", help="What began it.")
@option("--session", "session_id", type=SESSION_ID, metavar="ID", help="Its session; else the latest.")
@as_json_option
@pass_runtime
def start(
    runtime: Runtime,
    *,
    request: str,
    target: str,
    summary: str,
    tags: tuple[str, ...],
    trigger: str,
    session_id: str | None,
    as_json: bool,
) -> None:
    """Start a task.

    It is the current one of its session from now on; those that were begun before wait."""
    with runtime.orca() as orca:
        view = orca.run(
            orca.engine.work.tasks.start(
                session_id or _latest_session(orca),
                request,
                target=target,
                summary=summary,
                tags=tags,
                trigger=trigger,
            )
        )
        _tell(runtime, orca, view, f"{_('started')}  {task_line(view)}", as_json=as_json)


def _latest_session(orca: OpenOrca) -> str:
    latest = orca.run(orca.engine.sessions.latest())
    return new_session_id(datetime.now(UTC)) if latest is None else latest.id


@command(
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
@session_option
@as_json_option
@pass_runtime
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
    as_json: bool,
) -> None:
    """Add a step, or change the one with this number.

    A completed step stays completed. What a tool was given and answered is kept up to 64 KB each."""
    args = None if args_text is None else json_object(args_text, "--args", '{"path": "/etc/hosts"}')
    answered = read_piped(sys.stdin) if result == "-" else result
    with runtime.orca() as orca:
        tasks = orca.engine.work.tasks
        wanted = task_id if task_id is not None else latest_open(orca, session_id)
        if what.isascii() and what.isdigit():
            given: dict[str, Any] = {"tool": tool, "args": args, "result": answered, "status": status}
            if description is None and all(each is None for each in given.values()):
                raise InvalidInput(template="nothing to change", hint="name at least one field")
            number = int(what[:9])
            view = orca.run(tasks.update_step(wanted, number, description=description, **given))
        elif description is not None:
            raise InvalidInput(
                template="--description belongs to the number of a step", hint="the text of a new step stands alone"
            )
        else:
            status = status or StepStatus.PENDING.value
            added = tasks.add_step(wanted, what, tool=tool or "", args=args, result=answered or "", status=status)
            view = orca.run(added)
            number = view.steps[-1].number
        [shown] = [each for each in view.steps if each.number == number]
        _tell(runtime, orca, view, step_line(shown, runtime.output.marks), as_json=as_json)


@command(
    examples=(
        'orca task done success "no 502 within an hour"',
        'orca task done failed "the disk was full" --task w3',
    )
)
@click.argument("outcome", metavar="[success|partial|failed|unknown]", type=ANY_TEXT, required=False)
@click.argument("summary", metavar="[SUMMARY]", type=ANY_TEXT, required=False)
@option("--task", "ids", type=TASK_ID, multiple=True, metavar="ID", help="The task, or several; else the latest.")
@session_option
@as_json_option
@pass_runtime
def done(
    runtime: Runtime,
    *,
    outcome: str | None,
    summary: str | None,
    ids: tuple[int, ...],
    session_id: str | None,
    as_json: bool,
) -> None:
    """End a task: it becomes an episode, which can be found later.

    Without an outcome it was a success; a text alone is its summary."""
    how, said = task_ending(outcome or "")
    if summary is not None:  # what stands before it is an outcome, or refused as one
        how, said = (outcome or "" if said else how), summary
    with runtime.orca() as orca:
        tasks = orca.engine.work.tasks
        wanted = list(dict.fromkeys(ids)) or [latest_open(orca, session_id)]
        ended = [orca.run(tasks.complete(each, how, said)) for each in _all_open(orca, wanted)]
        _report(runtime, orca, ended, as_json=as_json)


def _all_open(orca: OpenOrca, ids: Sequence[int]) -> list[int]:
    """The tasks, one that is over first: it is refused before another is ended. Raises NotFound."""
    views = orca.run(orca.engine.work.tasks.get(ids))
    return [view.task.id for view in sorted(views, key=lambda view: view.task.status is TaskStatus.IN_PROGRESS)]


@command(
    examples=(
        "orca task drop",
        "orca task drop w3",
    )
)
@click.argument("ids", metavar="[ID...]", type=TASK_ID, nargs=-1)
@session_option
@as_json_option
@pass_runtime
def drop(runtime: Runtime, ids: tuple[int, ...], session_id: str | None, as_json: bool) -> None:
    """Drop tasks: they are over, and become no episode."""
    with runtime.orca() as orca:
        tasks = orca.engine.work.tasks
        wanted = list(dict.fromkeys(ids)) or [latest_open(orca, session_id)]
        dropped = [TaskEnded(orca.run(tasks.drop(each)), None) for each in _all_open(orca, wanted)]
        _report(runtime, orca, dropped, as_json=as_json)


def _report(runtime: Runtime, orca: OpenOrca, ended: Sequence[TaskEnded], *, as_json: bool) -> None:
    refs: list[Ref] = []
    lines: list[str] = []
    for each in ended:
        refs.append(TASKS.ref(each.task.task))
        word = _("dropped") if each.task.task.outcome is None else _("ended")
        lines.append(f"{word}  {task_line(each.task)}")
        if each.episode is not None:
            refs.append(EPISODES.ref(each.episode))
            lines.append(episode_note(each.episode))
    tell(runtime, orca, Outcome([each.task.operation for each in ended], refs, lines), as_json=as_json)


def _tell(runtime: Runtime, orca: OpenOrca, view: TaskView, line: str, *, as_json: bool) -> None:
    tell(runtime, orca, Outcome((view.operation,), (TASKS.ref(view.task),), (line,)), as_json=as_json)
