"""How important an episode is, and how that falls with its age."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from functools import lru_cache

from orca_core.model.episodes import Episode
from orca_core.model.tasks import Outcome, Trigger
from orca_core.model.views import EpisodeAge

BASE = 0.5
A_MONTH = 0.1
MOST_BY_AGE = 0.3
AN_ACCESS = 0.05
MOST_BY_ACCESS = 0.2
COUNTED_ACCESSES = 4
BY_OUTCOME = {Outcome.SUCCESS: 0.1, Outcome.FAILED: -0.05}
BY_ALERT = 0.15
MANY_STEPS = 3
BY_MANY_STEPS = 0.1
"""The figures of the formula that Orca's predecessor used."""
DIGITS = 6
FULL_AGE = 90
"""Days after which age takes nothing more."""


def age_of(episode: Episode) -> EpisodeAge:
    return EpisodeAge(
        id=episode.id,
        aged_from=episode.aged_from,
        outcome=episode.outcome,
        trigger=episode.trigger_type,
        steps=len(episode.steps),
        access_count=episode.access_count,
        is_pinned=episode.pinned,
        is_consolidated=episode.consolidated_into is not None,
    )


def importance(age: EpisodeAge, now: datetime) -> float:
    """Between 0 and 1, by whole days of age."""
    return after_days(age, days_old(age, now))


def days_old(age: EpisodeAge, now: datetime) -> int:
    return max(0, (now - age.aged_from).days)


def after_days(age: EpisodeAge, days: int) -> float:
    """The importance that an episode has so many days after it was made, if it is not used until then."""
    accesses = min(age.access_count, COUNTED_ACCESSES)
    return _importance(min(days, FULL_AGE), accesses, age.outcome, age.trigger, age.steps > MANY_STEPS)


@lru_cache(maxsize=4096)
def _importance(days: int, accesses: int, outcome: Outcome, trigger: Trigger, has_many_steps: bool) -> float:
    """Ten thousand episodes are of few sorts."""
    value = BASE - min(days / 30 * A_MONTH, MOST_BY_AGE) + min(AN_ACCESS * accesses, MOST_BY_ACCESS)
    value += BY_OUTCOME.get(outcome, 0.0)
    value += BY_ALERT if trigger is Trigger.ALERT else 0.0
    value += BY_MANY_STEPS if has_many_steps else 0.0
    return round(min(max(value, 0.0), 1.0), DIGITS)


def first_day_below(age: EpisodeAge, threshold: float) -> int | None:
    """How many days after it was made it is less important than that, if it is not used; None where it never is."""
    accesses = min(age.access_count, COUNTED_ACCESSES)
    return _first_day_below(threshold, accesses, age.outcome, age.trigger, age.steps > MANY_STEPS)


@lru_cache(maxsize=1024)
def _first_day_below(
    threshold: float, accesses: int, outcome: Outcome, trigger: Trigger, has_many_steps: bool
) -> int | None:
    days = range(FULL_AGE + 1)
    return next((day for day in days if _importance(day, accesses, outcome, trigger, has_many_steps) < threshold), None)


def course(age: EpisodeAge, points: int) -> Sequence[tuple[int, float]]:
    """Days of age and the importance then, from the first day to the last that age counts."""
    steps = max(points - 1, 1)
    days = [round(FULL_AGE * number / steps) for number in range(points)]
    return [(day, after_days(age, day)) for day in days]
