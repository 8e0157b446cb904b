"""How important an episode is: the figures of the formula as a table."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from orca_core.model.tasks import Outcome, Trigger
from orca_core.model.views import EpisodeAge
from orca_core.rules.work.retention import FULL_AGE, after_days, course, days_old, importance

MADE = datetime(2026, 3, 1, 9, 30, tzinfo=UTC)
PLAIN = EpisodeAge(1, MADE, Outcome.UNKNOWN, Trigger.USER_REQUEST, steps=2, access_count=0)
SUCCESS, FAILED = replace(PLAIN, outcome=Outcome.SUCCESS), replace(PLAIN, outcome=Outcome.FAILED)


@pytest.mark.parametrize(
    ("age", "days", "expected"),
    [
        (PLAIN, 0, 0.5),
        (PLAIN, 30, 0.4),
        (PLAIN, 45, 0.35),
        (PLAIN, 90, 0.2),
        (PLAIN, 4000, 0.2),  # age takes 0.3 at most
        (SUCCESS, 0, 0.6),
        (SUCCESS, 4000, 0.3),  # a success never falls below it
        (FAILED, 0, 0.45),
        (FAILED, 90, 0.15),
        (replace(PLAIN, outcome=Outcome.PARTIAL), 0, 0.5),
        (replace(PLAIN, trigger=Trigger.ALERT), 0, 0.65),
        (replace(PLAIN, trigger=Trigger.SCHEDULED), 0, 0.5),
        (replace(PLAIN, steps=3), 0, 0.5),
        (replace(PLAIN, steps=4), 0, 0.6),
        (replace(PLAIN, access_count=1), 0, 0.55),
        (replace(PLAIN, access_count=4), 0, 0.7),
        (replace(PLAIN, access_count=400), 0, 0.7),  # use gives 0.2 at most
        (replace(SUCCESS, trigger=Trigger.ALERT, steps=9, access_count=9), 0, 1.0),  # never more than 1
        (PLAIN, 1, 0.496667),  # six digits
        (PLAIN, 75, 0.25),
        (PLAIN, 76, 0.246667),
    ],
)
def test_the_formula(age: EpisodeAge, days: int, expected: float) -> None:
    assert after_days(age, days) == expected


@pytest.mark.parametrize(
    ("since", "days"),
    [
        (timedelta(0), 0),
        (timedelta(hours=23, minutes=59), 0),
        (timedelta(days=1), 1),
        (timedelta(days=-3), 0),  # a clock that was set back
    ],
)
def test_age_is_counted_in_whole_days(since: timedelta, days: int) -> None:
    assert days_old(PLAIN, MADE + since) == days
    assert importance(PLAIN, MADE + since) == after_days(PLAIN, days)


def test_the_course_goes_from_the_first_day_to_where_age_takes_nothing_more() -> None:
    assert course(FAILED, 4) == [(0, 0.45), (30, 0.35), (60, 0.25), (90, 0.15)]
    assert course(FAILED, 1) == [(0, 0.45)]
    assert after_days(FAILED, FULL_AGE) == after_days(FAILED, FULL_AGE + 1000)


ages = st.builds(
    EpisodeAge,
    id=st.integers(1, 99),
    aged_from=st.just(MADE),
    outcome=st.sampled_from(Outcome),
    trigger=st.sampled_from(Trigger),
    steps=st.integers(0, 500),
    access_count=st.integers(0, 10_000),
)


@given(ages, st.integers(0, 400), st.integers(0, 400))
def test_it_only_falls_with_age_and_stays_between_nothing_and_all(age: EpisodeAge, first: int, second: int) -> None:
    early, late = sorted((first, second))
    assert 0 <= after_days(age, late) <= after_days(age, early) <= 1


@given(ages, st.integers(0, 400))
def test_being_used_never_makes_it_less_important(age: EpisodeAge, days: int) -> None:
    assert after_days(replace(age, access_count=age.access_count + 1), days) >= after_days(age, days)
