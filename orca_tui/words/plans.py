"""The plan of a task as a text that a person edits, and that text read again. Pure."""

from __future__ import annotations

import re
from collections.abc import Sequence
from gettext import gettext as _

from orca_core.model.errors import InvalidInput
from orca_core.model.work.tasks import Step, StepStatus, TaskView, WantedStep
from orca_tui.text_rules import for_terminal

SIGNS = {
    StepStatus.COMPLETED: "x",
    StepStatus.FAILED: "!",
    StepStatus.IN_PROGRESS: ">",
    StepStatus.PENDING: " ",
}
"""How a step stands, as the text shows it."""
_NOTE = "#"
_LINE = re.compile(r"(?:(\d{1,9})\. *)?\[([^\[\]]?)\] *(.*)")


def plan_text(view: TaskView) -> str:
    """A line a step, by its number, with how it stands; below it what may be done."""
    notes = [
        _("One step a line, in their order: write lines anew, move them, take them out, put new ones in."),
        _("[x] is done, [!] failed, [>] begun, [ ] waits. What ended stays, and stays where it is."),
    ]
    lines = [f"{step.number}. [{SIGNS[step.status]}] {_line(step)}" for step in view.steps]
    return "\n".join([*lines, "", *(f"{_NOTE} {note}" for note in notes), ""])


def plan_in(text: str, view: TaskView) -> list[WantedStep]:
    """The steps that a text wants. A line without a number that says what a step says is that step. Raises InvalidInput
    for a sign that means nothing."""
    wanted = [_wanted(line, view.steps) for line in for_terminal(text).splitlines() if _says_something(line)]
    named = {each.number for each in wanted}
    left = [step for step in view.steps if step.number not in named]
    return [each if each.number is not None else _found(each, left) for each in wanted]


def _found(each: WantedStep, left: list[Step]) -> WantedStep:
    """The step that a line means which has no number: the first of those left that says the same, which it takes."""
    step = next((step for step in left if _line(step) == each.description), None)
    if step is None:
        return each
    left.remove(step)
    return WantedStep(step.description, step.number, None if each.status is step.status else each.status)


def _says_something(line: str) -> bool:
    return bool(line.strip()) and not line.lstrip().startswith(_NOTE)


def _wanted(line: str, steps: Sequence[Step]) -> WantedStep:
    found = _LINE.fullmatch(line.strip())
    if found is None:
        return WantedStep(" ".join(line.split()))
    number, sign, rest = found.groups()
    status = _status_of(sign, line)
    said = " ".join(rest.split())
    if number is None:
        return WantedStep(said, status=status)
    step = next((step for step in steps if step.number == int(number)), None)
    if step is None:
        return WantedStep(said, int(number), status)
    description = step.description if said == _line(step) else said
    return WantedStep(description, step.number, None if status is step.status else status)


def _status_of(sign: str, line: str) -> StepStatus:
    for status, known in SIGNS.items():
        if (sign.lower() or " ") == known:
            return status
    raise InvalidInput(
        template="no step stands like this: {line}",
        hint="[x] is done, [!] failed, [>] begun, [ ] waits",
        line=" ".join(line.split())[:80],
    )


def _line(step: Step) -> str:
    return " ".join(for_terminal(step.description).split())
