"""What the tests promise of themselves: the clock of a busy machine decides none of them."""

from __future__ import annotations

import re

import pytest
from fakes.growth import costs_grow_linearly, grows_linearly


@pytest.mark.parametrize(("power", "is_linear"), [(0, True), (1, True), (1.3, True), (1.6, False), (2, False)])
def test_growth_is_told_by_the_cost_of_a_tenth(power: float, is_linear: bool) -> None:
    assert costs_grow_linearly(lambda share: 10 / share**power) is is_linear


def test_a_pattern_that_looks_back_again_and_again_is_found_out() -> None:
    assert not grows_linearly(re.compile("a*b").search, "a", 10_000)
    assert grows_linearly(re.compile("[ab]").search, "c", 10_000)


def test_a_cost_that_was_disturbed_is_measured_again() -> None:
    costs = iter([1.0, 90.0, 1.0, 11.0])

    assert costs_grow_linearly(lambda _share: next(costs))
