"""Patterns by which the words that a person types narrow a list."""

from __future__ import annotations

MAX_WORDS = 8


def patterns_of(text: str) -> list[str]:
    """A LIKE pattern a word."""
    return [_pattern(word) for word in text.casefold().split()[:MAX_WORDS]]


def _pattern(word: str) -> str:
    """A LIKE pattern of the word's characters in order; those of a short word, and Chinese ones, must be adjacent."""
    literal = [f"!{character}" if character in "%_!" else character for character in word]
    return "%" + ("%" if word.isascii() and len(word) > 2 else "").join(literal) + "%"
