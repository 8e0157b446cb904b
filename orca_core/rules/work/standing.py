"""The current task as the model is told of it: what was asked, the last steps, where it stands."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence

from orca_core.model.tasks import Step, StepStatus, TaskWithSteps
from orca_core.prompts import builtin, fill
from orca_core.rules.text.cleaning import one_line
from orca_core.rules.text.languages import language_of
from orca_core.rules.work.ended import MAX_STEP_CHARS

SHARE = 1 / 3
"""The most of the budget of memory that the current task takes."""
LAST_STEPS = 8
"""So many of the steps that are over are told at most. Chosen by hand."""
REQUEST_CHARS = (600, 300, 150, 75, 40)
"""How much of the request is told, where not all of it fits. Chosen by hand."""

_FIELDS = ("request", "target", "summary", "done", "all", "last", "now")
_MARKS = {StepStatus.COMPLETED: "✓", StepStatus.FAILED: "✗"}


def standing_text(whole: TaskWithSteps, limit: int, cost: Callable[[str], int]) -> str:
    """As much of it as costs no more than the limit: the oldest steps go first, then what is said about it, then the
    end of the request, at last where it stands. Empty where nothing fits."""
    for told in _less_and_less(whole):
        if cost(text := _text(whole.task.request, told)) <= limit:
            return text
    return ""


def _less_and_less(whole: TaskWithSteps) -> Iterator[Mapping[str, str]]:
    """The fields of the prompt, each time with less in them."""
    over = [step for step in whole.steps if step.status in _MARKS]
    request, summary = (one_line(each, len(each)) for each in (whole.task.request, whole.task.summary))
    now = "; ".join(_said(step) for step in _now(whole.steps))
    standing = {"target": one_line(whole.task.target, len(whole.task.target)), "now": now}
    for count in range(min(LAST_STEPS, len(over)), 0, -1):
        last = "; ".join(f"{_MARKS[step.status]} {_said(step)}" for step in over[-count:])
        steps = {"done": str(len(over)), "all": str(len(whole.steps)), "last": last}
        yield {"request": request, "summary": summary, **standing, **steps}
    yield {"request": request, "summary": summary, **standing}
    for chars in (len(request), *REQUEST_CHARS):
        yield {"request": one_line(request, chars), **standing}
    yield {"request": one_line(request, REQUEST_CHARS[-1])}


def _text(request: str, told: Mapping[str, str]) -> str:
    """The lines of the prompt for which there is something to say, as one."""
    lines = builtin(f"current_task.{language_of(request)}").splitlines()
    fields = {**dict.fromkeys(_FIELDS, ""), **told}
    said = [line for line in lines if all(value or f"{{{name}}}" not in line for name, value in fields.items())]
    return " ".join(fill(line, **fields) for line in said)


def _said(step: Step) -> str:
    return one_line(step.description, MAX_STEP_CHARS)


def _now(steps: Sequence[Step]) -> Sequence[Step]:
    """What is being done, else what waits first."""
    doing = [step for step in steps if step.status is StepStatus.IN_PROGRESS]
    return doing[-1:] or [step for step in steps if step.status is StepStatus.PENDING][:1]
