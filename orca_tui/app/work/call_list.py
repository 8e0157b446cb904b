"""The steps of a task, and below each the calls of tools that it made, as a list."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from gettext import gettext as _

from msgspec import Struct
from rich.cells import cell_len
from rich.segment import Segment

from orca_core.model.tasks import Step
from orca_core.model.tools import StepCall
from orca_tui.app.keymap import Key, bindings
from orca_tui.app.widgets.line_list import LineList
from orca_tui.app.widgets.rows import fitted
from orca_tui.language import N_
from orca_tui.marks import Marks
from orca_tui.text_rules import one_line
from orca_tui.words.task_words import seconds_words, step_mark
from orca_tui.words.tool_words import went_words

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
