"""Dates as people spell them, in two languages, and what only looks like one."""

from __future__ import annotations

from datetime import date

import pytest
from fakes.growth import grows_linearly
from hypothesis import given
from hypothesis import strategies as st

from orca_core.rules.text.dates import dates_in, short_years_in, take_dates, tokens_of_day


@pytest.mark.parametrize(
    "text",
    [
        "2023-09-04",
        "2023/9/4",
        "2023.09.04",
        "2023年9月4日",
        "2023年09月04号",
        "2023年 9月 4日",
        "二〇二三年九月四日",
        "二零二三年九月四号",
        "September 4, 2023",
        "September 4th, 2023",
        "Sept 4 2023",
        "sep. 4th 2023",
        "4 September 2023",
        "4th of September, 2023",
        "04 Sep 2023",
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
        ("9月4号", ("d_9", "d_9_4")),
        ("九月四号", ("d_9", "d_9_4")),
        ("十二月三十一日", ("d_12", "d_12_31")),
        ("十月二十号", ("d_10", "d_10_20")),
        ("6月份出生", ("d_6",)),
        ("12月底", ("d_12",)),
        ("2023年5月", ("d_5", "2023", "d_2023_5")),
        ("May 3rd", ("d_5", "d_5_3")),
        ("the 3rd of May", ("d_5", "d_5_3")),
        ("in May", ("d_5",)),
        ("what did i do in july", ("d_7",)),
        ("in May 2023", ("d_5", "2023", "d_2023_5")),
        ("since October 2022", ("d_10", "2022", "d_2022_10")),
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
        "may 100 people come",
        "march on",
        "3.11.4",
        "python 3.11",
        "192.168.1.1",
        "13月45日",
        "等了3个月",
        "月亮",
        "2023-13-40",
        "version 2023.5",
        "0032年1月",
        "5/3 of them",
        "decide soon",
        "augment 3 things",
        "",
    ],
)
def test_what_is_no_date_is_left_alone(text: str) -> None:
    assert take_dates(text) == (text, ())


def test_the_rest_of_the_text_stays() -> None:
    assert take_dates("我9月4日去体检")[0] == "我 去体检"


@given(st.dates(date(1900, 1, 1), date(2099, 12, 31)))
def test_a_day_is_found_by_its_spelling_in_both_languages(day: date) -> None:
    in_chinese = f"{day.year}年{day.month}月{day.day}日"
    in_english = f"{day:%B} {day.day}, {day.year}"

    assert take_dates(in_chinese)[1] == take_dates(in_english)[1] == take_dates(day.isoformat())[1]
    assert take_dates(in_chinese)[1] == tokens_of_day(day)


@given(st.text(st.sampled_from("0123456789年月日号十二May inSept,.-/ th\n"), max_size=60))
def test_no_text_makes_an_impossible_day(text: str) -> None:
    for token in take_dates(text)[1]:
        numbers = [int(number) for number in token.removeprefix("d_").split("_")]
        assert all(1 <= number <= 31 or 1900 <= number <= 2099 for number in numbers)


def test_the_time_is_linear() -> None:
    units = ["1月 ", "1月" + " " * 500, "May ", "in ", "十", "2023-", "9"]
    assert grows_linearly(take_dates, units, 100_000)


def test_short_years_are_of_this_century_or_the_last() -> None:
    assert list(short_years_in("19年毕业, class of '98, 10年前")) == [2019, 1998]


def test_a_written_date_knows_its_most_exact_token() -> None:
    assert [each.token for each in dates_in("in May, on 3 May 2026")] == ["d_5", "d_2026_5_3"]
