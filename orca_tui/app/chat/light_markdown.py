"""Finished answers as one light text: headings, lists, code and emphasis as styles, wrapped by whoever shows it.

A hundred Markdown widgets cost a layout of all their blocks at every key; a text costs next to nothing."""

from __future__ import annotations

import re
from collections.abc import Iterator

from textual.content import Content

from orca_tui.app.widgets.text import drawn

_FENCE = re.compile(r"^ {0,3}(```+|~~~+)")
_HEADING = re.compile(r"^ {0,3}#{1,6}\s+(.*?)\s*#*$")
_BULLET = re.compile(r"^(\s*)[-*+]\s+(.*)$")
_QUOTE = re.compile(r"^ {0,3}>\s?(.*)$")
_INLINE = re.compile(r"`([^`\n]+)`|\*\*([^*\n]+)\*\*|(?<![\w*])\*([^*\s][^*\n]*)\*(?!\w)")
_CODE_STYLE = "$text-accent"


def light_markdown(source: str) -> Content:
    """The text as it is read, with a style where Markdown has one."""
    return Content("\n").join(_lines(drawn(source)))


def code_blocks(source: str) -> list[str]:
    """The bodies of the fenced blocks, in their order."""
    blocks: list[list[str]] = []
    fence = ""
    for line in source.splitlines():
        if fence:
            if line.strip().startswith(fence):
                fence = ""
            else:
                blocks[-1].append(line)
        elif match := _FENCE.match(line):
            fence = match[1]
            blocks.append([])
    return ["\n".join(lines) for lines in blocks]


def _lines(source: str) -> Iterator[Content]:
    fence = ""
    for line in source.splitlines():
        if fence:
            if line.strip().startswith(fence):
                fence = ""
            else:
                yield Content.styled(f"  {line}", _CODE_STYLE)
        elif match := _FENCE.match(line):
            fence = match[1]
        elif match := _HEADING.match(line):
            yield Content.styled(match[1], "bold")
        elif match := _BULLET.match(line):
            yield Content(f"{match[1]}• ") + _inline(match[2])
        elif match := _QUOTE.match(line):
            yield Content.styled(f"▏ {match[1]}", "$foreground-muted")
        else:
            yield _inline(line)


def _inline(line: str) -> Content:
    parts: list[Content] = []
    end = 0
    for match in _INLINE.finditer(line):
        parts.append(Content(line[end : match.start()]))
        if match[1] is not None:
            parts.append(Content.styled(match[1], _CODE_STYLE))
        elif match[2] is not None:
            parts.append(Content.styled(match[2], "bold"))
        else:
            parts.append(Content.styled(match[3], "italic"))
        end = match.end()
    parts.append(Content(line[end:]))
    return Content("").join(parts)
