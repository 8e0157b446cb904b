"""In which order what was found is looked at."""

from __future__ import annotations

from collections.abc import Collection
from datetime import timedelta

import pytest
from fakes.memories import AT, memory
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from orca_core.model.memories import MemoryType
from orca_core.model.recall import ScoreParts
from orca_core.rules.retrieval.evidence import Evidence
from orca_core.rules.retrieval.ranking import Found, best_first, newer_first, spread


def found(memory_id: int, content: str, score: float, *, day: int = 0, kind: MemoryType = MemoryType.FACT) -> Found:
    at = AT + timedelta(days=day)
    evidence = Evidence(mass=10 * score)
    return Found(memory(id=memory_id, content=content, created_at=at, type=kind), ScoreParts(text=score), evidence)


PAIRS = {(2, 1)}
"""The newer, and the older."""


def order(*given: Found, entering: Collection[int] | None = None, slots: int = 9) -> list[int]:
    enter = {each.memory.id for each in given} if entering is None else entering
    return [each.memory.id for each in newer_first(best_first(given), enter, PAIRS, slots)]


LYON = found(1, "The user lives in Lyon.", 0.8, day=0)
GHENT = found(2, "The user lives in Ghent.", 0.3, day=90)
BETWEEN = found(3, "The user's bicycle has a belt drive.", 0.5, day=30)


def test_the_newer_of_two_values_changes_places_with_the_older_and_nothing_else_moves() -> None:
    [first, *others] = newer_first([LYON, BETWEEN, GHENT], {1, 2, 3}, PAIRS, 3)

    assert first == GHENT  # with what speaks for it, and nothing of the other's
    assert others == [BETWEEN, LYON]


def test_what_did_not_enter_by_itself_takes_no_place() -> None:
    assert order(LYON, GHENT, BETWEEN, entering={1, 3}) == [1, 3, 2]


def test_what_is_no_open_pair_stays_where_it_is() -> None:
    newer = found(7, "The user lives in Ghent.", 0.3, day=90)

    assert order(LYON, newer) == [1, 7]


def test_a_pin_stands_against_what_is_newer() -> None:
    pinned = replace(LYON, memory=replace(LYON.memory, pinned=True))

    assert order(pinned, GHENT) == [1, 2]


@pytest.mark.parametrize(("slots", "first"), [(0, [1, 3, 2]), (1, [1, 3, 2]), (2, [1, 3, 2]), (3, [2, 3, 1])])
def test_a_newer_one_without_a_slot_takes_none_from_the_older(slots: int, first: list[int]) -> None:
    assert order(LYON, BETWEEN, GHENT, slots=slots) == first


def test_of_three_values_the_newest_is_first() -> None:
    values = [
        found(number, f"The user lives in {city}.", 0.9 - number / 10, day=number)
        for number, city in enumerate(("Lyon", "Ghent", "Turin"), start=1)
    ]

    pairs = {(2, 1), (3, 1), (3, 2)}
    ordered = newer_first(best_first(values), {1, 2, 3}, pairs, 9)
    assert [each.memory.id for each in ordered] == [3, 2, 1]


def test_a_spread_brings_something_else_before_a_twin() -> None:
    near = [
        found(1, "我们的图纸放在共享盘", 0.9),
        found(2, "我们的图纸放在共享盘上", 0.85),
        found(3, "事务所一共九个人", 0.5),
    ]

    assert [each.memory.id for each in spread(near, 2)] == [1, 3, 2]


def test_of_equal_ones_a_spread_brings_the_newest_first() -> None:
    near = [found(1, "cellar", 0.5, day=1), found(2, "attic", 0.5, day=3), found(3, "balcony", 0.5, day=2)]

    assert [each.memory.id for each in spread(best_first(near), 2)] == [2, 3, 1]


CONTENTS = st.sampled_from(
    ["用户住在里昂", "用户住在根特", "The user lives in Lyon", "The user lives in Ghent", "她练大提琴", ""]
)
FOUND = st.lists(st.tuples(CONTENTS, st.floats(0, 1), st.integers(0, 30)), max_size=16)


LISTED = st.sets(st.tuples(st.integers(0, 15), st.integers(0, 15)), max_size=12)


@given(FOUND, LISTED, st.integers(0, 8))
def test_nothing_is_lost_and_nothing_comes_twice(
    rows: list[tuple[str, float, int]], pairs: set[tuple[int, int]], count: int
) -> None:
    given_ones = [found(number, content, score, day=day) for number, (content, score, day) in enumerate(rows)]

    enter = {each.memory.id for each in given_ones}
    by_age = newer_first(best_first(given_ones), enter, pairs, count)
    for ordered in (by_age, spread(best_first(given_ones), count)):
        assert sorted(each.memory.id for each in ordered) == list(range(len(rows)))
