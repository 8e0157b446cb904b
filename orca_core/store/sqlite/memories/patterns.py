"""Patterns by which the words that a person types narrow a list."""

from __future__ import annotations

from orca_core.rules.text.literal_search import Pieces, wanted_pieces


def patterns_of(text: str) -> list[str]:
    """A LIKE pattern a word."""
    return [_pattern(pieces) for pieces in wanted_pieces(text)]


def _pattern(pieces: Pieces) -> str:
    return "%" + "%".join(map(_literal, pieces)) + "%"


def _literal(piece: str) -> str:
    return "".join(f"!{character}" if character in "%_!" else character for character in piece)
