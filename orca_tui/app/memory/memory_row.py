"""How a memory looks in a line: mark, number, text, weight, bar, status. Pure."""

from __future__ import annotations

from gettext import gettext as _

from rich.cells import cell_len
from rich.segment import Segment

from orca_core.domain.memories import Memory, Status
from orca_core.domain.views import MemoryView
from orca_tui.app.widgets.rows import RowStyles, fitted
from orca_tui.language import counted
from orca_tui.marks import Marks
from orca_tui.words.memories import status_word, weight_figure


def mark_of(memory: Memory, status: Status, marks: Marks) -> str:
    """One sign for what a memory is."""
    if memory.pinned:
        return marks.pinned
    return {
        Status.CORE: marks.core,
        Status.ACTIVE: marks.active,
        Status.ARCHIVED: marks.archived,
        Status.CANDIDATE: marks.candidate,
        Status.REJECTED: marks.rejected,
    }[status]


def bar(fullness: float, width: int, marks: Marks) -> str:
    """How full a weight is, as a bar of so many cells."""
    full, half, empty = marks.bar
    halves = round(fullness * width * 2)
    drawn = full * (halves // 2) + (half if halves % 2 else "")
    return drawn + empty * (width - len(drawn))


def memory_row(
    view: MemoryView,
    width: int,
    marks: Marks,
    styles: RowStyles,
    *,
    is_marked: bool = False,
    change: str = "",
) -> list[Segment]:
    """A memory in a line of so many cells. `change` stands for the weight until the next turn ends."""
    memory, status = view.memory, view.status
    bar_width = 10 if width >= 58 else 5 if width >= 36 else 0
    word = status_word(status) if width >= 58 else ""
    figure = change or f"{weight_figure(memory.weight):>4}"
    tail = f" {figure}"
    tail += f" {bar(view.fullness, bar_width, marks)}" if bar_width else ""
    tail += f" {fitted(word, 9, marks)}" if word else ""
    head = f"{marks.marked if is_marked else ' '}{mark_of(memory, status, marks)} {memory.id:>4} "
    room = width - cell_len(head) - cell_len(tail)
    grey = status in (Status.ARCHIVED, Status.REJECTED)
    mark_style = styles.accent if memory.pinned or status is Status.CORE else styles.muted
    return [
        Segment(head, mark_style),
        Segment(fitted(memory.content, room, marks), styles.muted if grey else styles.text),
        Segment(tail, styles.warning if change else styles.muted),
    ]


def empty_text(is_filtered: bool, to_review: int) -> str:
    """What an empty list says."""
    if is_filtered:
        return _("nothing matches")
    if to_review:
        return counted(
            "Nothing remembered yet, but {count} waits for you: f5",
            "Nothing remembered yet, but {count} wait for you: f5",
            to_review,
        )
    return _("Nothing remembered yet. Facts come after 5 rounds, or press n.")
