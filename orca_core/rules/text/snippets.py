"""The piece of a message that shows what was looked for."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from orca_core.model.sessions import Snippet
from orca_core.rules.text.cleaning import ELLIPSIS, for_terminal, is_inside_character
from orca_core.rules.text.sought import Sought

SNIPPET_CHARS = 100
"""Chosen by hand."""
LEAD_CHARS = 24
"""So much of what stands before the first mark is shown. Chosen by hand."""
LONGEST_CHARACTER = 40
"""Of how many code points something may be that people see as one character. Chosen by hand."""
MOST_CLEANED = 400_000
"""So much of a message is looked through for a snippet. Chosen by hand."""

Mark = tuple[int, int]


def snippet_of(text: str, sought: Sought, width_chars: int = SNIPPET_CHARS) -> Snippet:
    """The place where most of the terms stand together, with the marks; nothing is cut inside a character."""
    line = " ".join(for_terminal(text[:MOST_CLEANED]).split())
    found = sought.marks(line)
    begin = _begin(found, width_chars - LEAD_CHARS)
    start = _outside(line, max(0, min(begin - LEAD_CHARS, len(line) - width_chars)), -1)
    end = _outside(line, min(len(line), start + width_chars), -1)
    if end <= start:
        end = min(len(line), start + width_chars)
    before, behind = (ELLIPSIS if start > 0 else ""), (ELLIPSIS if end < len(line) else "")
    shown = sorted((first, _outside(line, last, 1)) for marks in found for first, last in marks)
    kept = _joined((max(first, start), min(last, end)) for first, last in shown if first < end and last > start)
    moved = len(before) - start
    return Snippet(before + line[start:end] + behind, tuple((first + moved, last + moved) for first, last in kept))


def _begin(found: Sequence[Sequence[Mark]], room: int) -> int:
    """The mark from which on most terms stand within the room; the first of such."""
    starts = sorted(first for marks in found for first, _last in marks)

    def held(start: int) -> int:
        return sum(any(start <= first and last <= start + room for first, last in marks) for marks in found)

    return max(starts, key=lambda start: (held(start), -start), default=0)


def _outside(line: str, place: int, step: int) -> int:
    """The next place that splits nothing that people see as one character; a longer one is split all the same."""
    for at in range(place, place + step * LONGEST_CHARACTER, step):
        if not is_inside_character(line, at):
            return at
    return place


def _joined(marks: Iterator[Mark]) -> list[Mark]:
    """Marks that touch or lie in each other, as one."""
    joined: list[Mark] = []
    for first, last in marks:
        if joined and first <= joined[-1][1]:
            joined[-1] = (joined[-1][0], max(joined[-1][1], last))
        else:
            joined.append((first, last))
    return joined
