"""An answer on the screen, while it comes and ever after: a word draws the lines that it changed, and no more."""

from __future__ import annotations

from rich.segment import Segment
from rich.style import Style as RichStyle
from textual.geometry import Region, Size
from textual.selection import Selection
from textual.strip import Strip
from textual.style import Style

from orca_tui.app.chat.markdown_lines import Line, MarkdownLines
from orca_tui.app.widgets.text import LaidOutOnce
from orca_tui.marks import Marks

WIDE_STEP = 16
"""By so many cells lines that are wider than the answer move at once. Chosen by hand."""
SLOW_CHARS = 3_000
"""A block at the end of so many characters is drawn as often as the screen allows, not with every piece."""
SLOW_S = 0.1


class Answer(LaidOutOnce):
    """A Markdown text that may grow. Wide tables and code are cut with a mark and move with `move_wide`."""

    def __init__(self, source: str, marks: Marks) -> None:
        super().__init__(classes="answer")
        self._text = MarkdownLines(source, marks)
        self._beyond = marks.beyond
        self._drawn: list[Line] = []
        self._moved = 0
        self._waits = False

    def append(self, piece: str) -> None:
        """Draw a piece more at its end."""
        self._text.append(piece)
        if self._text.tail_chars < SLOW_CHARS:
            self._draw()
        elif not self._waits:
            self._waits = True
            self.set_timer(SLOW_S, self._draw)

    def become(self, source: str) -> None:
        """Draw another text, or the same whole."""
        self._text.become(source)
        self._draw()

    def move_wide(self, steps: int) -> bool:
        """Move what is wider than the answer; returns whether anything is."""
        beyond = max((line.content.cell_length for line in self._lines if line.is_wide), default=0) - self.size.width
        if beyond < 0:
            return False
        self._moved = max(0, min(self._moved + steps * WIDE_STEP, beyond + 1))
        self.refresh()
        return True

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:  # noqa: ARG002  # Textual's
        return len(self._text.lines(width))

    def render_line(self, y: int) -> Strip:
        width = self.size.width
        lines = self._lines
        if y >= len(lines):
            return Strip.blank(width, self.rich_style)
        return self._strip(lines[y], y, width)

    def get_selection(self, selection: Selection) -> tuple[str, str] | None:
        """The text as it was written: what was broken for want of room is one line again."""
        parts: list[str] = []
        for y, line in enumerate(self._lines):
            if (span := selection.get_span(y)) is None:
                continue
            start, end = span
            plain = line.content.plain
            parts += [plain[max(start, line.indent) : None if end == -1 else end], line.joint if end == -1 else ""]
        return "".join(parts).removesuffix("\n"), "\n"

    def selection_updated(self, selection: Selection | None) -> None:  # noqa: ARG002  # Textual's
        self.refresh()

    @property
    def _lines(self) -> list[Line]:
        return self._text.lines(self.size.width)

    def _draw(self) -> None:
        """Draw the lines that are not as they were; others come below them by a layout."""
        self._waits = False
        width = self.size.width
        if not width:  # it is not laid out yet
            self.refresh(layout=True)
            return
        before, self._drawn = self._drawn, self._lines
        if len(self._drawn) != self.size.height:
            self.refresh(layout=True)
            return
        first = next((y for y, line in enumerate(self._drawn) if y >= len(before) or line is not before[y]), None)
        if first is not None:
            self.refresh(Region(0, first, width, len(self._drawn) - first))

    def _strip(self, line: Line, y: int, width: int) -> Strip:
        content = line.content
        selection = self.text_selection
        if selection is not None and (span := selection.get_span(y)) is not None:
            style = Style.from_styles(self.screen.get_component_styles("screen--selection"))
            content = content.stylize(style, span[0], None if span[1] == -1 else span[1])
        if line.fill:
            content = content.stylize_before(line.fill)
        base = self.visual_style
        segments, x = [], 0
        for text, style in content.render(base, end="", parse_style=self._get_style):
            segments.append(Segment(text, (base + style).rich_style_with_offset(x, y)))
            x += len(text)
        strip = Strip(segments, content.cell_length)
        rest = (base + self._get_style(line.fill)).rich_style if line.fill else base.rich_style
        if not line.is_wide or strip.cell_length <= width:
            return strip.adjust_cell_length(width, rest)
        return self._window(strip, width, rest)

    def _window(self, strip: Strip, width: int, rest: RichStyle) -> Strip:
        """The part of a wide line that is seen, with a mark where it goes on."""
        first, end = self._moved, self._moved + width
        left, right = self._beyond
        mark = (self.visual_style + self._get_style("$text-accent")).rich_style
        parts = [strip.crop(first, end).adjust_cell_length(width, rest)]
        if end < strip.cell_length:
            parts = [parts[0].crop(0, width - 1), Strip([Segment(right, mark)], 1)]
        if first:
            parts = [Strip([Segment(left, mark)], 1), Strip.join(parts).crop(1, width)]
        return Strip.join(parts)
