"""Change a task: begun, planned, worked on step by step, ended once; what ended stays, and becomes an episode."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any, TypedDict, Unpack

from msgspec.structs import replace

from orca_core.model.episodes import EPISODES, Episode, TaskDecision
from orca_core.model.errors import InvalidInput, NotFound
from orca_core.model.memories import Fields, Origin, OriginKind
from orca_core.model.record_types import timestamp
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
    WantedStep,
)
from orca_core.rules.memory.memory_curation import checked_tags
from orca_core.rules.text.cleaning import one_line
from orca_core.rules.text.dates import moment
from orca_core.rules.work import record_texts
from orca_core.rules.work.work_curation import text_of, with_search_text

MAX_STEP_CHARS = 120
KEPT = ("pinned", "access_count", "last_accessed")
"""Of an episode that is told anew: whether it is pinned, and how often it was needed."""


def episode_of(whole: TaskWithSteps, outcome: Outcome, outcome_summary: str, at: datetime) -> Episode:
    """Return what was done at a task that a hand has ended. Its number and its name come with its row."""
    task = whole.task
    steps = tuple(one_line(step.description, MAX_STEP_CHARS) for step in whole.steps)
    episode = Episode(
        id=0,
        uid="",
        text="",
        trigger_summary=task.request,
        created_at=at,
        updated_at=at,
        aged_from=at,
        trigger_type=task.trigger,
        target=task.target,
        steps=steps,
        outcome=outcome,
        outcome_summary=outcome_summary,
        tags=task.tags,
        task=task.id,
        origin=task.origin,
    )
    return with_search_text(episode)


def episode_of_reended_task(before: Episode, told: Episode, by_hand: Collection[str]) -> Fields:
    """Return what the episode of a task becomes that is ended once more. What a person wrote into it stays; its text
    follows from what it says then."""
    told_fields = EPISODES.changeable_fields(told).items()
    fields = {name: value for name, value in told_fields if name not in (*KEPT, *by_hand)}
    says = replace(EPISODES.changed(before, fields), created_at=told.created_at)
    return {**fields, "text": text_of(says)}


MAX_STEPS = 500
IDLE = timedelta(days=14)
"""A task that nobody touched for so long is offered for ending."""

ENDS = (StepStatus.COMPLETED, StepStatus.FAILED)
_SHOWN = tuple(each for each in StepStatus if each is not StepStatus.REMOVED)


def new_task(
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
        request=record_texts.checked_text(request, what="request", may_be_empty=False),
        started_at=at,
        updated_at=at,
        summary=record_texts.checked_text(summary, what="summary"),
        target=record_texts.checked_text(target, what="target", most=record_texts.MAX_NAME_CHARS),
        context=record_texts.merged_context({}, context or {}),
        trigger=record_texts.checked_word(trigger, tuple(Trigger), what="trigger"),
        tags=checked_tags(tags),
        origin=Origin(OriginKind.USER, session_id=session_id),
    )


class StepGiven(TypedDict, total=False):
    """What a caller gives of a step; None is not given."""

    tool: str | None
    args: Mapping[str, Any] | None
    result: str | None
    status: str | None
    started_at: datetime | None
    completed_at: datetime | None


def add_step(whole: TaskWithSteps, description: str, at: datetime, **given: Unpack[StepGiven]) -> TaskDecision:
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
    made = Step(0, whole.task.id, 0, "", status=StepStatus.PENDING)
    return TaskDecision(new_steps=(STEPS.changed(made, _given(made, description, given, at)),))


def change_step(
    whole: TaskWithSteps, number: int, at: datetime, *, description: str | None = None, **given: Unpack[StepGiven]
) -> TaskDecision:
    """A step with what is given of it. Raises InvalidInput, and NotFound for a step that there is not."""
    must_be_open(whole.task)
    step = next((each for each in whole.steps if each.number == number), None)
    if step is None:
        raise NotFound(what="step", id=number)
    return TaskDecision(steps={number: _given(step, description, given, at)})


def _given(step: Step, description: str | None, given: StepGiven, at: datetime) -> Fields:
    """Return what is given of a step, cleaned. Raises InvalidInput."""
    wanted: dict[str, Any] = {}
    if description is not None:
        wanted["description"] = record_texts.checked_text(description, what="description", may_be_empty=False)
    if (tool := given.get("tool")) is not None:
        wanted["tool"] = record_texts.checked_text(tool, what="tool", most=record_texts.MAX_NAME_CHARS)
    if (args := given.get("args")) is not None:
        wanted["args"] = record_texts.cut_args(args)
    if (result := given.get("result")) is not None:
        wanted["result"] = record_texts.cut_result(result)
    if (status := given.get("status")) is not None:
        wanted |= step_status_fields(step, record_texts.checked_word(status, _SHOWN, what="status"), at)
    started_at, completed_at = given.get("started_at"), given.get("completed_at")
    if started_at is not None or completed_at is not None:
        timed = _timed(STEPS.changed(step, wanted), at, started_at, completed_at)
        wanted |= STEPS.plain(timed, ("started_at", "completed_at"))
    return wanted


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


def step_status_fields(step: Step, wanted: StepStatus, at: datetime) -> Fields:
    """Tell how a step stands from now on. Raises InvalidInput where it was completed: that is for good."""
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


def set_context(whole: TaskWithSteps, values: Mapping[str, Any]) -> TaskDecision:
    """The values known at it, with these; one that is None goes. Raises InvalidInput."""
    must_be_open(whole.task)
    return TaskDecision({"context": record_texts.merged_context(whole.task.context, values)})


def end_task(
    whole: TaskWithSteps, outcome: str, summary: str, at: datetime, *, makes_episode: bool = True
) -> TaskDecision:
    """A task that is over, and its episode. Raises InvalidInput where it is over already."""
    must_be_open(whole.task)
    how = record_texts.checked_word(outcome, tuple(Outcome), what="outcome")
    said = record_texts.checked_text(summary, what="summary")
    status = TaskStatus.FAILED if how is Outcome.FAILED else TaskStatus.COMPLETED
    fields = {"status": status.value, "ended_at": timestamp(at), "outcome": how.value, "outcome_summary": said}
    return TaskDecision(fields, episode=episode_of(whole, how, said, at) if makes_episode else None)


def drop_task(whole: TaskWithSteps, at: datetime) -> TaskDecision:
    """A task that nobody goes on with: it makes no episode. Raises InvalidInput where it is over already."""
    must_be_open(whole.task)
    return TaskDecision({"status": TaskStatus.DROPPED.value, "ended_at": timestamp(at)})


def task_view(whole: TaskWithSteps, now: datetime) -> TaskView:
    return TaskView(whole.task, whole.steps, _current_step(whole.steps), _is_idle(whole.task, now))


def _current_step(steps: Sequence[Step]) -> int | None:
    """The latest step that is being done, else the first that waits."""
    doing = [step.number for step in steps if step.status is StepStatus.IN_PROGRESS]
    waiting = [step.number for step in steps if step.status is StepStatus.PENDING]
    return doing[-1] if doing else waiting[0] if waiting else None


def _is_idle(task: Task, now: datetime) -> bool:
    """Tell whether a task in progress was touched by nobody for so long that it is offered for ending."""
    return task.status is TaskStatus.IN_PROGRESS and now - task.updated_at >= IDLE


def task_statuses(word: str) -> tuple[TaskStatus, ...]:
    """The statuses that a word stands for: one of them, `ended` or `all`. Raises InvalidInput."""
    groups = {"all": tuple(TaskStatus), "ended": (TaskStatus.COMPLETED, TaskStatus.FAILED, TaskStatus.DROPPED)}
    return groups.get(word) or (record_texts.checked_word(word, tuple(TaskStatus), what="status"),)


def must_be_open(task: Task) -> None:
    """Raises InvalidInput for a task that is over."""
    if task.status is not TaskStatus.IN_PROGRESS:
        raise InvalidInput(
            template="task {id} is {state} already",
            hint="orca memory undo opens it again, where that was the last change; or start another task",
            id=task.id,
            state=task.status.value,
        )


_REMOVED: Fields = {"status": StepStatus.REMOVED.value}


def plan_steps(whole: TaskWithSteps, wanted: Sequence[WantedStep], seen: Collection[int], at: datetime) -> TaskDecision:
    """Return what makes the steps of a task those that are wanted, in their order. `seen` are the numbers of the steps
    that the plan was made of: others came since, and stay. Steps are shown by their numbers, and no number is used
    twice, so one that moves is another step from then on. Raises InvalidInput, NotFound."""
    must_be_open(whole.task)
    there = {step.number: step for step in whole.steps}
    _must_be_of(wanted, there)
    named = {each.number for each in wanted}
    stay = _in_their_places([each.number for each in wanted])
    gone = [step for step in whole.steps if step.number in seen and step.number not in named]
    for step in gone:
        _must_not_have_ended(step, template="step {number} has ended, and can't be taken out of the task")
    changes: dict[int, Fields] = {step.number: _REMOVED for step in gone}
    for each in wanted[:stay]:
        step = there[each.number or 0]
        changes[step.number] = _as_wanted(step, each, at)
    new: list[Step] = []
    for each in wanted[stay:]:
        if each.number is None:
            new.append(_made(Step(0, whole.task.id, 0, ""), each, at))
            continue
        step = there[each.number]
        _must_not_have_ended(step, template="step {number} has ended: what is new, or was moved, comes behind it")
        changes[step.number] = _REMOVED
        new.append(_made(replace(step, id=0, number=0), each, at))
    count = len(there) - sum(each is _REMOVED for each in changes.values()) + len(new)
    if count > MAX_STEPS:
        raise InvalidInput(
            template="a task has at most {most} steps, and this plan has {count}",
            hint="end it, and start another",
            most=MAX_STEPS,
            count=count,
        )
    return TaskDecision(steps={number: fields for number, fields in changes.items() if fields}, new_steps=tuple(new))


def plan_text(steps: Sequence[Step]) -> str:
    """The plan as a text: a line a step."""
    return "\n".join(" ".join(step.description.split()) for step in steps)


def plan_text_after(whole: TaskWithSteps, decided: TaskDecision) -> str:
    """The plan as it is once this was decided."""
    changed = [(step, decided.steps.get(step.number, {})) for step in whole.steps]
    left = [
        replace(step, description=fields.get("description", step.description))
        for step, fields in changed
        if fields is not _REMOVED
    ]
    return plan_text([*left, *decided.new_steps])


def _in_their_places(numbers: Sequence[int | None]) -> int:
    """Tell how many at the beginning are there already, in their order: what comes behind gets numbers of its own."""
    last = 0
    for place, number in enumerate(numbers):
        if number is None or number < last:
            return place
        last = number
    return len(numbers)


def _as_wanted(step: Step, each: WantedStep, at: datetime) -> Fields:
    """Return what of a step is other than it was."""
    fields: dict[str, Any] = {}
    description = record_texts.checked_text(each.description, what="description", may_be_empty=False)
    if description != step.description:
        fields["description"] = description
    if each.status is not None and each.status is not step.status:
        _must_not_have_ended(step, template="step {number} has ended, and stays as it ended")
        fields |= step_status_fields(step, each.status, at)
    return fields


def _made(step: Step, each: WantedStep, at: datetime) -> Step:
    """A new step, with what there was of it before."""
    made: Step = STEPS.changed(step, _as_wanted(step, each, at))
    return made


def _must_be_of(wanted: Sequence[WantedStep], there: Mapping[int, Step]) -> None:
    named: set[int] = set()
    for number in (each.number for each in wanted if each.number is not None):
        if number not in there:
            raise NotFound(what="step", id=number)
        if number in named:
            raise InvalidInput(
                template="step {number} stands in the plan more than once",
                hint="a line without a number is a new step",
                number=number,
            )
        named.add(number)


def _must_not_have_ended(step: Step, *, template: str) -> None:
    if step.status in ENDS:
        raise InvalidInput(
            template=template, hint="orca memory undo takes the last change of the task back", number=step.number
        )
