"""Cuts a text to so many tokens, at the end of a word."""

from __future__ import annotations

from orca_core.rules.text import tokens
from orca_core.rules.text.cleaning import ELLIPSIS, cut


def fitted(text: str, most_tokens: int) -> str:
    """The text where it fits, else its beginning with … behind it; nothing where no word fits. A word that is longer
    than all that there is room for is cut."""
    if tokens.estimate(text) <= most_tokens:
        return text
    low, high = 0, len(text)
    while low < high:
        middle = (low + high + 1) // 2
        if tokens.estimate(text[:middle] + ELLIPSIS) <= most_tokens:
            low = middle
        else:
            high = middle - 1
    beginning = _to_a_word_end(text, len(cut(text, low)))
    return beginning + ELLIPSIS if beginning else ""


def _to_a_word_end(text: str, end: int) -> str:
    """The beginning up to `end`, or to the last end of a word before it."""
    at = end
    while 0 < at < len(text) and _is_in_a_word(text[at - 1], text[at]):
        at -= 1
    return text[: at or end].rstrip(" ,;:，；：、-—")


def _is_in_a_word(before: str, behind: str) -> bool:
    """Whether a word of letters or figures goes on from one character to the next; Chinese has no such words."""
    return before.isascii() and behind.isascii() and not before.isspace() and not behind.isspace()
