"""Days that are meant by words like "tomorrow", counted from when they were said."""

from __future__ import annotations

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from orca_core.rules.text.relative_dates import days_meant

FRIDAY = date(2026, 11, 20)


def may_mean(text: str, month: int, day: int | None, year: int | None = None) -> bool:
    return any(days.holds(month, day, year) for days in days_meant(text, FRIDAY))


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("the exam is tomorrow", (11, 21, 2026)),
        ("it broke yesterday", (11, 19, None)),
        ("we moved last week", (11, 12, 2026)),
        ("she flies in on Tuesday", (11, 24, 2026)),
        ("I start next month", (12, None, 2026)),
        ("in three weeks I am off", (12, 11, 2026)),
        ("we met two years ago", (11, None, 2024)),
        ("rent is due the 3rd", (12, 3, 2026)),
        ("back next year", (3, None, 2027)),
        ("明天考试", (11, 21, 2026)),
        ("后天的飞机", (11, 22, None)),
        ("下周三面试", (11, 25, 2026)),
        ("上个月搬的家", (10, None, 2026)),
        ("三天前换的", (11, 17, 2026)),
        ("去年结的婚", (5, 1, 2025)),
        ("两个月后到期", (1, None, 2027)),
        ("25号发版", (11, 25, 2026)),
        ("I move on 3 December", (12, 3, 2026)),
        ("I moved on 3 December", (12, 3, 2025)),
        ("we go in March", (3, None, 2027)),
        ("I came here in March", (3, None, 2026)),
        ("two years ago in March", (3, None, 2024)),
        ("in 2019 I moved to Rome, on 3 December", (12, 3, 2019)),
        ("since Dec '19, that is in December", (12, None, 2019)),
        ("我12月3日搬家", (12, 3, 2026)),
        ("去年3月结的婚", (3, None, 2025)),
        ("19年12月3号搬的", (12, 3, 2019)),
        ("１２月３號搬家", (12, 3, 2026)),
    ],
)
def test_a_date_agrees_with_the_words_it_follows_from(text: str, meant: tuple[int, int | None, int | None]) -> None:
    assert may_mean(text, *meant)


@pytest.mark.parametrize(
    ("text", "not_meant"),
    [
        ("the exam is tomorrow", (12, 21, 2026)),
        ("we moved last week", (10, 1, 2026)),
        ("she flies in on Tuesday", (11, 25, 2026)),
        ("I start next month", (3, None, 2027)),
        ("I work in a bank", (11, 20, 2026)),
        ("明天考试", (11, 23, 2026)),
        ("下周三面试", (12, 30, 2026)),
        ("上个月搬的家", (3, None, 2026)),
        ("我在银行上班", (11, 20, 2026)),
        ("the exam is tomorrow", (11, 21, 2019)),
        ("I move on 3 December", (12, 3, 2031)),
        ("I move on 3 December", (12, 4, 2026)),
        ("I came here in March", (3, None, 2019)),
        ("I came here in March", (3, 5, 2026)),
        ("I moved on 2021-12-03", (12, 3, 2026)),
        ("我12月3日搬家", (12, 3, 2019)),
        ("明年3月结婚", (3, None, 2029)),
    ],
)
def test_another_date_does_not(text: str, not_meant: tuple[int, int | None, int | None]) -> None:
    assert not may_mean(text, *not_meant)


@given(st.text(max_size=80), st.dates(date(1971, 1, 1), date(2200, 1, 1)))
def test_no_text_breaks_it(text: str, said_on: date) -> None:
    for days in days_meant(f"in 99999999999 years, {text}, 三年前", said_on):
        assert days.first <= days.last
