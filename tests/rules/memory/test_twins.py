"""Memories that say just the same, and which of them stays."""

from __future__ import annotations

import pytest
from fakes.memories import memory
from hypothesis import given
from hypothesis import strategies as st

from orca_core.model.memories import ConfirmedBy, Memory, MemoryType, State
from orca_core.rules.memory.duplicates import twins


def said(*contents: str, **changes: object) -> list[Memory]:
    return [memory(id=number, content=text, **changes) for number, text in enumerate(contents, start=1)]


def found(memories: list[Memory]) -> list[tuple[int, tuple[int, ...]]]:
    return [(each.kept.id, tuple(other.id for other in each.others)) for each in twins(memories)]


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("User uses neovim", "user uses  NeoVim."),
        ("用户用 neovim", "用户用neovim。"),
        ("ＡＢＣ 服务", "abc服务"),
        ("User uses vim", "User uses vim\u200b"),
    ],
)
def test_the_same_letters_say_the_same(one: str, other: str) -> None:
    assert found(said(one, other)) == [(1, (2,))]


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("User writes C", "User writes C++"),
        ("User writes C#", "User writes C"),
        ("It is -5 degrees", "It is 5 degrees"),
        ("User uses vim", "User uses neovim"),
        ("User likes tea", "User likes tea?"),
    ],
)
def test_a_sign_makes_another_thing_of_it(one: str, other: str) -> None:
    assert found(said(one, other)) == []


def test_two_types_or_what_does_not_live_are_left() -> None:
    first, second = said("User likes tea", "user likes tea")
    typed = memory(id=2, content="user likes tea", type=MemoryType.PREFERENCE)
    waiting = memory(id=2, content="user likes tea", state=State.CANDIDATE)

    assert found([first, second]) == [(1, (2,))]
    assert found([first, typed]) == found([first, waiting]) == []


def test_what_is_pinned_stays_and_two_pinned_ones_are_for_a_person() -> None:
    plain, pinned, too = (
        memory(id=1, content="tea", weight=4.0),
        memory(id=2, content="Tea", pinned=True),
        memory(id=3, content="TEA", pinned=True),
    )

    assert found([plain, pinned]) == [(2, (1,))]
    assert found([pinned, too]) == []
    assert found([plain, pinned, too]) == [(2, (1,))]


def test_a_persons_word_stays_then_the_weight_then_the_age() -> None:
    typed = memory(id=1, content="tea", weight=4.0, confirmed_by=ConfirmedBy.TYPED)
    by_hand = memory(id=2, content="Tea", confirmed_by=ConfirmedBy.HAND)

    assert found([typed, by_hand]) == [(2, (1,))]
    assert found(said("tea", "Tea")) == [(1, (2,))]
    assert found([memory(id=1, content="tea"), memory(id=2, content="Tea", weight=2.0)]) == [(2, (1,))]


@given(st.lists(st.tuples(st.sampled_from(["tea", "Tea", "tea.", "coffee"]), st.booleans(), st.floats(0, 10))))
def test_nothing_is_both_kept_and_put_aside_and_nothing_pinned_goes(drawn: list[tuple[str, bool, float]]) -> None:
    memories = [
        memory(id=number, content=text, pinned=pinned, weight=weight)
        for number, (text, pinned, weight) in enumerate(drawn)
    ]
    groups = twins(memories)
    kept = [each.kept.id for each in groups]
    others = [other for each in groups for other in each.others]

    assert not set(kept) & {each.id for each in others}
    assert not any(each.pinned for each in others)
    assert len(kept) == len(set(kept))
