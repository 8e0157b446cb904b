"""Dates as people spell them, in two languages, and what only looks like one."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st

from orca_core.model.errors import InvalidInput
from orca_core.rules.text.dates import moment, take_dates
from orca_core.rules.text.relative_dates import ageing_words, days_meant


@pytest.mark.parametrize(
    "text",
    [
        "2023-09-04",
        "2023/9/4",
        "2023年9月4日",
        "2023年09月04号",
        "二〇二三年九月四日",
        "二零二三年九月四号",
        "September 4th, 2023",
        "Sept 4 2023",
        "4 September 2023",
        "4th of September, 2023",
        "on september 4th, 2023 we met",
        "我2023年9月4号入职的",
    ],
)
def test_every_spelling_of_a_day_gives_the_same_tokens(text: str) -> None:
    assert take_dates(text)[1] == ("d_9", "d_9_4", "2023", "d_2023_9", "d_2023_9_4")


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        ("9月4日", ("d_9", "d_9_4")),
        ("09月04日过生日", ("d_9", "d_9_4")),
        ("九月四号", ("d_9", "d_9_4")),
        ("十二月三十一日", ("d_12", "d_12_31")),
        ("6月份出生", ("d_6",)),
        ("12月底", ("d_12",)),
        ("May 3rd", ("d_5", "d_5_3")),
        ("the 3rd of May", ("d_5", "d_5_3")),
        ("what did i do in july", ("d_7",)),
        ("in May 2023", ("d_5", "2023", "d_2023_5")),
        ("early March", ("d_3",)),
        ("5月1日到5月3日", ("d_5", "d_5_1", "d_5", "d_5_3")),
    ],
)
def test_part_of_a_date_gives_what_it_says(text: str, tokens: tuple[str, ...]) -> None:
    assert take_dates(text)[1] == tokens


@pytest.mark.parametrize(
    "text",
    [
        "you may go",
        "this may be wrong",
        "march on",
        "3.11.4",
        "192.168.1.1",
        "13月45日",
        "月亮",
        "2023-13-40",
        "0032年1月",
        "5/3 of them",
        "augment 3 things",
        "",
    ],
)
def test_what_is_no_date_is_left_alone(text: str) -> None:
    assert take_dates(text) == (text, ())


AT = datetime(2026, 11, 20, 12, tzinfo=UTC)


@pytest.mark.parametrize(
    "given",
    [
        AT,
        AT.replace(tzinfo=None),
        AT.astimezone(timezone(timedelta(hours=8))),
        "2026-11-20T12:00:00Z",
        "2026-11-20T12:00:00",
        "2026-11-20T20:00:00+08:00",
    ],
    ids=str,
)
def test_a_time_is_read_in_utc(given: object) -> None:
    assert moment(given) == AT
    assert moment(given).tzinfo is UTC


@pytest.mark.parametrize(
    "given",
    [
        None,
        "",
        "yesterday",
        5,
        10**5000,
        "0001-01-01T00:00:00Z",
        "0001-01-01T00:00:00",
        datetime.fromisoformat("0001-01-01"),
        datetime.min.replace(tzinfo=timezone(timedelta(hours=14))),
        datetime.max.replace(tzinfo=timezone(timedelta(hours=-14))),
        "9999-12-31T23:59:59-14:00",
        "1969-12-31T23:59:59Z",
    ],
    ids=lambda given: "huge" if given == 10**5000 else repr(given),
)
def test_what_is_no_time_is_refused(given: object) -> None:
    with pytest.raises(InvalidInput, match="no such time"):
        moment(given)


FRIDAY = date(2026, 11, 20)


def may_mean(text: str, month: int, day: int | None, year: int | None = None) -> bool:
    return any(days.holds(month, day, year) for days in days_meant(text, FRIDAY))


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("the exam is tomorrow", (11, 21, 2026)),
        ("we moved last week", (11, 12, 2026)),
        ("in three weeks I am off", (12, 11, 2026)),
        ("rent is due the 3rd", (12, 3, 2026)),
        ("后天的飞机", (11, 22, None)),
        ("上个月搬的家", (10, None, 2026)),
        ("两个月后到期", (1, None, 2027)),
        ("I move on 3 December", (12, 3, 2026)),
        ("I came here in March", (3, None, 2026)),
        ("in 2019 I moved to Rome, on 3 December", (12, 3, 2019)),
        ("去年3月结的婚", (3, None, 2025)),
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
        ("I start next month", (3, None, 2027)),
        ("I work in a bank", (11, 20, 2026)),
        ("下周三面试", (12, 30, 2026)),
        ("上个月搬的家", (3, None, 2026)),
        ("the exam is tomorrow", (11, 21, 2019)),
        ("I move on 3 December", (12, 3, 2031)),
        ("I came here in March", (3, None, 2019)),
        ("I came here in March", (3, 5, 2026)),
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
