"""What a reranker's order changes, and what it leaves."""

from __future__ import annotations

from fakes.memories import memory
from hypothesis import given
from hypothesis import strategies as st

from orca_core.model.recall import ScoreParts
from orca_core.rules.retrieval import ranking
from orca_core.rules.retrieval.ranking import Found, candidates, reordered


def found(count: int) -> list[Found]:
    return [Found(memory(id=number + 1), ScoreParts(text=1.0 - number / 100)) for number in range(count)]


def ids(memories: list[Found]) -> list[int]:
    return [each.memory.id for each in memories]


@given(st.integers(0, 12), st.lists(st.integers(-3, 15)))
def test_everything_is_kept_once_with_its_score(count: int, ranks: list[int]) -> None:
    before = {each.memory.id: each.parts for each in found(count)}
    after = reordered(found(count), ranks)

    assert sorted(ids(after)) == sorted(before)
    assert {each.memory.id: each.parts for each in after} == before


@given(st.integers(0, 12), st.lists(st.integers(-3, 15)))
def test_what_was_ranked_comes_first_and_the_rest_keeps_its_order(count: int, ranks: list[int]) -> None:
    after = reordered(found(count), ranks)
    ranked = [at + 1 for at in dict.fromkeys(ranks) if 0 <= at < count]

    assert ids(after)[: len(ranked)] == ranked
    assert ids(after)[len(ranked) :] == sorted(set(range(1, count + 1)) - set(ranked))
    assert [each.place for each in after] == [*range(len(ranked)), *[None] * (count - len(ranked))]


def test_three_are_looked_at_for_each_that_is_wanted() -> None:
    assert ids([*candidates(found(12), 2)]) == [1, 2, 3, 4, 5, 6]


def test_the_order_of_a_reranker_holds_in_what_follows() -> None:
    said = ["keeps bees", "speaks Dutch", "likes tea", "plays chess"]
    memories = [Found(memory(id=at, content=text), ScoreParts(text=0.9 - at / 10)) for at, text in enumerate(said)]
    after = reordered(memories, [3, 1])

    assert ids(ranking.best_first(after[::-1])) == [3, 1, 0, 2]
    assert ids(ranking.spread(ranking.best_first(after), 4)) == [3, 1, 0, 2]
