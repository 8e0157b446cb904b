"""Numbers that a text names without a numeral, or in two units."""

from __future__ import annotations

import pytest

from orca_core.rules.text.numerals import numbers_in, quantities_in


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("骑车一刻钟", "15"),
        ("睡了半个小时", "30"),
        ("九米六的冷藏车", "9.6"),
        ("我一米八六", "186"),
        ("我一米八", "180"),
        ("要三块五", "3.5"),
        ("我七十有三了", "73"),
        ("五岁半", "5.5"),
        ("两个半小时", "2.5"),
        ("half an hour", "30"),
        ("a quarter of an hour", "15"),
        ("every fortnight", "14"),
        ("two dozen eggs", "24"),
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
