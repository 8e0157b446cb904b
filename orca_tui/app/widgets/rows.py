"""Texts cut, filled up and set beside each other for lines of a known width. Pure."""

from __future__ import annotations

from msgspec import Struct
from rich.cells import cell_len, set_cell_size
from rich.style import Style
from textual.content import Content

from orca_tui.marks import Marks
from orca_tui.text_rules import for_terminal


class RowStyles(Struct, frozen=True):
    """The few colours of a list."""

    text: Style
    muted: Style
    accent: Style
    good: Style
    warning: Style


def fitted(text: str, width: int, marks: Marks) -> str:
    """The text on one line in exactly so many cells."""
    line = " ".join(for_terminal(text).split())
    if width <= 0:
        return ""
    if cell_len(line) <= width:
        return line + " " * (width - cell_len(line))
    room = width - cell_len(marks.ellipsis)
    return set_cell_size(line, max(0, room)).rstrip() + marks.ellipsis + _pad(line, room)


def _pad(line: str, room: int) -> str:
    return " " * (room - cell_len(set_cell_size(line, max(0, room)).rstrip()))


def wrapped(text: str, cells: int) -> list[str]:
    """A sentence on lines of so many cells."""
    return [line.plain.rstrip() for line in Content(text).wrap(max(1, cells))]


def padded(text: str, cells: int) -> str:
    """The text with blanks up to so many cells, one at least."""
    return text + " " * max(1, cells - cell_len(text))


def beside(head: str, tail: str, width: int | None, marks: Marks) -> str:
    """A text and what stands at its right; where the width is known the text makes room."""
    if width is None:
        return f"{head}  {tail}".rstrip()
    if not tail:
        return fitted(head, width, marks).rstrip()
    return f"{fitted(head, width - cell_len(tail) - 2, marks)}  {tail}"


def cut(text: str, cells: int) -> str:
    """The text on one line, its end left out where there is no room for it."""
    line = for_terminal(text).replace("\n", " ")
    return line if cell_len(line) <= cells else set_cell_size(line, max(0, cells - 1)).rstrip() + "…"
