"""Words that go wrong with time where they are kept."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from orca_core.rules.text.relative_dates import ageing_words


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("The demo is tomorrow", ("tomorrow",)),
        ("User moved to Oslo two weeks ago", ("two weeks ago",)),
        ("User graduated last year", ("last year",)),
        ("User hiked last weekend", ("last weekend",)),
        ("The launch is in 3 days", ("in 3 days",)),
        ("用户下周去北京出差", ("下周",)),
        ("用户两年前搬到成都", ("两年前",)),
        ("用戶昨天買了車", ("昨天",)),
        ("本周上线", ("本周",)),
    ],
)
def test_what_counts_from_the_day_is_found(text: str, words: tuple[str, ...]) -> None:
    assert ageing_words(text) == words


@pytest.mark.parametrize(
    "text",
    [
        "User works out every Monday",
        "User likes hiking at the weekend",
        "The limit is 12",
        "User is 30",
        "Builds take 20 minutes",
        "User reads the morning paper",
        "The launch is next week, on 2026-05-01",
        "用户每月底交房租",
        "用户每天早上跑步",
        "用户周末爬山",
        "用户三十岁",
        "下周三，也就是2026年5月6日上线",
        "",
    ],
)
def test_what_comes_again_or_names_its_date_is_not(text: str) -> None:
    assert ageing_words(text) == ()


@given(st.text())
def test_any_text_is_read(text: str) -> None:
    assert all(ageing_words(text))
