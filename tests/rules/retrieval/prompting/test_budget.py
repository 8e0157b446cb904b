"""What memory may cost, and who gives way."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from orca_core.model.recall import Item, ScoreParts
from orca_core.model.records import memory_ref
from orca_core.rules.retrieval.prompt_assembly import budget_tokens, fill
from orca_core.settings import InjectSettings


def item(ref: str, size: int, reason: str = "recall") -> Item:
    return Item(ref=memory_ref(int(ref)), content="x" * size, parts=ScoreParts(), reason=reason)


def cost(items: Sequence[Item]) -> int:
    return 10 + sum(len(each.content) for each in items)


@pytest.mark.parametrize(
    ("prompt_tokens", "ratio", "floor", "budget"),
    [
        (0, 0.15, 400, 400),
        (100, 0.15, 400, 400),
        (2266, 0.15, 400, 400),
        (4000, 0.15, 400, 705),
        (20_000, 0.15, 400, 3529),
        (20_000, 0.0, 400, 400),
        (20_000, 0.0, 0, 0),
        (1000, 0.5, 0, 1000),
        (1000, 1.0, 0, 1_000_000_000),
        (0, 0.5, 0, 0),
        (1, 0.15, 0, 0),
        (7, 0.15, 0, 1),
        (100, 0.15, 0, 17),
        (850, 0.15, 0, 150),
        (2267, 0.15, 400, 400),
        (2272, 0.15, 400, 400),
        (2273, 0.15, 400, 401),
        (8000, 0.15, 400, 1411),
        (64_000, 0.15, 400, 11_294),
        (64_000, 0.15, 20_000, 20_000),
        (900, 0.10, 0, 100),
        (900, 0.10, 100, 100),
        (900, 0.10, 101, 101),
        (3000, 0.25, 400, 1000),
        (1200, 0.25, 400, 400),
        (1203, 0.25, 400, 401),
        (10**9, 0.9, 0, 1_000_000_000),
        (5, 0.9, 0, 45),
        (400, 0.5, 400, 400),
        (401, 0.5, 400, 401),
        (400, 0.0, 400, 400),
    ],
)
def test_budget_is_a_share_of_the_whole_prompt_or_the_floor(
    prompt_tokens: int, ratio: float, floor: int, budget: int
) -> None:
    assert budget_tokens(prompt_tokens, InjectSettings(budget_ratio=ratio, budget_floor=floor)) == budget


@given(st.integers(3000, 10**6), st.floats(0.01, 0.6))
def test_a_full_budget_is_its_share_of_the_prompt_with_it(prompt_tokens: int, ratio: float) -> None:
    budget = budget_tokens(prompt_tokens, InjectSettings(budget_ratio=ratio, budget_floor=0))

    assert budget / (budget + prompt_tokens) <= ratio + 1e-9


def test_items_are_taken_in_their_order_until_full() -> None:
    filled = fill([item("1", 30), item("2", 30), item("3", 30)], budget=75, cost_of_block=cost)

    assert [each.ref.id for each in filled.kept] == [1, 2]
    assert [each.ref.id for each in filled.over_budget] == [3]


def test_a_small_item_may_still_fit_behind_one_that_did_not() -> None:
    filled = fill([item("1", 30), item("2", 500), item("3", 30)], budget=75, cost_of_block=cost)

    assert [each.ref.id for each in filled.kept] == [1, 3]


@pytest.mark.parametrize(
    ("reasons", "kept"),
    [
        # five of thirty fit in all, two of them in a half
        ("pinned pinned pinned pinned pinned pinned", [0, 1, 2, 3, 4]),
        ("pinned pinned pinned pinned pinned technical", [0, 1, 2, 3, 5]),
        ("pinned pinned pinned pinned near technical recall", [0, 1, 4, 5, 6]),
        ("pinned pinned pinned technical short_term short_term short_term", [0, 1, 3, 4, 5]),
        # no half is kept free for what is not there because it is near
        ("pinned pinned pinned pinned pinned standing", [0, 1, 2, 3, 4]),
        ("pinned pinned pinned pinned pinned perhaps visible", [0, 1, 2, 3, 4]),
    ],
)
def test_pinned_ones_take_half_while_something_relevant_waits(reasons: str, kept: list[int]) -> None:
    items = [item(str(number), 30, reason) for number, reason in enumerate(reasons.split())]

    assert [each.ref.id for each in fill(items, budget=160, cost_of_block=cost).kept] == kept


REASONS = st.sampled_from(["pinned", "technical", "standing", "visible"])


@given(st.lists(st.tuples(st.integers(0, 60), REASONS), max_size=12), st.integers(0, 200))
def test_the_budget_is_never_exceeded_and_nothing_gets_lost(sizes: list[tuple[int, str]], budget: int) -> None:
    items = [item(str(index), size, reason) for index, (size, reason) in enumerate(sizes)]

    filled = fill(items, budget, cost)

    assert not filled.kept or cost(filled.kept) <= budget
    assert sorted(filled.kept + filled.over_budget, key=lambda each: each.ref.id) == items
