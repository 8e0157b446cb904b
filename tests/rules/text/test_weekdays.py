"""Which days of the week a text names, and which it may mean."""

from __future__ import annotations

import pytest

from orca_core.rules.text.dates import weekdays_in, weekdays_named

CASES = [
    ("every Monday", {0}, {0}),
    ("Mon, Wed and Fri", {0, 2, 4}, {0, 2, 4}),
    ("thurs-sun", {3, 6}, {3, 4, 5, 6}),
    ("Friday through Monday", {4, 0}, {4, 5, 6, 0}),
    ("on weekdays", set(), {0, 1, 2, 3, 4}),
    ("at weekends", set(), {5, 6}),
    ("a sunny month", set(), set()),
    ("周三", {2}, {2}),
    ("礼拜天", {6}, {6}),
    ("每周一三五晚上", {0, 2, 4}, {0, 2, 4}),
    ("每周一、三、五", {0, 2, 4}, {0, 2, 4}),
    ("周一到周五", {0, 4}, {0, 1, 2, 3, 4}),
    ("周一到五", {0, 4}, {0, 1, 2, 3, 4}),
    ("每周三次", set(), set()),
    ("一星期三天", set(), set()),
    ("周末", set(), {5, 6}),
    ("星期二和星期四", {1, 3}, {1, 3}),
]


@pytest.mark.parametrize(("text", "named", "meant"), CASES)
def test_the_days_of_the_week_of_a_text(text: str, named: set[int], meant: set[int]) -> None:
    assert weekdays_named(text) == named
    assert weekdays_in(text) == meant
