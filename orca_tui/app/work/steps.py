"""The steps of a task as a checklist, and with the calls of tools that they made."""

from __future__ import annotations

from collections.abc import Callable, Sequence, Set
from dataclasses import dataclass
from gettext import gettext as _

from msgspec import Struct
from rich.cells import cell_len
from rich.segment import Segment
from textual.message import Message

from orca_core.model.tasks import Step, StepStatus, TaskView
from orca_core.model.tools import StepCall
from orca_core.rules.text.cleaning import one_line
from orca_tui.app.keymap import Key, bindings
from orca_tui.app.widgets.line_list import LineList
from orca_tui.app.widgets.text import fitted
from orca_tui.language import N_
from orca_tui.marks import Marks
from orca_tui.words.task_words import seconds_words, step_mark
from orca_tui.words.tool_words import went_words


@dataclass
class OtherTab(Message):
    """The list beside is wanted: the next one, or with -1 the one before."""

    step: int


@dataclass
class StepAction(Message):
    """Something is to be done to a step of the current task, or to the task."""

    action: str
    step: Step | None


STEPS = (
    Key("steps.down", "j,down", "cursor(1)", N_("down")),
    Key("steps.up", "k,up", "cursor(-1)", N_("up")),
    Key("steps.turn", "space,enter", "act('turn')", N_("begin / complete"), is_shown=True),
    Key("steps.fail", "x", "act('fail')", N_("step failed"), is_shown=True),
    Key("steps.add", "a", "act('add')", N_("add a step"), is_shown=True),
    Key("steps.edit", "e", "act('edit')", N_("edit the step"), is_shown=True),
    Key("steps.end", "d", "act('end')", N_("end the task"), is_shown=True),
    Key("steps.new", "n", "act('new')", N_("new task")),
    Key("steps.undo", "u", "act('undo')", N_("undo"), is_shown=True),
    Key("steps.redo", "U", "act('redo')", N_("redo")),
    Key("steps.plan", "E", "act('plan')", N_("all steps in $EDITOR"), is_shown=True),
    Key("steps.star", "s", "act('star')", N_("star its call"), is_shown=True),
    Key("steps.open", "o", "act('open')", N_("the task's calls"), is_shown=True),
)
OF_A_STEP = frozenset({"turn", "fail", "edit", "star"})
"""Actions that need a step."""


class StepList(LineList):
    """A line a step; what is to be done is told with `StepAction`."""

    BINDINGS = bindings(STEPS)

    def __init__(self, marks: Marks) -> None:
        super().__init__(id="step-list")
        self._marks = marks
        self._steps: tuple[Step, ...] = ()
        self._starred: Set[int] = frozenset()

    @property
    def current(self) -> Step | None:
        return self._steps[self.cursor] if self._steps else None

    def show(self, task: TaskView, starred: Set[int] = frozenset()) -> None:
        """The steps as they are now, those `starred` whose calls have a star: the cursor stays on its line, and follows
        a step that came."""
        grew = 0 < len(self._steps) < len(task.steps)
        self._steps, self._starred = task.steps, starred
        self.set_count(len(self._steps))
        if grew:
            self.move_to(self.count - 1)

    def stand_at(self, number: int | None) -> None:
        """Put the cursor on the step that the task stands at."""
        here = next((at for at, step in enumerate(self._steps) if step.number == number), 0)
        self.move_to(here)

    def row(self, number: int, width: int) -> list[Segment]:
        step, styles = self._steps[number], self.styles_of_rows
        head = f" {step_mark(step, self._marks)} "
        star = self._marks.pinned if step.number in self._starred else ""
        aside = "  ".join(part for part in (star, step.tool, seconds_words(step)) if part)
        tail = f"  {fitted(aside, min(cell_len(aside), width // 3), self._marks)} " if aside else " "
        room = width - cell_len(head) - cell_len(tail)
        is_over = step.status in (StepStatus.COMPLETED, StepStatus.FAILED)
        mark_style = {
            StepStatus.COMPLETED: styles.good,
            StepStatus.FAILED: styles.warning,
            StepStatus.IN_PROGRESS: styles.accent,
        }.get(step.status, styles.muted)
        return [
            Segment(head, mark_style),
            Segment(fitted(step.description, room, self._marks), styles.muted if is_over else styles.text),
            Segment(tail, styles.muted),
        ]

    def empty_row(self) -> str:
        return _("No steps yet: a adds one, or /step TEXT.")

    def chosen(self) -> None:
        self.action_act("turn")

    def action_act(self, action: str) -> None:
        """Tell what is to be done; what needs a step says nothing where there is none."""
        step = self.current
        if action not in OF_A_STEP:
            self.post_message(StepAction(action, None))
        elif step is not None:
            self.post_message(StepAction(action, step))


