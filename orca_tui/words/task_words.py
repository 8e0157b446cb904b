"""Tasks and their steps in words, and a plan as a text that a person edits. Pure."""

from __future__ import annotations

import re
from collections.abc import Sequence
from gettext import gettext as _

from orca_core.model.episodes import EPISODES, Episode
from orca_core.model.errors import InvalidInput
from orca_core.model.record_types import plain_ref
from orca_core.model.tasks import TASKS, Outcome, Step, StepStatus, TaskStatus, TaskView, Trigger, WantedStep
from orca_core.rules.text.cleaning import for_terminal
from orca_core.serialize.values import timestamp_json
from orca_tui.language import N_, counted, listed
from orca_tui.marks import Marks

TASK_WORDS = {
    TaskStatus.IN_PROGRESS: N_("in progress"),
    TaskStatus.COMPLETED: N_("completed"),
    TaskStatus.FAILED: N_("failed"),
    TaskStatus.DROPPED: N_("dropped"),
}
STEP_WORDS = {
    StepStatus.PENDING: N_("pending"),
    StepStatus.IN_PROGRESS: N_("in progress"),
    StepStatus.COMPLETED: N_("completed"),
    StepStatus.FAILED: N_("failed"),
    StepStatus.REMOVED: N_("removed"),
}
OUTCOME_WORDS = {
    Outcome.SUCCESS: N_("success"),
    Outcome.PARTIAL: N_("partial success"),
    Outcome.FAILED: N_("failed"),
    Outcome.UNKNOWN: N_("outcome unknown"),
}
TRIGGER_WORDS = {
    Trigger.USER_REQUEST: N_("asked for"),
    Trigger.ALERT: N_("alert"),
    Trigger.SCHEDULED: N_("scheduled"),
}
_SETS_APART = ",:，：.。"
_STEM = 4
"""So many letters tell the outcomes apart."""
KINDS_OF_THINGS = (N_("task"), N_("step"))
"""What errors name."""


def standing_words(view: TaskView) -> str:
    """How it stands, and how it ended where it did."""
    task = view.task
    said = [_(OUTCOME_WORDS[task.outcome]) if task.outcome else _(TASK_WORDS[task.status])]
    if view.is_idle:
        said.append(_("untouched for two weeks"))
    return listed(said)


def progress_words(view: TaskView) -> str:
    """How many of its steps are done."""
    done = sum(step.status in (StepStatus.COMPLETED, StepStatus.FAILED) for step in view.steps)
    return f"{done}/{len(view.steps)}" if view.steps else ""


def step_mark(step: Step, marks: Marks) -> str:
    """The sign of a checklist."""
    return {
        StepStatus.COMPLETED: marks.marked,
        StepStatus.FAILED: marks.rejected,
        StepStatus.IN_PROGRESS: marks.cursor,
    }.get(step.status, marks.dot)


def seconds_words(step: Step) -> str:
    """How long it took, where its beginning and its end are known."""
    if step.started_at is None or step.completed_at is None:
        return ""
    seconds = max(0, round((step.completed_at - step.started_at).total_seconds()))
    if seconds < 60:
        return _("{count} s").format(count=seconds)
    hours, minutes = divmod(seconds // 60, 60)
    return f"{hours}:{minutes:02}:{seconds % 60:02}" if hours else f"{minutes}:{seconds % 60:02}"


def step_line(step: Step, marks: Marks) -> str:
    """A step as an entry of a checklist."""
    aside = [each for each in (step.tool, seconds_words(step)) if each]
    return f"{step_mark(step, marks)} {step.number}  {step.description}" + (f"  ({listed(aside)})" if aside else "")


def task_line(view: TaskView) -> str:
    """A task as what was done to it names it."""
    return f"{plain_ref(TASKS.ref(view.task))}  {view.task.request}"


def episode_note(episode: Episode) -> str:
    """What became of an ended task."""
    return _("it became episode {id}").format(id=plain_ref(EPISODES.ref(episode)))


def idle_note(count: int) -> str:
    """The offer to end what nobody touched for long."""
    return counted(
        "{count} task was touched by nobody for two weeks: orca task done or orca task drop ends it",
        "{count} tasks were touched by nobody for two weeks: orca task done or orca task drop ends them",
        count,
    )


def task_text(view: TaskView, marks: Marks) -> str:
    """All of one task."""
    task = view.task
    fields = [
        (_("status"), standing_words(view)),
        (_("outcome"), task.outcome_summary),
        (_("target"), task.target),
        (_("summary"), task.summary),
        (_("began by"), _(TRIGGER_WORDS[task.trigger])),
        (_("tags"), listed(task.tags)),
        (_("session"), task.session_id),
        (_("started"), timestamp_json(task.started_at)),
        (_("last touched"), timestamp_json(task.updated_at)),
        (_("ended"), timestamp_json(task.ended_at)),
        *((name, str(value)) for name, value in task.context.items()),
    ]
    steps = [f"    {step_line(step, marks)}" for step in view.steps]
    return "\n".join([task_line(view), *(f"    {name}: {value}" for name, value in fields if value), *steps])


def task_ending(text: str) -> tuple[str, str]:
    """How a task ended, and the words about it: `failed the disk was full`, `fail: the disk was full`. What names no
    outcome is a success. A word of a sentence ("part of it") is an outcome only where it is one in full."""
    word, _blank, rest = text.strip().partition(" ")
    begun = word.rstrip(_SETS_APART).casefold()
    stands_alone = begun != word.casefold() or not rest
    for outcome, words in OUTCOME_WORDS.items():
        for name in (outcome.value, _(words)):
            if begun == name or ((stands_alone or not begun.isascii()) and _is_short_for(begun, name)):
                return outcome.value, rest.strip()
    return Outcome.SUCCESS.value, text.strip()


def _is_short_for(word: str, name: str) -> bool:
    """`fail`, `failure`, `partly`, 失败."""
    if not word.isascii():
        return len(word) > 1 and name.startswith(word)
    return len(word) >= _STEM and word[:_STEM] == name[:_STEM]


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
