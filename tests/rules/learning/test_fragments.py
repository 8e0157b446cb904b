"""A fact that repeats a clause without a subject is plain where nobody else is spoken of."""

from __future__ import annotations

import pytest
from rules.learning.test_evidence import held
from rules.learning.test_plainness import is_plain


@pytest.mark.parametrize(
    ("typed", "content", "quote"),
    [
        (
            "final year of law in Ghent. tips?",
            "User is in the final year of law in Ghent",
            "final year of law",
        ),
        ("exam on 11 december", "User has an exam on 11 December", ""),
        ("护照2027年8月到期", "用户的护照2027年8月到期", ""),
        ("屏幕是艺卓的。怎么校色？", "用户的屏幕是艺卓的", "屏幕是艺卓的"),
    ],
)
def test_a_fragment_is_the_users_where_nobody_else_is(typed: str, content: str, quote: str) -> None:
    assert is_plain(typed, content, quote)


@pytest.mark.parametrize(
    ("typed", "content", "quote"),
    [
        ("it's for my niece. final year of law", "User is in the final year of law", "final year of law"),
        ("屏幕是艺卓的。同事那台", "用户的屏幕是艺卓的", "屏幕是艺卓的"),
        ("oven is gas, old and loud", "User's oven is electric", "oven is gas"),
    ],
)
def test_a_fragment_may_be_of_another(typed: str, content: str, quote: str) -> None:
    assert not is_plain(typed, content, quote)


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("User stopped using Borg", "used borg till spring"),
        ("用户不再用MicroPython", "我之前用micropython的"),
    ],
)
def test_what_lasted_till_then_has_ended(content: str, said: str) -> None:
    assert held(content, said, said) is None
