"""The plan of a task: all its steps, edited as one. What ended stays, and stays where it is."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from datetime import datetime
from typing import Any

from msgspec.structs import replace

from orca_core.model.episodes import TaskDecision
from orca_core.model.errors import InvalidInput, NotFound
from orca_core.model.memories import Fields
from orca_core.model.tasks import STEPS, Step, StepStatus, TaskWithSteps, WantedStep
from orca_core.rules.work import kept
from orca_core.rules.work.tasks import ENDS, MAX_STEPS, must_be_open, stands

_REMOVED: Fields = {"status": StepStatus.REMOVED.value}


def planned(whole: TaskWithSteps, wanted: Sequence[WantedStep], seen: Collection[int], at: datetime) -> TaskDecision:
    """What makes the steps of a task those that are wanted, in their order. `seen` are the numbers of the steps that
    the plan was made of: others came since, and stay. Steps are shown by their numbers, and no number is used twice, so
    one that moves is another step from then on. Raises InvalidInput, NotFound."""
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
    _must_not_be_too_many(len(there) - sum(each is _REMOVED for each in changes.values()) + len(new))
    return TaskDecision(steps={number: fields for number, fields in changes.items() if fields}, new_steps=tuple(new))


def text_of(steps: Sequence[Step]) -> str:
    """The plan as a text: a line a step."""
    return "\n".join(" ".join(step.description.split()) for step in steps)


def text_after(whole: TaskWithSteps, decided: TaskDecision) -> str:
    """The plan as it is once this was decided."""
    changed = [(step, decided.steps.get(step.number, {})) for step in whole.steps]
    left = [
        replace(step, description=fields.get("description", step.description))
        for step, fields in changed
        if fields is not _REMOVED
    ]
    return text_of([*left, *decided.new_steps])


def _in_their_places(numbers: Sequence[int | None]) -> int:
    """How many at the beginning are there already, in their order: what comes behind gets numbers of its own."""
    last = 0
    for place, number in enumerate(numbers):
        if number is None or number < last:
            return place
        last = number
    return len(numbers)


def _as_wanted(step: Step, each: WantedStep, at: datetime) -> Fields:
    """What of a step is other than it was."""
    fields: dict[str, Any] = {}
    description = kept.text(each.description, what="description", may_be_empty=False)
    if description != step.description:
        fields["description"] = description
    if each.status is not None and each.status is not step.status:
        _must_not_have_ended(step, template="step {number} has ended, and stays as it ended")
        fields |= stands(step, each.status, at)
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


def _must_not_be_too_many(count: int) -> None:
    if count > MAX_STEPS:
        raise InvalidInput(
            template="a task has at most {most} steps, and this plan has {count}",
            hint="end it, and start another",
            most=MAX_STEPS,
            count=count,
        )