CALLS = (
    Key("task.down", "j,down", "cursor(1)", N_("down")),
    Key("task.up", "k,up", "cursor(-1)", N_("up")),
    Key("task.page_down", "pagedown", "page(1)", N_("page down")),
    Key("task.page_up", "pageup", "page(-1)", N_("page up")),
    Key("task.star", "s", "act('star')", N_("star the call"), is_shown=True),
    Key("task.open", "enter", "act('open')", N_("the whole call"), is_shown=True),
)
SHOWN_CHARS = 200


class CallLine(Struct, frozen=True):
    """A step, or one of the calls that it made."""

    step: Step
    made: StepCall | None = None


class CallList(LineList):
    """A line a step and a line a call; what is to be done with a call is told to `act`."""

    BINDINGS = bindings(CALLS)

    def __init__(self, marks: Marks, act: Callable[[str, CallLine], None]) -> None:
        super().__init__(id="call-list")
        self._marks = marks
        self._act = act
        self._lines: tuple[CallLine, ...] = ()

    def show(self, steps: Sequence[Step], calls: Sequence[StepCall]) -> None:
        """The cursor stays on its line; at first it stands on the latest call."""
        is_new = not self._lines
        self._lines = tuple(
            line
            for step in steps
            for line in (CallLine(step), *(CallLine(step, each) for each in calls if each.step == step.number))
        )
        self.set_count(len(self._lines))
        if is_new and calls:
            latest = max(each.call.id for each in calls)
            self.move_to(next(at for at, line in enumerate(self._lines) if line.made and line.made.call.id == latest))

    def row(self, number: int, width: int) -> list[Segment]:
        line, styles = self._lines[number], self.styles_of_rows
        if line.made is None:
            step = line.step
            head, took = f" {step_mark(step, self._marks)} ", seconds_words(step)
            tail = f"  {took} " if took else " "
            room = width - cell_len(head) - cell_len(tail)
            words = fitted(f"{step.number}  {step.description}", room, self._marks)
            return [Segment(head, styles.muted), Segment(words, styles.text), Segment(tail, styles.muted)]
        call = line.made.call
        star = self._marks.pinned if line.made.is_collected else " " * cell_len(self._marks.pinned)
        said = f" {self._marks.arrow} ".join(
            each for each in (one_line(call.input, SHOWN_CHARS), one_line(call.output, SHOWN_CHARS)) if each
        )
        head = f"     {star} {call.tool}  "
        went = f"{went_words(call)}  "
        return [
            Segment(fitted(head, min(cell_len(head), width), self._marks), styles.accent),
            Segment(went, styles.good if call.success else styles.warning),
            Segment(fitted(said, width - cell_len(head) - cell_len(went), self._marks), styles.muted),
        ]

    def empty_row(self) -> str:
        return _("No steps yet: a adds one, or /step TEXT.")

    def chosen(self) -> None:
        self.action_act("open")

    def action_act(self, action: str) -> None:
        if self._lines:
            self._act(action, self._lines[self.cursor])
