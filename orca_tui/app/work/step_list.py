"""The steps of the current task as a checklist."""

from __future__ import annotations

from collections.abc import Set
from gettext import gettext as _

from rich.cells import cell_len
from rich.segment import Segment

from orca_core.model.tasks import Step, StepStatus, TaskView
from orca_tui.app.keymap import Key, bindings
from orca_tui.app.widgets.line_list import LineList
from orca_tui.app.widgets.rows import fitted
from orca_tui.app.work.messages import StepAction
from orca_tui.language import N_
from orca_tui.marks import Marks
from orca_tui.words.task_words import seconds_words, step_mark

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
