"""Which episodes are forgotten, and whether the forecast says so exactly."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from fakes.memories import AT
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from orca_core.model.episodes import Episode
from orca_core.model.knowledge import Knowledge
from orca_core.model.memories import ArchivedBecause, State
from orca_core.model.record_types import timestamp
from orca_core.model.tasks import Outcome, Trigger
from orca_core.model.tools import Guide
from orca_core.model.views import EpisodeAge, FadeForecast, FadesBy, Keeps
from orca_core.rules.work import retention
from orca_core.rules.work.retention import (
    FULL_AGE,
    EpisodesToForget,
    after_days,
    episodes_to_forget,
    fade_forecast,
    has_faded,
    importance_by_day,
    unused_guides,
    unused_knowledge,
)
from orca_core.settings import ForgetSettings

MADE = datetime(2026, 3, 1, 9, 30, tzinfo=UTC)
FORGET = ForgetSettings()
PLAIN = EpisodeAge(1, MADE, Outcome.UNKNOWN, Trigger.USER_REQUEST, steps=2, access_count=0)
SUCCESS, FAILED = replace(PLAIN, outcome=Outcome.SUCCESS), replace(PLAIN, outcome=Outcome.FAILED)


def days(count: float) -> datetime:
    return MADE + timedelta(days=count)


@pytest.mark.parametrize(
    ("age", "now", "settings", "expected"),
    [
        (PLAIN, days(75.9), FORGET, False),
        (PLAIN, days(76), FORGET, True),
        (FAILED, days(60), FORGET, False),
        (FAILED, days(61), FORGET, True),
        (SUCCESS, days(4000), FORGET, False),
        (replace(PLAIN, access_count=1), days(4000), FORGET, False),  # 0.25 is not below 0.25
        (replace(FAILED, is_pinned=True), days(4000), FORGET, False),
        (FAILED, days(6), ForgetSettings(threshold=1.0), False),  # too young, whatever it is worth
        (FAILED, days(7), ForgetSettings(threshold=1.0), False),  # older than seven days, not as old
        (FAILED, days(7) + timedelta(seconds=1), ForgetSettings(threshold=1.0), True),
        (FAILED, days(0), ForgetSettings(threshold=1.0, min_age=0.0), False),
        (FAILED, days(61), ForgetSettings(threshold=0.0), False),
    ],
)
def test_what_is_too_old_for_what_it_is_worth(
    age: EpisodeAge, now: datetime, settings: ForgetSettings, expected: bool
) -> None:
    assert has_faded(age, now, settings) is expected
    assert episodes_to_forget([age], now, settings).by_age == ((age.id,) if expected else ())


def test_above_the_cap_the_least_important_unpinned_ones_go_too() -> None:
    ages = [
        replace(SUCCESS, id=1),
        replace(FAILED, id=2),
        replace(PLAIN, id=3),
        replace(FAILED, id=4, is_pinned=True),
        replace(PLAIN, id=5, aged_from=days(-1)),
    ]
    assert episodes_to_forget(ages, days(10), ForgetSettings(max_episodes=3)) == EpisodesToForget((), (2, 5))
    assert episodes_to_forget(ages, days(70), ForgetSettings(max_episodes=3)) == EpisodesToForget((2,), (5,))
    assert episodes_to_forget(ages, days(10), ForgetSettings(max_episodes=0)) == EpisodesToForget((), (2, 5, 3, 1))


@pytest.mark.parametrize(
    ("age", "settings", "place", "expected"),
    [
        (PLAIN, FORGET, None, FadeForecast(FadesBy.DATE, at=days(76))),
        (FAILED, FORGET, None, FadeForecast(FadesBy.DATE, at=days(61))),
        (FAILED, FORGET, 2, FadeForecast(FadesBy.DATE, at=days(61), place=2)),
        (FAILED, ForgetSettings(min_age=100 * 86_400.0), None, FadeForecast(FadesBy.DATE, at=days(100))),
        (SUCCESS, FORGET, None, FadeForecast(FadesBy.NEVER, keeps=Keeps.IMPORTANT, least=0.3)),
        (SUCCESS, FORGET, 3, FadeForecast(FadesBy.CAP, place=3)),
        (replace(FAILED, is_pinned=True), FORGET, None, FadeForecast(FadesBy.NEVER, keeps=Keeps.PINNED)),
        (FAILED, ForgetSettings(enabled=False), None, FadeForecast(FadesBy.NEVER, keeps=Keeps.OFF)),
    ],
)
def test_the_forecast(age: EpisodeAge, settings: ForgetSettings, place: int | None, expected: FadeForecast) -> None:
    assert fade_forecast(age, settings, place=place) == expected


ages = st.builds(
    EpisodeAge,
    id=st.just(1),
    aged_from=st.just(MADE),
    outcome=st.sampled_from(Outcome),
    trigger=st.sampled_from(Trigger),
    steps=st.integers(0, 9),
    access_count=st.integers(0, 6),
    is_pinned=st.booleans(),
)
settings = st.builds(
    ForgetSettings,
    threshold=st.floats(0, 1),
    min_age=st.integers(0, 120 * 86_400).map(float),
)


@given(ages, settings)
def test_the_forecast_is_exact(age: EpisodeAge, forget: ForgetSettings) -> None:
    """Nothing goes before its date, what has one goes on it, and what has none stays."""
    said = fade_forecast(age, forget)
    if said.by is FadesBy.DATE:
        assert said.at is not None
        assert not has_faded(age, said.at - timedelta(seconds=1), forget)
        assert has_faded(age, said.at + timedelta(seconds=1), forget)
    else:
        assert not any(has_faded(age, days(count), forget) for count in range(0, 400, 7))


EPISODE = Episode(1, "u", "text", "trigger", MADE, MADE, MADE)


@pytest.mark.parametrize(
    ("episode", "chosen", "is_forgotten"),
    [
        (EPISODE, EpisodesToForget((1,), ()), True),
        (EPISODE, EpisodesToForget((), (1,)), True),
        (EPISODE, EpisodesToForget((2,), (3,)), True),  # its time has come all the same
        (replace(EPISODE, access_count=1), EpisodesToForget((1,), ()), False),  # used since it was chosen
        (replace(EPISODE, access_count=1), EpisodesToForget((), (1,)), True),
        (replace(EPISODE, pinned=True), EpisodesToForget((1,), (1,)), False),
        (replace(EPISODE, state=State.CANDIDATE), EpisodesToForget((1,), (1,)), False),
        (replace(EPISODE, state=State.ARCHIVED), EpisodesToForget((1,), (1,)), False),
    ],
)
def test_what_has_changed_since_it_was_chosen_is_left_alone(
    episode: Episode, chosen: EpisodesToForget, is_forgotten: bool
) -> None:
    now = days(80)
    fields = {"state": "archived", "archived_because": "faded", "archived_at": timestamp(now)}
    assert retention.forget_fields([episode], chosen, now, FORGET) == ({1: fields} if is_forgotten else {})


@pytest.mark.parametrize(
    ("because", "expected"),
    [(ArchivedBecause.FADED, days(120)), (ArchivedBecause.HAND, None), (ArchivedBecause.UNDONE, None)],
)
def test_only_what_faded_is_deleted_for_good(because: ArchivedBecause, expected: datetime | None) -> None:
    put_away = replace(EPISODE, state=State.ARCHIVED, archived_because=because, archived_at=days(90))
    assert retention.deleted_at(put_away, FORGET) == expected
    assert retention.deleted_at(EPISODE, FORGET) is None


@pytest.mark.parametrize(
    ("age", "days", "expected"),
    [
        (PLAIN, 0, 0.5),
        (PLAIN, 45, 0.35),
        (PLAIN, 4000, 0.2),  # age takes 0.3 at most
        (SUCCESS, 0, 0.6),
        (FAILED, 0, 0.45),
        (replace(PLAIN, outcome=Outcome.PARTIAL), 0, 0.5),
        (replace(PLAIN, trigger=Trigger.SCHEDULED), 0, 0.5),
        (replace(PLAIN, steps=4), 0, 0.6),
        (replace(PLAIN, access_count=4), 0, 0.7),
        (replace(PLAIN, access_count=400), 0, 0.7),  # use gives 0.2 at most
        (PLAIN, 1, 0.496667),  # six digits
        (PLAIN, 76, 0.246667),
    ],
)
def test_the_formula(age: EpisodeAge, days: int, expected: float) -> None:
    assert after_days(age, days) == expected


def test_the_course_goes_from_the_first_day_to_where_age_takes_nothing_more() -> None:
    assert importance_by_day(FAILED, 4) == [(0, 0.45), (30, 0.35), (60, 0.25), (90, 0.15)]
    assert importance_by_day(FAILED, 1) == [(0, 0.45)]
    assert after_days(FAILED, FULL_AGE) == after_days(FAILED, FULL_AGE + 1000)


DAY = timedelta(days=1)
OLD = Knowledge(7, "u", "t", "nginx", "restart it", AT - 400 * DAY, AT - 180 * DAY, source_episodes=(1, 2))
GONE = {1: State.ARCHIVED}


@pytest.mark.parametrize(
    ("fields", "sources", "is_listed"),
    [
        ({}, GONE, True),
        ({}, {}, True),
        ({"source_episodes": ()}, {}, True),
        ({}, {1: State.CANDIDATE, 2: State.REJECTED}, True),
        ({}, {1: State.ARCHIVED, 2: State.LIVE}, False),
        ({"last_accessed": AT - 180 * DAY}, GONE, True),
        ({"last_accessed": AT - 179 * DAY}, GONE, False),
        ({"last_accessed": AT - 300 * DAY}, GONE, True),
        ({"updated_at": AT - 179 * DAY}, GONE, False),
        ({"pinned": True}, GONE, False),
        ({"state": State.ARCHIVED}, GONE, False),
        ({"state": State.CANDIDATE}, GONE, False),
    ],
)
def test_it_lives_is_old_and_stands_alone(
    fields: dict[str, object], sources: dict[int, State], is_listed: bool
) -> None:
    known = replace(OLD, **fields)  # type: ignore[arg-type]

    assert unused_knowledge([known], sources, AT) == ([known] if is_listed else [])


@pytest.mark.parametrize(
    ("fields", "called", "is_listed"),
    [
        ({}, [], True),
        ({}, ["shell"], True),
        ({}, ["WEB_SEARCH"], False),
        ({"last_accessed": AT - 179 * DAY}, [], False),
        ({"pinned": True}, [], False),
        ({"state": State.CANDIDATE}, [], False),
    ],
)
def test_a_guide_without_calls_that_nobody_uses_is_listed(
    fields: dict[str, object], called: list[str], is_listed: bool
) -> None:
    guide = replace(Guide(3, "u", "Short.", "web_search", AT - 400 * DAY, AT - 180 * DAY), **fields)  # type: ignore[arg-type]

    assert unused_guides([guide], called, AT, str.casefold) == ([guide] if is_listed else [])
