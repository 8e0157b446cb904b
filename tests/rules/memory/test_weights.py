"""How use moves weights, and what is to be expected of them."""

from __future__ import annotations

import pytest
from fakes.memories import AT, memory
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from orca_core.model.memories import MEMORIES, ArchivedBecause, Memory, State, Use
from orca_core.model.views import Forecast
from orca_core.rules.memory.memory_upkeep import evolve, forecast
from orca_core.settings import LongTermSettings, WeightSettings

USED, UNUSED, UNKNOWN = Use.USED, Use.UNUSED, Use.UNKNOWN
LONG_TERM = LongTermSettings()


def after(start: Memory, *uses: Use, weights: WeightSettings | None = None) -> Memory:
    for use in uses:
        start = MEMORIES.changed(
            start, evolve(start, use, AT, weights=weights or WeightSettings(), long_term=LONG_TERM)
        )
    return start


def test_the_example_used_five_times_then_idle_three_times() -> None:
    risen = after(memory(), *[USED] * 5)
    fallen = after(risen, *[UNUSED] * 3)

    assert (risen.weight, fallen.weight) == (3.5, 2.6)
    assert (fallen.access_count, fallen.used) == (8, 5)


@pytest.mark.parametrize(
    ("weight", "uses", "result", "state"),
    [
        (1.0, [USED], 1.5, State.LIVE),
        (1.0, [UNUSED], 0.7, State.LIVE),
        (1.0, [UNKNOWN], 1.0, State.LIVE),
        (1.0, [UNUSED] * 2, 0.4, State.LIVE),
        (1.0, [UNUSED] * 3, 0.1, State.ARCHIVED),
        (0.6, [UNUSED], 0.3, State.LIVE),  # not below the threshold
        (0.59, [UNUSED], 0.29, State.ARCHIVED),
        (0.2, [UNUSED], 0.0, State.ARCHIVED),
        (0.0, [UNUSED], 0.0, State.ARCHIVED),
        (0.1, [UNKNOWN], 0.1, State.ARCHIVED),
        (0.1, [USED], 0.6, State.LIVE),
        (9.8, [USED], 10.0, State.LIVE),
        (10.0, [USED] * 3, 10.0, State.LIVE),
        (12.0, [USED], 12.0, State.LIVE),  # set by hand under another ceiling: it is not lowered by being used
        (4.8, [USED], 5.3, State.LIVE),
        (0.1 + 0.2, [USED], 0.8, State.LIVE),  # no trace of binary fractions
        (1.0, [UNUSED, USED, UNUSED, USED], 1.4, State.LIVE),
        (1.1, [UNUSED] * 2, 0.5, State.LIVE),
        (2.0, [USED, UNKNOWN, UNKNOWN], 2.5, State.LIVE),
        (1.234567, [USED], 1.734567, State.LIVE),
        (1.23456789, [UNKNOWN], 1.234568, State.LIVE),
    ],
)
def test_uses_add_up(weight: float, uses: list[Use], result: float, state: State) -> None:
    moved = after(memory(weight=weight), *uses)

    assert (moved.weight, moved.state) == (result, state)
    assert (moved.archived_because is ArchivedBecause.WEIGHT) == (state is State.ARCHIVED)


@pytest.mark.parametrize("weight", [1.0, 0.31, 0.2])
def test_pinned_memory_survives_neglect(weight: float) -> None:
    kept = after(memory(weight=weight, pinned=True), *[UNUSED] * 10)

    assert (kept.weight, kept.state, kept.access_count) == (weight, State.LIVE, 10)
    assert after(memory(weight=weight, pinned=True), USED).weight == weight + 0.5


@pytest.mark.parametrize("state", [State.ARCHIVED, State.REJECTED, State.CANDIDATE])
@pytest.mark.parametrize("use", list(Use))
def test_what_was_put_aside_meanwhile_only_keeps_count(state: State, use: Use) -> None:
    aside = after(memory(state=state, weight=0.4), use)

    assert (aside.weight, aside.state, aside.access_count) == (0.4, state, 1)


def test_the_steps_are_configured() -> None:
    assert after(memory(), USED, UNUSED, weights=WeightSettings(referenced=1.0, unreferenced=-0.5)).weight == 1.5


@given(st.floats(0, 10), st.lists(st.sampled_from(list(Use)), max_size=30))
def test_weights_stay_in_bounds_with_six_digits(weight: float, uses: list[Use]) -> None:
    moved = after(memory(weight=weight), *uses)

    assert 0 <= moved.weight <= 10
    assert moved.weight == round(moved.weight, 6) or not uses
    assert moved.used <= moved.access_count == len(uses)


@pytest.mark.parametrize(
    ("start", "expected"),
    [
        (memory(weight=1.0), Forecast(3, 9)),
        (memory(weight=0.9), Forecast(3, 9)),
        (memory(weight=0.6), Forecast(2, 9)),
        (memory(weight=0.5), Forecast(1, 10)),
        (memory(weight=3.5), Forecast(11, 4)),
        (memory(weight=5.0), Forecast(16, 1)),
        (memory(weight=5.5), Forecast(18, None)),
        (memory(weight=10.0), Forecast(33, None)),
        (memory(weight=1.0, pinned=True), Forecast(None, 9)),
        (memory(weight=1.0, state=State.ARCHIVED), Forecast(None, None)),
    ],
)
def test_everyone_sees_it_coming(start: Memory, expected: Forecast) -> None:
    assert forecast(start, weights=WeightSettings(), long_term=LONG_TERM) == expected


@given(st.floats(0.3, 10))
def test_the_forecast_is_what_comes(weight: float) -> None:
    start = memory(weight=round(weight, 6))
    expected = forecast(start, weights=WeightSettings(), long_term=LONG_TERM)
    assert expected.unused_until_archived is not None

    before = after(start, *[UNUSED] * (expected.unused_until_archived - 1))
    assert before.state is State.LIVE
    assert after(before, UNUSED).state is State.ARCHIVED


def test_no_forecast_where_nothing_moves() -> None:
    still = WeightSettings(referenced=0.0, unreferenced=0.0)

    assert forecast(memory(), weights=still, long_term=LONG_TERM) == Forecast(None, None)
    low_ceiling = replace_ceiling(4.0)
    assert forecast(memory(), weights=WeightSettings(), long_term=low_ceiling).used_until_core is None


def replace_ceiling(max_weight: float) -> LongTermSettings:
    return LongTermSettings(max_weight=max_weight)


def test_evolve_changes_nothing_it_is_not_asked_about() -> None:
    start = memory(tags=("x",))

    assert replace(after(start, USED), weight=1.0, access_count=0, used=0, last_accessed=None) == start
