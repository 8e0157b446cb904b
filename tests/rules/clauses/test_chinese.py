"""A table of Chinese clauses, written as people type, and how each is to be read."""

from __future__ import annotations

from pathlib import Path

from rules.clauses.readings import misread, rows

TABLE = Path(__file__).parent / "chinese.txt"
LEAST_CLAUSES = 200
LEAST_SHARE = 0.95


def test_the_chinese_table_is_wide() -> None:
    assert sum(len(row.expected) for row in rows(TABLE)) >= LEAST_CLAUSES


def test_chinese_clauses_are_read_as_they_are_meant() -> None:
    every = list(rows(TABLE))
    missed = [each for row in every for each in misread(row)]
    count = sum(len(row.expected) for row in every)
    assert len(missed) <= (1 - LEAST_SHARE) * count, "\n".join(missed)
