"""A hostile message takes no more steps for a character than any other: counted in searches, not in time."""

from __future__ import annotations

import sys
from types import FrameType

import pytest

from orca_core.rules.clauses import reading, wording
from orca_core.rules.clauses.clause import Clause
from orca_core.rules.clauses.reading import MAX_CHARS, MAX_DENIALS, read_clauses

SEARCHES = {"search", "match", "fullmatch", "finditer", "findall", "sub"}
HOSTILE = [
    ",",
    "a,",
    "我，",
    "if ",
    "如果",
    "我在杭州做设计",
    "不",
    "not ",
    "don't a ",
    '"a ',
    "'a ",
    "? a",
    "say: a, ",
]
CHARACTERS = 2_000
TIMES = 4


def searches(text: str) -> tuple[int, tuple[Clause, ...]]:
    """How many searches the reading takes with nothing remembered, and what is read."""
    for cached in (reading.read_clauses, wording.prepared):
        cached.cache_clear()
    count = 0

    def see(_frame: FrameType, event: str, called: object) -> None:
        nonlocal count
        count += event == "c_call" and getattr(called, "__name__", "") in SEARCHES

    before = sys.getprofile()
    sys.setprofile(see)
    try:
        clauses = read_clauses(text)
    finally:
        sys.setprofile(before)
    return count, clauses


@pytest.mark.parametrize("part", HOSTILE)
def test_searches_grow_no_faster_than_a_hostile_message(part: str) -> None:
    read_clauses(part)
    message = part * (CHARACTERS // len(part))
    few, many = searches(message)[0], searches(message * TIMES)[0]
    assert many <= TIMES * few + few // 10 + TIMES


@pytest.mark.parametrize("part", ["不", "not ", "吃不", "don't a "])
def test_what_denials_keep_is_bounded(part: str) -> None:
    clauses = read_clauses((part * MAX_CHARS)[:MAX_CHARS])
    assert all(clause.negated and len(clause.denied) <= MAX_DENIALS for clause in clauses)
