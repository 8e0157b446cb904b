"""Text of users, models and files on its way to the screen: data everywhere, never markup, never a control byte."""

from __future__ import annotations

from collections.abc import Sequence

from rich.segment import Segment
from textual.color import Color
from textual.content import Content
from textual.filter import LineFilter

from orca_tui.text_rules import for_terminal

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
