"""Which statements count as the same when one is refused, and which are honest others."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from orca_core.rules.memory.duplicates import keys_of, words_of

SAME = (
    ("User likes oat milk", "USER LIKES OAT MILK!"),
    ("User likes oat milk", "Ｕｓｅｒ ｌｉｋｅｓ ｏａｔ　ｍｉｌｋ"),
    ("User likes oat milk", "The user likes oat-milk."),
    ("User likes oat milk", "User likes \u201coat\u3164 milk\u201d"),
    ("User likes oat milk", "User li\u034fkes o\u115fat mi\u200blk\u00ad"),
    ("User likes oat milk", "User likes\x00 oat \ufffdmilk"),
    ("User reads the Guardian", "The user reads Guardian"),
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
    assert not set(keys_of(refused)).isdisjoint(keys_of(again))


@pytest.mark.parametrize(("refused", "other"), OTHERWISE)
def test_what_says_something_else_is_not(refused: str, other: str) -> None:
    assert set(keys_of(refused)).isdisjoint(keys_of(other))
    assert words_of(refused) != words_of(other) or not words_of(refused)


@pytest.mark.parametrize(("refused", "other"), OTHER_ORDER)
def test_the_same_words_in_an_order_that_may_tell_are_in_doubt(refused: str, other: str) -> None:
    assert set(keys_of(refused)).isdisjoint(keys_of(other))
    assert words_of(refused) == words_of(other) != ""


@given(st.text(max_size=60))
def test_any_text_has_keys_that_do_not_change_with_the_case_of_ascii(text: str) -> None:
    upper = "".join(each.upper() if each.isascii() else each for each in text)

    assert all(keys_of(text)) or not text.strip()
    assert set(keys_of(text)) & set(keys_of(upper))
