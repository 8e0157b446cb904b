"""How a record of any kind looks in a line: mark, name, text, and at its right the figures of its kind. Pure."""

from __future__ import annotations

from rich.cells import cell_len
from rich.segment import Segment

from orca_core.model.memories import Status
from orca_tui.app.records.kind import Kept
from orca_tui.app.widgets.rows import RowStyles, fitted
from orca_tui.marks import Marks


def mark_of(record: Kept, status: Status, marks: Marks) -> str:
    """One sign for what a record is."""
    if record.pinned:
        return marks.pinned
    return {
        Status.CORE: marks.core,
        Status.ACTIVE: marks.active,
        Status.ARCHIVED: marks.archived,
        Status.CANDIDATE: marks.candidate,
        Status.REJECTED: marks.rejected,
    }[status]


def bar(fullness: float, width: int, marks: Marks) -> str:
    """How full something is, as a bar of so many cells."""
    full, half, empty = marks.bar
    halves = round(fullness * width * 2)
    drawn = full * (halves // 2) + (half if halves % 2 else "")
    return drawn + empty * (width - len(drawn))


def bar_width(width: int) -> int:
    """So many cells of a row belong to its bar."""
    return 10 if width >= 58 else 5 if width >= 36 else 0


def record_row(
    record: Kept,
    status: Status,
    name: str,
    text: str,
    tail: str,
    width: int,
    marks: Marks,
    styles: RowStyles,
    *,
    is_marked: bool,
    is_changed: bool,
) -> list[Segment]:
    """A record in a line of so many cells; what it says makes room for its `tail`."""
    head = f"{marks.marked if is_marked else ' '}{mark_of(record, status, marks)} {name:>4} "
    room = width - cell_len(head) - cell_len(tail)
    grey = status in (Status.ARCHIVED, Status.REJECTED)
    mark_style = styles.accent if record.pinned or status is Status.CORE else styles.muted
    return [
        Segment(head, mark_style),
        Segment(fitted(text, room, marks), styles.muted if grey else styles.text),
        Segment(tail, styles.warning if is_changed else styles.muted),
    ]
