"""How a memory looks in a line: mark, number, text, weight, bar, status. Pure."""

from __future__ import annotations

from gettext import gettext as _

from rich.segment import Segment

from orca_core.model.views import MemoryView
from orca_tui.app.records.row import bar, bar_width, record_row
from orca_tui.app.widgets.rows import RowStyles, fitted
from orca_tui.language import counted
from orca_tui.marks import Marks
from orca_tui.words.memory_words import status_word, weight_figure


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
    word = status_word(status) if width >= 58 else ""
    tail = f" {change or f'{weight_figure(memory.weight):>4}'}"
    tail += f" {bar(view.fullness, cells, marks)}" if (cells := bar_width(width)) else ""
    tail += f" {fitted(word, 9, marks)}" if word else ""
    return record_row(
        memory,
        status,
        str(memory.id),
        memory.content,
        tail,
        width,
        marks,
        styles,
        is_marked=is_marked,
        is_changed=bool(change),
    )


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
