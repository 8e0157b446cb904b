"""Text of users, models and files on its way to the screen: data everywhere, never markup, never a control byte; cut
and filled up for lines of a known width. And the widgets that hold it."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from msgspec import Struct
from rich.cells import cell_len, set_cell_size
from rich.segment import Segment
from rich.style import Style
from textual.color import Color
from textual.content import Content
from textual.filter import LineFilter
from textual.geometry import Size
from textual.visual import VisualType
from textual.widget import Widget
from textual.widgets import Static

from orca_core.rules.text.cleaning import for_terminal
from orca_tui.marks import Marks

MAX_DRAWN_CHARS = 100_000
"""Longer texts are cut: a terminal library needs seconds for a megabyte. Chosen by hand."""


def literal(text: str, style: str = "") -> Content:
    """The text, literally, as far as it is drawn."""
    shown = drawn(text)
    return Content.styled(shown, style) if style else Content(shown)


def drawn(text: str, more: str = "… +{count:,}") -> str:
    """The text without what a terminal may not get, cut where it is too long to draw."""
    if len(text) <= MAX_DRAWN_CHARS:
        return for_terminal(text)
    return for_terminal(text[:MAX_DRAWN_CHARS]) + "\n" + more.format(count=len(text) - MAX_DRAWN_CHARS)


class TerminalFilter(LineFilter):
    """The last gate before the terminal: whatever a widget was given, no control, bidi or tag character passes."""

    def apply(self, segments: list[Segment], background: Color) -> list[Segment]:  # noqa: ARG002  # Textual gives it
        """The same segments with only what a terminal may draw."""
        return [_cleaned(segment) for segment in segments]


def _cleaned(segment: Segment) -> Segment:
    text, style, control = segment
    if control or (text.isascii() and text.isprintable()):
        return segment
    cleaned = for_terminal(text).replace("\n", " ").replace("\t", " ")
    return segment if cleaned == text else Segment(cleaned, style, control)


def joined(parts: Sequence[Content], separator: str) -> Content:
    """The parts one behind the other, with something between them."""
    return Content(separator).join(parts)


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


class LaidOutOnce(Widget):
    """A widget whose size is told to it by a layout that has counted it in already. Textual lays the whole screen out a
    second time where a widget comes to hold more, for the sake of bars that scroll; what appears or leaves of those
    asks for a layout by itself. As the last base it leaves the styles to the others."""

    def _size_updated(self, size: Size, virtual_size: Size, container_size: Size, layout: bool = True) -> bool:  # noqa: ARG002  # Textual's
        return super()._size_updated(size, virtual_size, container_size, layout=False)


class Growing(Static, LaidOutOnce):
    """A text as wide as its place. A layout walks over every widget of the screen; a word that stands in a line that is
    there already needs none."""

    def update(self, content: VisualType = "", *, layout: bool = True) -> None:
        super().update(content, layout=False)
        if layout and self.is_mounted and not self._fits():  # what is mounted is laid out in any case
            self.refresh(layout=True)

    def _fits(self) -> bool:
        """Whether what it says now takes exactly the lines that it was given."""
        given = self.content_size
        return bool(given) and self.visual.get_height(self.styles, given.width) == given.height  # type: ignore[arg-type]  # as Textual calls it


class SteadyText(Static):
    """Saying something else lays nothing out anew; saying the same draws nothing. Whatever is drawn behind a key is a
    frame more, and Textual lets up to two of its periods pass before that."""

    def __init__(self, content: Content = Content(""), *, id: str | None = None, classes: str | None = None) -> None:  # noqa: B008  # immutable
        super().__init__(content, id=id, classes=classes)
        self._said = content

    def say(self, content: Content) -> None:
        """Have this stand here."""
        if not content.is_same(self._said):
            self._said = content
            self.update(content, layout=False)


class Field(Struct, frozen=True):
    """A field of a form: `name` is how it comes back; of several lines where it is an area."""

    name: str
    label: str
    text: str
    is_area: bool = False


class MoreToRead(Struct, frozen=True):
    """What a text leads on to, by a key."""

    key: str
    words: str
    open: Callable[[], None]


def lines_of(text: str) -> list[str]:
    """What stands on the lines of an area, without those that are empty."""
    return [line.strip() for line in text.splitlines() if line.strip()]


def tags_of(text: str) -> list[str]:
    """Tags as they are written in a field."""
    return [tag.strip() for tag in text.replace("，", ",").split(",") if tag.strip()]
