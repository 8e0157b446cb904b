"""How a task stands and what may become of it: begun, worked on step by step, ended once."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any

from msgspec.structs import replace

from orca_core.model.episodes import TaskDecision
from orca_core.model.errors import InvalidInput, NotFound
from orca_core.model.memories import Fields, Origin, OriginKind
from orca_core.model.records import timestamp
from orca_core.model.sessions import checked_session_id
from orca_core.model.tasks import (
    STEPS,
    Outcome,
    Step,
    StepStatus,
    Task,
    TaskStatus,
    TaskView,
    TaskWithSteps,
    Trigger,
)
from orca_core.rules.memory.curation import checked_tags
from orca_core.rules.text.times import moment
from orca_core.rules.work import kept
from orca_core.rules.work.ended import episode_of

MAX_STEPS = 500
IDLE = timedelta(days=14)
"""A task that nobody touched for so long is offered for ending."""

ENDS = (StepStatus.COMPLETED, StepStatus.FAILED)
_SHOWN = tuple(each for each in StepStatus if each is not StepStatus.REMOVED)


def started(
    session_id: str,
    request: str,
    at: datetime,
    *,
    summary: str = "",
    target: str = "",
    trigger: str = Trigger.USER_REQUEST.value,
    tags: Sequence[str] = (),
    context: Mapping[str, Any] | None = None,
) -> Task:
    """A task that begins. Its number and its name come with its row. Raises InvalidInput."""
    return Task(
        id=0,
        uid="",
        session_id=checked_session_id(session_id),
        request=kept.text(request, what="request", may_be_empty=False),
        started_at=at,
        updated_at=at,
        summary=kept.text(summary, what="summary"),
        target=kept.text(target, what="target", most=kept.MAX_NAME_CHARS),
        context=kept.context({}, context or {}),
        trigger=kept.word(trigger, tuple(Trigger), what="trigger"),
        tags=checked_tags(tags),
        origin=Origin(OriginKind.USER, session_id=session_id),
    )


def with_step(
    whole: TaskWithSteps,
    description: str,
    at: datetime,
    *,
    tool: str = "",
    args: Mapping[str, Any] | None = None,
    result: str = "",
    status: str = StepStatus.PENDING.value,
    started_at: datetime | None = None,
    completed_at: datetime | None = None,
) -> TaskDecision:
    """One step more. The times are those that the caller measured; without them a status tells them. Raises
    InvalidInput."""
    must_be_open(whole.task)
    if len(whole.steps) >= MAX_STEPS:
        raise InvalidInput(
            template="task {id} has {most} steps, which is as many as one may have",
            hint="end it, and start another",
            id=whole.task.id,
            most=MAX_STEPS,
        )
    wanted = kept.word(status, _SHOWN, what="status")
    made = Step(0, whole.task.id, 0, "", status=StepStatus.PENDING)
    step = STEPS.changed(made, _told(description, tool, args or {}, result) | dict(stands(made, wanted, at)))
    return TaskDecision(new_steps=(_timed(step, at, started_at, completed_at),))


def with_step_changed(
    whole: TaskWithSteps,
    number: int,
    at: datetime,
    *,
    description: str | None = None,
    tool: str | None = None,
    args: Mapping[str, Any] | None = None,
    result: str | None = None,
    status: str | None = None,
    started_at: datetime | None = None,
    completed_at: datetime | None = None,
) -> TaskDecision:
    """A step with what is given of it. Raises InvalidInput, and NotFound for a step that there is not."""
    must_be_open(whole.task)
    step = next((each for each in whole.steps if each.number == number), None)
    if step is None:
        raise NotFound(what="step", id=number)
    wanted = _told(description, tool, args, result)
    if status is not None:
        wanted |= stands(step, kept.word(status, _SHOWN, what="status"), at)
    if started_at is not None or completed_at is not None:
        timed = _timed(STEPS.changed(step, wanted), at, started_at, completed_at)
        wanted |= STEPS.plain(timed, ("started_at", "completed_at"))
    return TaskDecision(steps={number: wanted})


def _told(
    description: str | None, tool: str | None, args: Mapping[str, Any] | None, result: str | None
) -> dict[str, Any]:
    """What is given of a step, cleaned. Raises InvalidInput."""
    told: dict[str, Any] = {}
    if description is not None:
        told["description"] = kept.text(description, what="description", may_be_empty=False)
    if tool is not None:
        told["tool"] = kept.text(tool, what="tool", most=kept.MAX_NAME_CHARS)
    if args is not None:
        told["args"] = kept.args(args)
    if result is not None:
        told["result"] = kept.result(result)
    return told


def _timed(step: Step, now: datetime, started_at: datetime | None, completed_at: datetime | None) -> Step:
    """The step with the times that the caller measured, where it gives some. Raises InvalidInput where one lies in the
    future, or the step would end before it began, or at all while it goes on."""
    started = step.started_at if started_at is None else moment(started_at)
    completed = step.completed_at if completed_at is None else moment(completed_at)
    if completed is not None and step.status not in ENDS:
        raise InvalidInput(template="a step that is {state} has no end", state=step.status.value.replace("_", " "))
    if any(each is not None and each > now for each in (started, completed)):
        raise InvalidInput(template="a step can not begin or end in the future")
    if started is not None and completed is not None and completed < started:
        raise InvalidInput(template="a step can not end before it began")
    return replace(step, started_at=started, completed_at=completed)


def stands(step: Step, wanted: StepStatus, at: datetime) -> Fields:
    """How a step stands from now on. Raises InvalidInput where it was completed: that is for good."""
    if wanted is step.status:
        return {}
    if step.status is StepStatus.COMPLETED:
        raise InvalidInput(
            template="step {number} is completed, it can not become {state} again",
            hint="orca memory undo takes the last change back; or add a step",
            number=step.number,
            state=wanted.value.replace("_", " "),
        )
    begun = step.started_at if wanted in ENDS else at if wanted is StepStatus.IN_PROGRESS else None
    return {
        "status": wanted.value,
        "started_at": timestamp(begun) if begun else None,
        "completed_at": timestamp(at) if wanted in ENDS else None,
    }


def with_context(whole: TaskWithSteps, values: Mapping[str, Any]) -> TaskDecision:
    """The values known at it, with these; one that is None goes. Raises InvalidInput."""
    must_be_open(whole.task)
    return TaskDecision({"context": kept.context(whole.task.context, values)})


def ended(
    whole: TaskWithSteps, outcome: str, summary: str, at: datetime, *, makes_episode: bool = True
) -> TaskDecision:
    """A task that is over, and its episode. Raises InvalidInput where it is over already."""
    must_be_open(whole.task)
    how = kept.word(outcome, tuple(Outcome), what="outcome")
    said = kept.text(summary, what="summary")
    status = TaskStatus.FAILED if how is Outcome.FAILED else TaskStatus.COMPLETED
    fields = {"status": status.value, "ended_at": timestamp(at), "outcome": how.value, "outcome_summary": said}
    return TaskDecision(fields, episode=episode_of(whole, how, said, at) if makes_episode else None)


def dropped(whole: TaskWithSteps, at: datetime) -> TaskDecision:
    """A task that nobody goes on with: it makes no episode. Raises InvalidInput where it is over already."""
    must_be_open(whole.task)
    return TaskDecision({"status": TaskStatus.DROPPED.value, "ended_at": timestamp(at)})


def view_of(whole: TaskWithSteps, now: datetime) -> TaskView:
    return TaskView(whole.task, whole.steps, _current_step(whole.steps), _is_idle(whole.task, now))


def _current_step(steps: Sequence[Step]) -> int | None:
    """The latest step that is being done, else the first that waits."""
    doing = [step.number for step in steps if step.status is StepStatus.IN_PROGRESS]
    waiting = [step.number for step in steps if step.status is StepStatus.PENDING]
    return doing[-1] if doing else waiting[0] if waiting else None


def _is_idle(task: Task, now: datetime) -> bool:
    """Whether a task in progress was touched by nobody for so long that it is offered for ending."""
    return task.status is TaskStatus.IN_PROGRESS and now - task.updated_at >= IDLE


def statuses(word: str) -> tuple[TaskStatus, ...]:
    """The statuses that a word stands for: one of them, `ended` or `all`. Raises InvalidInput."""
    groups = {"all": tuple(TaskStatus), "ended": (TaskStatus.COMPLETED, TaskStatus.FAILED, TaskStatus.DROPPED)}
    return groups.get(word) or (kept.word(word, tuple(TaskStatus), what="status"),)


def must_be_open(task: Task) -> None:
    """Raises InvalidInput for a task that is over."""
    if task.status is not TaskStatus.IN_PROGRESS:
        raise InvalidInput(
            template="task {id} is {state} already",
            hint="orca memory undo opens it again, where that was the last change; or start another task",
            id=task.id,
            state=task.status.value,
        )
