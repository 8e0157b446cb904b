"""Cuts a sentence into clauses, each by its place."""

from __future__ import annotations

from collections.abc import Iterator

from orca_core.rules.clauses.wording import each_between, is_all
from orca_core.rules.text.sentences import (
    GAP,
    LONG_QUOTATION_HAN,
    LONG_QUOTATION_WORDS,
    MASK,
    Piece,
    all_masked,
    masked,
    quotations,
    sentences,
)

__all__ = [
    "GAP",
    "LONG_QUOTATION_HAN",
    "LONG_QUOTATION_WORDS",
    "MASK",
    "Piece",
    "all_masked",
    "clauses",
    "masked",
    "quotations",
    "sentences",
]


def clauses(text: str, sentence: Piece) -> Iterator[Piece]:
    """The clauses of a sentence, without the marks around them."""
    start = sentence.start
    for match in each_between("clause_end", text, sentence.start, sentence.end):
        if not match[0].strip() and is_all("half", text[start : match.start()]):
            continue
        if piece := _trimmed(text, start, match.start()):
            yield piece
        start = match.end()
    if piece := _trimmed(text, start, sentence.end):
        yield piece


def _trimmed(text: str, start: int, end: int) -> Piece | None:
    while start < end and not _counts(text[start]):
        start += 1
    while start < end and not _counts(text[end - 1]):
        end -= 1
    return Piece(start, end) if start < end else None


def _counts(character: str) -> bool:
    return character.isalnum() or character in "?？'’+#%$€¥£°*/\\)）]_"
