"""What cleaning makes of memories."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta, timezone

import pytest
from fakes.memories import AT, memory
from hypothesis import given
from hypothesis import strategies as st

from orca_core.model.backups import MadeFor
from orca_core.model.llm import Cost, Usage
from orca_core.model.memories import MEMORIES, Memory, State, Use
from orca_core.model.views import Forecast
from orca_core.rules.memory.memory_upkeep import (
    ARCHIVED_FOR_WEIGHT,
    MOST,
    WORKED_S,
    backup_name,
    backups_to_delete,
    cost_of,
    decide_cleaning,
    evolve,
    forecast,
    is_daily_due,
    next_slice_size,
    parse_backup_name,
)
from orca_core.settings import LongTermSettings, ProviderSettings, WeightSettings

THRESHOLD, CEILING = 0.3, 10.0


def cleaned(memories: Sequence[Memory], sunk: Sequence[int] | None = None) -> dict[int, dict[str, object]]:
    wanted = decide_cleaning(sunk if sunk is not None else [each.id for each in memories], THRESHOLD, CEILING)(memories)
    return {number: dict(fields) for number, fields in wanted.items()}


def test_what_sank_below_the_threshold_is_archived_for_its_weight() -> None:
    light, just, pinned, waiting = (
        memory(id=1, content="a", weight=0.29),
        memory(id=2, content="b", weight=0.3),
        memory(id=3, content="c", weight=0.1, pinned=True),
        memory(id=4, content="d", weight=0.1, state=State.CANDIDATE),
    )

    assert cleaned([light, just, pinned, waiting]) == {1: dict(ARCHIVED_FOR_WEIGHT)}
    assert cleaned([light], sunk=[]) == {}


def test_what_says_just_the_same_is_one_with_all_that_both_had() -> None:
    one = memory(id=1, content="tea", weight=2.0, seen=2, confidence=0.6, tags=("a",))
    other = memory(id=2, content="Tea.", weight=1.0, seen=3, confidence=0.9, tags=("b",))

    wanted = cleaned([one, other])

    assert wanted[1] == {
        "tags": ["a", "b"],
        "confidence": 0.9,
        "weight": 2.0,
        "seen": 5,
    }
    gone = MEMORIES.changed(other, wanted[2])
    assert (gone.state, gone.superseded_by) == (State.ARCHIVED, 1)


@given(
    st.lists(
        st.builds(
            memory,
            id=st.integers(1, 99),
            content=st.sampled_from(["tea", "Tea", "tea.", "coffee", "cake"]),
            weight=st.floats(0, 12),
            pinned=st.booleans(),
            state=st.sampled_from(list(State)),
        ),
        unique_by=lambda each: each.id,
    )
)
def test_cleaned_twice_is_cleaned_once_and_nothing_pinned_goes(memories: list[Memory]) -> None:
    wanted = cleaned(memories)
    after = [MEMORIES.changed(each, wanted.get(each.id, {})) for each in memories]

    assert [each for each in after if each.pinned] == [each for each in memories if each.pinned]
    assert all(each.weight >= THRESHOLD for each in after if each.state is State.LIVE and not each.pinned)
    assert {number: fields for number, fields in cleaned(after).items() if fields} == {}
    assert all(each.weight >= before.weight for each, before in zip(after, memories, strict=True))


NOW = datetime(2026, 11, 3, 12, tzinfo=UTC)


@pytest.mark.parametrize(
    ("since", "expected"),
    [
        (None, True),
        (timedelta(0), False),
        (timedelta(microseconds=1), False),
        (timedelta(hours=23, minutes=59), False),
        (timedelta(days=1) - timedelta(microseconds=1), False),
        (timedelta(days=1), True),
        (timedelta(days=400), True),
        (timedelta(microseconds=-1), True),  # the clock was set back
        (timedelta(days=-30), True),
    ],
)
def test_a_day_has_passed_or_has_not(since: timedelta | None, expected: bool) -> None:
    assert is_daily_due(None if since is None else NOW - since, NOW) is expected


@pytest.mark.parametrize(
    ("size", "worked_s", "wanted"),
    [
        (10, WORKED_S, 10),
        (10, WORKED_S / 1.5, 15),
        (10, WORKED_S / 100, 20),  # at most twice as many
        (100, 4 * WORKED_S, 25),
        (1, 50 * WORKED_S, 1),  # one is always taken
        (10, 0.0, 20),  # a clock that did not move
        (MOST, WORKED_S / 100, MOST),
    ],
)
def test_the_next_slice_is_as_large_as_fits(size: int, worked_s: float, wanted: int) -> None:
    assert next_slice_size(size, worked_s) == wanted


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


@pytest.mark.parametrize("weight", [1.0, 0.31, 0.2])
def test_pinned_memory_survives_neglect(weight: float) -> None:
    kept = after(memory(weight=weight, pinned=True), *[UNUSED] * 10)

    assert (kept.weight, kept.state, kept.access_count) == (weight, State.LIVE, 10)
    assert after(memory(weight=weight, pinned=True), USED).weight == weight + 0.5


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


NOON = datetime(2026, 11, 20, 12, 0, 7, tzinfo=UTC)
OLD, OLDER, OLDEST = (backup_name("orca", NOON - timedelta(days=days)) for days in (1, 2, 3))
NEW = backup_name("orca", NOON)
UPGRADE = "orca-schema-9.db"


@pytest.mark.parametrize(
    ("at", "made_for", "number", "name"),
    [
        (NOON, MadeFor.HAND, 1, "orca-2026-11-20-120007Z.db"),
        (NOON, MadeFor.HAND, 2, "orca-2026-11-20-120007Z-2.db"),
        (NOON, MadeFor.RESTORE, 1, "orca-2026-11-20-120007Z-before-restore.db"),
        (
            NOON.astimezone(timezone(timedelta(hours=8))),
            MadeFor.RESTORE,
            3,
            "orca-2026-11-20-120007Z-before-restore-3.db",
        ),
    ],
)
def test_a_name_tells_when_it_was_made_and_what_for(at: datetime, made_for: MadeFor, number: int, name: str) -> None:
    assert backup_name("orca", at, made_for, number) == name
    assert parse_backup_name("orca", name) == (NOON, made_for)


@pytest.mark.parametrize(
    ("name", "read"),
    [
        (UPGRADE, (None, MadeFor.UPGRADE)),
        ("orca.db", None),
        ("orca-2026-11-20.db", None),
        ("orca-2026-13-40-120007Z.db", None),
        ("orca-2026-11-20-120007Z.db-wal", None),
        ("orca-2026-11-20-120007Z-mine.db", None),
        ("other-2026-11-20-120007Z.db", None),
        (".orca.db.77.part", None),
        ("", None),
    ],
)
def test_other_files_are_no_backups(name: str, read: object) -> None:
    assert parse_backup_name("orca", name) == read


@pytest.mark.parametrize(
    ("names", "keep", "gone"),
    [
        ([NEW, OLD, OLDER, OLDEST], 2, [OLDEST, OLDER]),
        ([OLDEST, NEW, OLDER, OLD], 4, []),
        ([NEW, OLD], 1, [OLD]),
        ([NEW, OLD, OLDER], 0, []),
        ([NEW, UPGRADE, "notes.db", "orca.db", OLD], 1, [OLD]),
        ([NEW, OLD.replace("Z", "Z-before-restore"), OLDER], 2, [OLDER]),
    ],
)
def test_the_newest_stay(names: list[str], keep: int, gone: list[str]) -> None:
    assert backups_to_delete("orca", names, keep, NEW) == gone


@given(st.lists(st.text(max_size=40)), st.integers(1, 5))
def test_nothing_but_backups_ever_goes(names: list[str], keep: int) -> None:
    ours = [NEW, OLD, OLDER, OLDEST]

    gone = backups_to_delete("orca", [*names, *ours], keep, NEW)

    assert set(gone) <= {OLD, OLDER, OLDEST} | {each for each in names if parse_backup_name("orca", each)}
    assert NEW not in gone


PRICED = ProviderSettings(base_url="http://x", model="m", price_prompt=2.0, price_cached=0.5, price_completion=8.0)
UNPRICED = ProviderSettings(base_url="http://x", model="m")
SPENT = Usage(1_000_000, 500_000, cached_tokens=400_000)


@pytest.mark.parametrize(
    ("usage", "provider", "amount"),
    [
        (SPENT, PRICED, 0.6 * 2.0 + 0.4 * 0.5 + 0.5 * 8.0),
        (Usage(1_000_000, 0, cached_tokens=0, cost=0.125), PRICED, 0.125),
        (Usage(1_000_000, 0, cost=0.125), UNPRICED, 0.125),
        (SPENT, UNPRICED, None),
        (SPENT, None, None),
        (None, PRICED, None),
    ],
)
def test_a_cost_is_known_or_is_not_said(
    usage: Usage | None, provider: ProviderSettings | None, amount: float | None
) -> None:
    cost = cost_of(usage, provider)

    assert cost == (None if amount is None or provider is None else Cost(pytest.approx(amount), provider.currency))
