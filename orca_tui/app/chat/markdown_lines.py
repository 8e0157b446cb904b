"""Markdown as lines of a width: the one way in which answers are drawn, while they stream and however old they are.

A text that grows is laid out block by block: what stands before the block at its end stays as it is."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from typing import TYPE_CHECKING

from msgspec import Struct
from rich.cells import split_graphemes
from textual.content import Content

from orca_core.rules.text.cleaning import for_terminal
from orca_tui.app.widgets.text import drawn
from orca_tui.marks import Marks

if TYPE_CHECKING:
    from markdown_it import MarkdownIt
    from markdown_it.tree import SyntaxTreeNode

CODE = "$text-accent"
MUTED = "$foreground-muted"
HEADINGS = ("bold $text-primary", "bold $text-primary", "bold")
"""Styles of the headings of the first, the second and all further levels."""
NARROWEST_COLUMN = 8
"""Columns of a table are not made narrower than so many cells. Chosen by hand."""
COLUMN_GAP = "  "
LONGEST_RULE = 48
TAB = " " * 4
DEEPEST = 100
"""Lists and quotes within each other beyond so many are not read. Chosen by hand."""
TASK = re.compile(r"\[([ xX])\] ")
NO_BREAK_BEFORE = frozenset("，。、；：！？）》」』】〉〕”’…—％,.;:!?)]}>%")
NO_BREAK_BEHIND = frozenset("（《「『【〈〔“‘([{<")


class Line(Struct, frozen=True):
    """A line as it is drawn. Copied, `joint` stands between it and the next, and the first `indent` characters are left
    out. One that `is_wide` may take more cells than there are; `fill` is the style of the rest of the line."""

    content: Content
    joint: str = "\n"
    indent: int = 0
    is_wide: bool = False
    fill: str = ""


class MarkdownLines:
    """A Markdown text that may grow, and its lines at the width at which they were asked for."""

    def __init__(self, source: str, marks: Marks) -> None:
        self._layout = _Layout(marks)
        self._width = -1
        self.become(source)

    @property
    def tail_chars(self) -> int:
        """How much of the text is laid out anew when it grows."""
        return len(self._source) - self._tail_at

    def become(self, source: str) -> None:
        """Hold another text, or the same read as a whole: links that are explained at its end are known now."""
        self._source = drawn(source)
        self._begin_again()

    def _begin_again(self) -> None:
        self._tail_at = 0
        self._settled: list[Line] = []
        self._settled_kind = ""
        self._lines: list[Line] | None = None

    def append(self, piece: str) -> None:
        """Let the text grow."""
        self._source += drawn(piece)
        self._lines = None

    def lines(self, width: int) -> list[Line]:
        """All lines at a width in cells."""
        if width != self._width:
            self._width = width
            self._begin_again()
        if self._lines is None:
            try:
                end = self._end(max(1, width))
                self._lines = [*self._settled, *end]
            except RecursionError:  # hundreds of signs within each other: it is drawn as it is written
                self._begin_again()
                self._lines = _paragraph(Content(self._source.replace("\t", TAB)), max(1, width))
        return self._lines

    def _end(self, width: int) -> list[Line]:
        """Lay out what follows what is settled, and settle all but its last block. A block that begins in a line that
        is not complete may still turn out to go on with the one before it."""
        tail = self._source[self._tail_at :]
        nodes = _parsed(tail)
        starts = [node.map[0] if node.map else 0 for node in nodes]
        complete = tail.count("\n")
        keep = len(nodes) - 1
        if keep > 0 and starts[keep] >= complete:
            keep -= 1
        lines: list[Line] = []
        kind = self._settled_kind
        for at, node in enumerate(nodes):
            if at == keep and at > 0:
                self._settle(lines, kind, _offset_of_line(tail, starts[at]))
                lines = []
            lines += [*_gap(kind, node.type), *self._layout.block(node, width)]
            kind = node.type
        return lines

    def _settle(self, lines: Sequence[Line], kind: str, chars: int) -> None:
        self._settled += lines
        self._settled_kind = kind
        self._tail_at += chars


def code_blocks(source: str) -> list[str]:
    """The bodies of the blocks of code, in their order."""
    return [token.content.rstrip("\n") for token in _parser().parse(source) if token.type in ("fence", "code_block")]


def load_parsers() -> None:
    """Import what reads Markdown and colours code, so that the first answer does not wait for it."""
    _parser()
    import textual.highlight  # noqa: F401  # to have it loaded


def wrap(text: Content, width: int) -> list[tuple[Content, str]]:
    """A paragraph in lines of so many cells, each with what stood between it and the next: a blank, or nothing."""
    plain = text.plain
    parts: list[tuple[Content, str]] = []
    start = 0
    for end in _breaks(plain, width):
        parts.append((text[start:end].rstrip(), " " if plain[start:end].endswith(" ") else ""))
        start = end
    parts.append((text[start:], "\n"))
    return parts


def _breaks(text: str, width: int) -> Iterator[int]:
    """Where lines of so many cells end: behind a blank, beside a wide character where no punctuation forbids it, and in
    the middle of a word where it is longer than a line."""
    begun, cells, possible, cells_behind = 0, 0, 0, 0
    before, size_before = "", 0
    for at, character, size in _characters(text):
        if before and _may_break(before, size_before, character, size):
            possible, cells_behind = at, 0
        while cells + size > width and character != " " and at > begun:
            begun, cells = (possible, cells_behind) if possible > begun else (at, 0)
            yield begun
        cells, cells_behind = cells + size, cells_behind + size
        before, size_before = character, size


def _characters(text: str) -> Iterator[tuple[int, str, int]]:
    """Where each character as a reader sees it begins, with its first code point and the cells that it takes."""
    if text.isascii():
        return ((at, character, 1) for at, character in enumerate(text))
    return ((start, text[start], size) for start, _end, size in split_graphemes(text)[0])


def _may_break(before: str, size_before: int, behind: str, size: int) -> bool:
    if before == " " or behind == " ":
        return before == " " != behind
    return 2 in (size_before, size) and behind not in NO_BREAK_BEFORE and before not in NO_BREAK_BEHIND


@cache
def _parser() -> MarkdownIt:
    from markdown_it import MarkdownIt

    return MarkdownIt("commonmark", {"maxNesting": DEEPEST}).enable(["table", "strikethrough"])


def _parsed(source: str) -> list[SyntaxTreeNode]:
    from markdown_it.tree import SyntaxTreeNode

    return SyntaxTreeNode(_parser().parse(source)).children


def _offset_of_line(text: str, number: int) -> int:
    """The index of the first character of a line."""
    at = 0
    for _ in range(number):
        at = text.index("\n", at) + 1
    return at


def _gap(before: str, behind: str) -> list[Line]:
    """A blank line between two blocks; what follows a heading belongs to it."""
    return [Line(Content())] if before and not (before == "heading" and behind != "heading") else []


class _Layout:
    """Lays out blocks with one set of signs; `depth` counts the lists around a block."""

    def __init__(self, marks: Marks) -> None:
        self._marks = marks

    def block(self, node: SyntaxTreeNode, width: int, depth: int = 0) -> list[Line]:
        """The lines of a block at a width."""
        match node.type:
            case "paragraph":
                return _paragraph(_inline(node), width)
            case "heading":
                level = min(int(node.tag[1:]), len(HEADINGS))
                return _paragraph(_inline(node).stylize_before(HEADINGS[level - 1]), width)
            case "bullet_list" | "ordered_list":
                return self._list(node, width, depth)
            case "blockquote":
                prefix = f"{self._marks.quote} "
                return _prefixed(self._blocks(node.children, width - len(prefix), depth), prefix, prefix, MUTED)
            case "fence" | "code_block":
                return _code(node.content, node.info.split(maxsplit=1)[0] if node.info.strip() else "")
            case "table":
                return self._table(node, width)
            case "hr":
                return [Line(Content.styled(self._marks.rule * min(width, LONGEST_RULE), MUTED))]
        return _paragraph(Content(node.content.rstrip("\n").replace("\t", TAB)), width)

    def _blocks(self, nodes: Iterable[SyntaxTreeNode], width: int, depth: int, *, is_tight: bool = False) -> list[Line]:
        lines: list[Line] = []
        kind = ""
        for node in nodes:
            lines += [] if is_tight else _gap(kind, node.type)
            lines += self.block(node, max(1, width), depth)
            kind = node.type
        return lines

    def _list(self, node: SyntaxTreeNode, width: int, depth: int) -> list[Line]:
        """A list, its lines behind their bullets, boxes or numbers."""
        items = node.children
        is_tight = all(child.hidden for item in items for child in item.children if child.type == "paragraph")
        if node.type == "ordered_list":
            signs = [f"{number}." for number, _item in enumerate(items, start=int(node.attrs.get("start", 1)))]
        else:
            bullet = self._marks.bullets[min(depth, len(self._marks.bullets) - 1)]
            signs = [self._box(item) or bullet for item in items]
        room = max(map(len, signs))
        lines: list[Line] = []
        for at, (item, sign) in enumerate(zip(items, signs, strict=True)):
            if at and not is_tight:
                lines.append(Line(Content()))
            body = self._blocks(item.children, width - room - 1, depth + 1, is_tight=is_tight)
            lines += _prefixed(body or [Line(Content())], f"{sign:>{room}} ", " " * (room + 1))
        return lines

    def _box(self, item: SyntaxTreeNode) -> str:
        """The box of a task, taken out of its text; empty where the line of a list is none."""
        texts = [text for text in item.walk() if text.type == "text"][:1]
        found = TASK.match(texts[0].content) if texts else None
        if found is None or item.children[0].type != "paragraph":
            return ""
        assert texts[0].token is not None
        texts[0].token.content = texts[0].content[found.end() :]
        return self._marks.boxes[found[1] != " "]

    def _table(self, node: SyntaxTreeNode, width: int) -> list[Line]:
        """A table: its head, a rule, its rows; wider cells take several lines as long as the columns stay readable."""
        rows = [row.children for part in node.children for row in part.children]
        cells = [[_inline(cell) for cell in row] for row in rows]
        is_right = ["right" in str(cell.attrs.get("style", "")) for cell in rows[0]]
        natural = [max(cell.cell_length for cell in column) for column in zip(*cells, strict=True)]
        widths = _columns(natural, width - len(COLUMN_GAP) * (len(natural) - 1))
        rule = COLUMN_GAP.join(self._marks.rule * column for column in widths)
        head = _row([cell.stylize_before("bold") for cell in cells[0]], widths, is_right)
        body = [line for row in cells[1:] for line in _row(row, widths, is_right)]
        return [*head, Line(Content.styled(rule, MUTED), is_wide=True), *body]


def _paragraph(text: Content, width: int) -> list[Line]:
    lines = text.split("\n", allow_blank=True)
    return [Line(part, joint) for line in lines for part, joint in wrap(line, width)]


def _prefixed(lines: Sequence[Line], first: str, rest: str, style: str = "") -> list[Line]:
    """The lines with something before the first, and something before each further one."""
    prefixed = []
    for at, line in enumerate(lines):
        prefix = rest if at else first
        goes_on = at > 0 and lines[at - 1].joint != "\n"
        indent = len(prefix) + line.indent if goes_on else 0
        content = Content.styled(prefix, style) + line.content
        prefixed.append(Line(content, line.joint, indent, line.is_wide, line.fill))
    return prefixed


def _code(code: str, language: str) -> list[Line]:
    """A block of code with the colours of its language."""
    from textual.highlight import highlight

    lines = highlight(code.rstrip("\n").replace("\t", TAB), language=language or "text").split("\n", allow_blank=True)
    return [Line(Content("  ") + line, is_wide=True, fill="on $surface") for line in lines]


def _columns(natural: Sequence[int], room: int) -> list[int]:
    """The widths of columns: their own where there is room, else the widest give way, down to a readable rest."""
    widths = [max(1, cells) for cells in natural]
    while sum(widths) > room:
        widest = max(range(len(widths)), key=lambda at: widths[at])
        if widths[widest] <= NARROWEST_COLUMN:
            break
        widths[widest] -= 1
    return widths


def _row(cells: Sequence[Content], widths: Sequence[int], is_right: Sequence[bool]) -> list[Line]:
    wrapped = [[part for part, _joint in wrap(*each)] for each in zip(cells, widths, strict=True)]
    lines = []
    for at in range(max(map(len, wrapped))):
        parts = [
            _filled(column[at] if at < len(column) else Content(), cells_wide, right)
            for column, cells_wide, right in zip(wrapped, widths, is_right, strict=True)
        ]
        lines.append(Line(Content(COLUMN_GAP).join(parts).rstrip(), is_wide=True))
    return lines


def _filled(text: Content, cells: int, is_right: bool) -> Content:
    missing = max(0, cells - text.cell_length)
    return text.pad_left(missing) if is_right else text.pad_right(missing)


def _inline(node: SyntaxTreeNode) -> Content:
    """The text of a paragraph, a heading or a cell with its styles."""
    children = [inner for child in node.children for inner in child.children]
    return Content.assemble(*_pieces(children, ""))


def _pieces(nodes: Iterable[SyntaxTreeNode], style: str) -> Iterator[tuple[str, str]]:
    for node in nodes:
        match node.type:
            case "softbreak" | "hardbreak":
                yield "\n", style
            case "code_inline":
                yield _in_a_line(node.content), f"{style} {CODE}"
            case "strong":
                yield from _pieces(node.children, f"{style} bold")
            case "em":
                yield from _pieces(node.children, f"{style} italic")
            case "s":
                yield from _pieces(node.children, f"{style} strike")
            case "link" | "image":
                yield from _link(node, style)
            case _:
                yield _in_a_line(node.content), style


def _in_a_line(text: str) -> str:
    """The text without breaks and tabs, and without what a terminal may not get: entities are characters by now."""
    return for_terminal(text).replace("\n", " ").replace("\t", TAB)


def _link(node: SyntaxTreeNode, style: str) -> Iterator[tuple[str, str]]:
    """What a link says and where it leads: it opens nothing, so its address is shown."""
    address = str(node.attrs.get("href") or node.attrs.get("src") or "")
    words = list(_pieces(node.children or (), f"{style} underline"))
    yield from words
    said = "".join(text for text, _style in words)
    if address and address.removeprefix("mailto:") != said:
        yield f" ({address})" if said else address, f"{style} {MUTED}"
