"""Tables of clauses: a text, and how each of its clauses is to be read. "text => reading / reading"."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from msgspec import Struct

from orca_core.rules.clauses.clause import Clause, Frame, Mood
from orca_core.rules.clauses.reading import read_clauses


class Row(Struct, frozen=True):
    text: str
    expected: tuple[str, ...]


def rows(table: Path) -> Iterator[Row]:
    for line in table.read_text("utf-8").splitlines():
        if line and not line.startswith("#"):
            text, _, expected = line.partition(" => ")
            yield Row(text, tuple(each.strip() for each in expected.split(" / ")))


def told(clause: Clause) -> str:
    """What the reader makes of a clause, where it differs from a plain statement of the user's. In a frame nothing else
    counts, and of what is ordered, asked or supposed not of whom or when."""
    if clause.frame not in (Frame.NONE, Frame.REPORTED, Frame.POSSIBLE):
        return clause.frame.value
    if clause.mood in (Mood.ORDERED, Mood.ASKED, Mood.SUPPOSED):
        return clause.mood.value
    marks = [clause.subject.value, clause.time.value, clause.mood.value, clause.frame.value]
    usual = ["user", "now", "stated", "none"]
    return " ".join(mark for mark, normal in zip(marks, usual, strict=True) if mark != normal) or "plain"


def misread(row: Row) -> list[str]:
    """Each clause that is read otherwise, in words."""
    read = [told(each) for each in read_clauses(row.text)]
    if len(read) != len(row.expected):
        return [f"{row.text}: {' / '.join(read)}, not {' / '.join(row.expected)}"] * len(row.expected)
    pairs = zip(read, row.expected, strict=True)
    return [f"{row.text}: {given}, not {meant}" for given, meant in pairs if given != meant]
