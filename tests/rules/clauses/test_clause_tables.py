"""What people write, clause by clause: a table for each language."""

from __future__ import annotations

from pathlib import Path

import pytest
from rules.clauses.test_reading import told

from orca_core.rules.clauses.clause import Clause, Mood
from orca_core.rules.clauses.reading import read_clauses

LEAST_RIGHT = 0.95
LEAST_ROWS = 200
TABLES = sorted(Path(__file__).parent.glob("clauses.*.txt"))


def rows(table: Path) -> list[tuple[str, str]]:
    """Each text, and what its clauses tell."""
    lines = [line for line in table.read_text(encoding="utf-8").splitlines() if line and not line.startswith("#")]
    return [(text, expected) for text, _, expected in (line.partition(" => ") for line in lines)]


def told_of(clause: Clause) -> str:
    """What a clause tells; of whom is left out where nothing is stated."""
    words = told(clause).split(" ")
    is_stated = clause.mood not in (Mood.ASKED, Mood.ORDERED, Mood.SUPPOSED)
    return " ".join(words if is_stated else words[words[0] == clause.subject.value != "user" :])


@pytest.mark.parametrize("table", TABLES, ids=lambda table: table.stem)
def test_clauses_are_read_as_people_mean_them(table: Path) -> None:
    every = rows(table)
    wrong = [
        f"{text}: {read}"
        for text, expected in every
        if (read := " | ".join(map(told_of, read_clauses(text)))) != expected
    ]
    assert len(every) >= LEAST_ROWS
    assert len(wrong) <= (1 - LEAST_RIGHT) * len(every), "\n".join(wrong)
