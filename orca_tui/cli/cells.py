"""How much room a text takes on a terminal."""

from __future__ import annotations

import unicodedata


def width_of(text: str) -> int:
    """In cells: a Chinese character takes two, an accent none."""
    return len(text) if text.isascii() else sum(_cells(character) for character in text)


def _cells(character: str) -> int:
    if unicodedata.combining(character) or character in "\u200d\ufe0f":
        return 0
    return 2 if unicodedata.east_asian_width(character) in "WF" else 1
