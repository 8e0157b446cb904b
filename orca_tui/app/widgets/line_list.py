"""A list of any length, drawn line by line: a row that is not seen costs nothing. And an app whose lists act on a key
before the next one is handed on."""

from __future__ import annotations

from typing import ClassVar, TypeVar

from rich.segment import Segment
from rich.style import Style
from textual import events
from textual.app import App
from textual.geometry import Region, Size
from textual.scroll_view import ScrollView
from textual.strip import Strip

from orca_tui.app.widgets.text import RowStyles, wrapped


class LineList(ScrollView, can_focus=True):
    """Rows by number, a cursor, and nothing that knows what they are about."""

    COMPONENT_CLASSES: ClassVar[set[str]] = {
        "line-list--text",
        "line-list--muted",
        "line-list--accent",
        "line-list--good",
        "line-list--warning",
        "line-list--cursor",
    }

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self.cursor = 0
        self._count = 0
        self._bars_drawn_for: tuple[Size, int] | None = None
        self._styles_found: dict[str, Style] = {}

    @property
    def count(self) -> int:
        return self._count

    def set_count(self, count: int) -> None:
        """So many rows there are now; the cursor stays within them."""
        self._count = count
        self.virtual_size = Size(self.size.width, max(1, count))
        self.cursor = max(0, min(self.cursor, count - 1))
        self.refresh()

    def row(self, number: int, width: int) -> list[Segment]:
        """Draw a row; subclasses override it."""
        return [Segment(f" {number}".ljust(width))]

    def empty_row(self) -> str:
        """The text in place of rows where there are none; subclasses override it."""
        return ""

    def moved(self, before: int) -> None:
        """Called when the cursor has moved; subclasses may extend it."""
        self.show_cursor(before)

    def chosen(self) -> None:
        """Called for enter, or a click on the row under the cursor; subclasses override it."""

    def show_cursor(self, *rows: int) -> None:
        """Put the row of the cursor on the screen, and draw it and these rows anew."""
        width = self.size.width
        self.refresh(*(Region(0, row - self.scroll_offset.y, width, 1) for row in (*rows, self.cursor)))
        self.scroll_to_region(Region(0, self.cursor, 1, 1), animate=False, immediate=True)

    def move_to(self, number: int) -> None:
        """Put the cursor on a row, and the row on the screen."""
        before = self.cursor
        self.cursor = max(0, min(number, self._count - 1))
        if before != self.cursor:
            self.moved(before)
        else:
            self.show_cursor()

    def render_line(self, y: int) -> Strip:
        number = y + self.scroll_offset.y
        width = self.scrollable_content_region.width  # without the scroll bar, where there is one
        if self._count == 0:
            lines = wrapped(self.empty_row(), width - 2)
            text = lines[y] if y < len(lines) else ""
            return Strip([Segment(f" {text}", self._style("muted"))]).adjust_cell_length(width, self.rich_style)
        if number >= self._count:
            return Strip.blank(width, self.rich_style)
        segments = self.row(number, width)
        if number == self.cursor and self.has_focus:
            cursor = self._style("cursor")
            segments = [Segment(text, (style or Style()) + cursor) for text, style, _ in segments]
        return Strip(segments).adjust_cell_length(width, self.rich_style)

    @property
    def styles_of_rows(self) -> RowStyles:
        return RowStyles(*(self._style(name) for name in ("text", "muted", "accent", "good", "warning")))

    def notify_style_update(self) -> None:
        """Another theme, or another focus: the styles are looked up anew."""
        super().notify_style_update()
        self._styles_found.clear()

    def _style(self, name: str) -> Style:
        """Looking a style up costs more than drawing a row with it."""
        if name not in self._styles_found:
            self._styles_found[name] = self.get_component_rich_style(f"line-list--{name}")
        return self._styles_found[name]

    def action_cursor(self, step: int) -> None:
        self.move_to(self.cursor + step)

    def action_page(self, step: int) -> None:
        self.move_to(self.cursor + step * max(1, self.size.height - 1))

    def action_edge(self, side: int) -> None:
        self.move_to(0 if side < 0 else self._count - 1)

    def _size_updated(self, size: Size, virtual_size: Size, container_size: Size, layout: bool = True) -> bool:
        """Textual draws the scroll bars of such a list anew with every layout of the screen: with every word that
        streams. They only change with the list."""
        if (size, self._count) == self._bars_drawn_for:
            return False
        self._bars_drawn_for = (size, self._count)
        return super()._size_updated(size, virtual_size, container_size, layout)

    def on_resize(self, _event: events.Resize) -> None:
        self.virtual_size = Size(self.size.width, max(1, self._count))

    def on_focus(self) -> None:
        self.refresh()

    def on_blur(self) -> None:
        self.refresh()

    def on_click(self, event: events.Click) -> None:
        number = event.y + self.scroll_offset.y
        if number >= self._count:
            return
        if number == self.cursor:
            self.chosen()
        else:
            self.move_to(number)


T = TypeVar("T")


class KeysInOrder(App[T]):
    """Textual hands a key to what has the focus and acts on it when it has come back from there. What is typed at once
    would all go to a list, though its first key may lead into a field."""

    async def on_event(self, event: events.Event) -> None:
        if isinstance(event, events.Key) and not event.is_forwarded and isinstance(self.focused, LineList):
            for has_priority in (True, False):
                if await self._check_bindings(event.key, has_priority):
                    return
        await super().on_event(event)
