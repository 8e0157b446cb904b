"""What happened to memories, newest first: each line can be undone; runs can be opened and tried again."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from gettext import gettext as _

from msgspec import Struct
from rich.segment import Segment

from orca_core.model.learning import Run, RunState
from orca_core.model.operations import Actor, Change, Operation
from orca_core.model.records import Ref
from orca_tui.app.keymap import Key, bindings
from orca_tui.app.memory.messages import ActivityAction
from orca_tui.app.widgets.line_list import LineList
from orca_tui.app.widgets.rows import fitted
from orca_tui.language import N_
from orca_tui.marks import Marks
from orca_tui.times import clock_time
from orca_tui.words.history_words import operation_text, quiet_words, when
from orca_tui.words.learning_words import run_words

ACTIVITY = (
    Key("activity.down", "j,down", "cursor(1)", N_("down")),
    Key("activity.up", "k,up", "cursor(-1)", N_("up")),
    Key("activity.open", "enter", "act('open')", N_("detail"), is_shown=True),
    Key("activity.undo", "u", "act('undo')", N_("undo"), is_shown=True),
    Key("activity.redo", "U", "act('redo')", N_("redo")),
    Key("activity.all", "a", "act('all')", N_("all runs")),
    Key("activity.retry", "r", "act('retry')", N_("retry now"), is_shown=True),
)


class ActivityLine(Struct, frozen=True):
    """One thing that happened. `is_machine` where no hand did it; `is_fold` where it stands for the runs that found
    nothing."""

    at: datetime
    text: str
    operation: int | None = None
    run: int | None = None
    is_machine: bool = True
    is_bad: bool = False
    is_fold: bool = False


class ActivityList(LineList):
    """Lines of what happened."""

    BINDINGS = bindings(ACTIVITY)

    def __init__(self, marks: Marks) -> None:
        super().__init__(id="activity-list")
        self._marks = marks
        self._lines: list[ActivityLine] = []

    def show(self, lines: Sequence[ActivityLine]) -> None:
        self._lines = list(lines)
        self.set_count(len(self._lines))

    def row(self, number: int, width: int) -> list[Segment]:
        line = self._lines[number]
        styles = self.styles_of_rows
        time = f" {clock_time(line.at)}  "
        style = styles.warning if line.is_bad else styles.text if line.is_machine and not line.is_fold else styles.muted
        return [Segment(time, styles.muted), Segment(fitted(line.text, width - len(time), self._marks), style)]

    def empty_row(self) -> str:
        return _("Every change that a machine makes will leave a line here.")

    def chosen(self) -> None:
        self.action_act("open")

    def action_act(self, action: str) -> None:
        line = self._lines[self.cursor] if self._lines else None
        if action in ("redo", "all") or (line is not None and line.is_fold and action == "open"):
            self.post_message(ActivityAction("redo" if action == "redo" else "all", None, None))
        elif line is not None:
            self.post_message(ActivityAction(action, line.operation, line.run, line.text))


def activity_lines(
    operations: Sequence[tuple[Operation, Sequence[Change]]],
    runs: Sequence[Run],
    passing: Sequence[ActivityLine],
    marks: Marks,
    contents: Mapping[Ref, str],
    *,
    quiet: Sequence[Run] = (),
) -> list[ActivityLine]:
    """Operations, runs and what is `passing` in one list, newest first; a run stands for its own operation. `contents`
    are those of the memories that merges left; one line stands for the `quiet` runs."""
    own = {run.operation for run in runs if run.operation is not None}
    lines = [
        ActivityLine(
            operation.header.at,
            operation_text(operation, changes, marks, contents),
            operation=operation.id,
            is_machine=operation.header.actor is not Actor.USER,
        )
        for operation, changes in operations
        if operation.id not in own
    ]
    folded = {run.id for run in quiet}
    lines += [
        ActivityLine(
            when(run),
            run_words(run, marks),
            operation=run.operation,
            run=run.id,
            is_bad=run.state in (RunState.FAILED, RunState.UNREADABLE),
        )
        for run in runs
        if run.id not in folded
    ]
    if quiet:
        lines.append(ActivityLine(when(quiet[0]), quiet_words(len(quiet)), is_fold=True))
    return sorted([*lines, *passing], key=lambda line: line.at, reverse=True)
