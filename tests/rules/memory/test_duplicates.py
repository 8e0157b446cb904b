"""Which statements count as the same when one is refused, and which are honest others."""

from __future__ import annotations

import pytest
from fakes.memories import memory

from orca_core.model.memories import ConfirmedBy, Memory
from orca_core.rules.memory.same_statements import find_duplicates, sorted_words, statement_keys

SAME = (
    ("User likes oat milk", "USER LIKES OAT MILK!"),
    ("User likes oat milk", "Ｕｓｅｒ ｌｉｋｅｓ ｏａｔ　ｍｉｌｋ"),
    ("User likes oat milk", "The user likes oat-milk."),
    ("User likes oat milk", "User likes \u201coat\u3164 milk\u201d"),
    ("User likes oat milk", "User li\u034fkes o\u115fat mi\u200blk\u00ad"),
    ("User likes oat milk", "User likes\x00 oat \ufffdmilk"),
    ("User drinks tea in the morning", "In the morning, the user drinks tea"),
    ("User's favourite tea is Sencha", "Sencha is the user's favourite tea"),
    ("The user’s favourite tea is Sencha", "SENCHA is the users favourite tea"),
    ("用戶喜歡喝茶", "用户喜欢喝茶。"),
    ("用户用 nvim 写代码", "用户用Neovim写代码"),
    ("User pays 1,000 a month", "User pays 1000 a month"),
)
OTHER_ORDER = (
    ("Anna manages Ben", "Ben manages Anna"),
    ("User reports to Ben", "Ben reports to the user"),
    ("User moved from Rome to Oslo", "User moved from Oslo to Rome"),
    ("User prefers tea to coffee", "User prefers coffee to tea"),
    ("Rome is bigger than Oslo", "Oslo is bigger than Rome"),
    ("User usually drinks tea", "User drinks tea usually"),
)
OTHERWISE = (
    ("User likes oat milk", "User likes no oat milk"),
    ("User likes oat milk", "User liked oat milk"),
    ("User is a nurse at the clinic", "User was a nurse at the clinic"),
    ("User codes in C++", "User codes in C#"),
    ("User runs version 3.5", "User runs version 35"),
    ("Ben is Anna's manager", "Anna is Ben's manager"),
    ("Mark Anthony", "Anthony Mark"),
    ("用户喜欢牛奶", "用户喜欢奶牛"),
    ("我爱你", "你爱我"),
    ("上海", "海上"),
    ("🚀", "🌍"),
)


@pytest.mark.parametrize(("refused", "again"), SAME)
def test_other_spelling_is_the_same(refused: str, again: str) -> None:
    assert not set(statement_keys(refused)).isdisjoint(statement_keys(again))


@pytest.mark.parametrize(("refused", "other"), OTHERWISE)
def test_what_says_something_else_is_not(refused: str, other: str) -> None:
    assert set(statement_keys(refused)).isdisjoint(statement_keys(other))
    assert sorted_words(refused) != sorted_words(other) or not sorted_words(refused)


@pytest.mark.parametrize(("refused", "other"), OTHER_ORDER)
def test_the_same_words_in_an_order_that_may_tell_are_in_doubt(refused: str, other: str) -> None:
    assert set(statement_keys(refused)).isdisjoint(statement_keys(other))
    assert sorted_words(refused) == sorted_words(other) != ""


def said(*contents: str, **changes: object) -> list[Memory]:
    return [memory(id=number, content=text, **changes) for number, text in enumerate(contents, start=1)]


def found(memories: list[Memory]) -> list[tuple[int, tuple[int, ...]]]:
    return [(each.kept.id, tuple(other.id for other in each.others)) for each in find_duplicates(memories)]


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
