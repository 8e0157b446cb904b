"""How words that a person types narrow a list: each must stand in a text, if need be with letters between its own."""

from __future__ import annotations

from collections.abc import Sequence

MAX_WORDS = 8

Pieces = tuple[str, ...]
"""What of a word must stand in a text, in this order."""


def wanted_pieces(typed: str) -> list[Pieces]:
    """Word by word; a short word, and one that is not plain ASCII, is one piece, of others each character is."""
    return [
        tuple(word) if word.isascii() and len(word) > 2 else (word,) for word in typed.casefold().split()[:MAX_WORDS]
    ]


def holds(folded: str, wanted: Sequence[Pieces]) -> bool:
    """Whether a text, which is casefolded, holds every word."""
    return all(_holds_in_order(folded, pieces) for pieces in wanted)


def _holds_in_order(folded: str, pieces: Pieces) -> bool:
    at = 0
    for piece in pieces:
        at = folded.find(piece, at)
        if at < 0:
            return False
        at += len(piece)
    return True
