"""Numbers that a text names without a numeral, or in two units."""

from __future__ import annotations

import pytest
from fakes.growth import grows_linearly

from orca_core.rules.text.numerals import has_grouped_digits, numbers_in, quantities_in


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("骑车一刻钟", "15"),
        ("睡了半个小时", "30"),
        ("我一米八六", "186"),
        ("我一米八", "180"),
        ("要三块五", "3.5"),
        ("我七十有三了", "73"),
        ("两个半小时", "2.5"),
        ("half an hour", "30"),
        ("a quarter of an hour", "15"),
        ("every fortnight", "14"),
        ("half a dozen hens", "6"),
        ("twice a week", "2"),
    ],
)
def test_what_is_said_without_a_numeral_is_a_number(text: str, number: str) -> None:
    assert number in quantities_in(text)


@pytest.mark.parametrize(
    ("text", "numbers"),
    [
        ("每天四十分钟", ["40"]),
        ("十分钟到", ["10"]),
        ("十分喜欢", []),
        ("四川口音", []),
        ("学二胡", []),
        ("一周二十小时", ["20"]),
        ("周二休息", []),
    ],
)
def test_a_character_in_a_name_is_no_number(text: str, numbers: list[str]) -> None:
    assert numbers_in(text) == numbers


@pytest.mark.parametrize(
    "text",
    [
        "call me back on 0470 11 83 29",
        "0470-11-83-29",
        "0470.11.83.29",
        "06.12.34.56.78",
        "73315520",
        "sort code 20-44-91 acct 73315520",
        "020 7946 0958",
        "010 6552-9988",
        "13 88 42 07",
        "19-8804-2231",
        "2026-11-28 73315520",
        "ring 0161 496 0999.",
    ],
)
def test_somebodys_number_is_seen(text: str) -> None:
    assert has_grouped_digits(text)


@pytest.mark.parametrize(
    "text",
    [
        "born on 1990-05-03 at 18:30",
        "09-14-2026",
        "2019 2021 2024",
        "192.168.10.20",
        "pi is 3.14159265",
        "12.345.678",
        "1200-1500",
        "RTX 4090, 24 GB",
        "ISO 9001:2015",
        "#12345678",
        "550e8400-e29b-41d4",
        "",
    ],
)
def test_what_is_nobodys_is_not(text: str) -> None:
    assert not has_grouped_digits(text)


def test_no_text_takes_long() -> None:
    assert grows_linearly(has_grouped_digits, ["1", "1 ", "1-", "1.", "12/", "2026-11-28 ", "2026 ", "0"], 20_000)
