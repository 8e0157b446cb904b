"""Decide which episodes are forgotten and when, how important each is with its age, and which knowledge nobody uses."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import datetime, timedelta

from msgspec import Struct

from orca_core.model.episodes import Episode
from orca_core.model.knowledge import Knowledge
from orca_core.model.memories import ArchivedBecause, Fields, State
from orca_core.model.record_types import timestamp
from orca_core.model.tasks import Outcome, Trigger
from orca_core.model.tools import Guide
from orca_core.model.views import EpisodeAge, FadeForecast, FadesBy, Keeps
from orca_core.settings import ForgetSettings

BASE = 0.5
A_MONTH = 0.1
MOST_BY_AGE = 0.3
AN_ACCESS = 0.05
MOST_BY_ACCESS = 0.2
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
    value = BASE - min(days / 30 * A_MONTH, MOST_BY_AGE) + min(AN_ACCESS * age.access_count, MOST_BY_ACCESS)
    value += BY_OUTCOME.get(age.outcome, 0.0)
    value += BY_ALERT if age.trigger is Trigger.ALERT else 0.0
    value += BY_MANY_STEPS if age.steps > MANY_STEPS else 0.0
    return round(min(max(value, 0.0), 1.0), DIGITS)


def first_day_below(age: EpisodeAge, threshold: float) -> int | None:
    """Tell how many days after it was made it is less important than that, if it is not used; None where it never
    is."""
    if after_days(age, FULL_AGE) >= threshold:
        return None
    return next(day for day in range(FULL_AGE + 1) if after_days(age, day) < threshold)


def importance_by_day(age: EpisodeAge, points: int) -> Sequence[tuple[int, float]]:
    """Days of age and the importance then, from the first day to the last that age counts."""
    steps = max(points - 1, 1)
    days = [round(FULL_AGE * number / steps) for number in range(points)]
    return [(day, after_days(age, day)) for day in days]


FADE = "fade"
"""The action of the operation."""


class EpisodesToForget(Struct, frozen=True):
    """Episodes to forget: those that are too old for what they are worth, and the least important above the cap."""

    by_age: tuple[int, ...]
    above_cap: tuple[int, ...]

    @property
    def all(self) -> tuple[int, ...]:
        return (*self.by_age, *self.above_cap)


def episodes_to_forget(ages: Sequence[EpisodeAge], now: datetime, forget: ForgetSettings) -> EpisodesToForget:
    """Of all that live."""
    by_age = [each for each in ages if has_faded(each, now, forget)]
    gone = {each.id for each in by_age}
    left = [each for each in ages if each.id not in gone]
    above = max(0, len(left) - forget.max_episodes)
    return EpisodesToForget(
        tuple(each.id for each in first_to_go(by_age, now)),
        tuple(each.id for each in first_to_go(left, now)[:above]),
    )


def has_faded(age: EpisodeAge, now: datetime, forget: ForgetSettings) -> bool:
    if age.is_pinned or importance(age, now) >= forget.threshold:
        return False
    return now - age.aged_from > timedelta(seconds=forget.min_age)


def first_to_go(ages: Sequence[EpisodeAge], now: datetime) -> list[EpisodeAge]:
    """Those that may be forgotten, the least important first; of equals what became knowledge, then the older."""
    unpinned = [each for each in ages if not each.is_pinned]
    return sorted(unpinned, key=lambda each: (importance(each, now), not each.is_consolidated, each.aged_from, each.id))


def fade_forecast(age: EpisodeAge, forget: ForgetSettings, *, place: int | None = None) -> FadeForecast:
    """Tell when a live episode is forgotten unless it is used. `place` is given where so many live that the next one
    goes."""
    if not forget.enabled:
        return FadeForecast(FadesBy.NEVER, keeps=Keeps.OFF)
    if age.is_pinned:
        return FadeForecast(FadesBy.NEVER, keeps=Keeps.PINNED)
    if (at := _fades_at(age, forget)) is not None:
        return FadeForecast(FadesBy.DATE, at=at, place=place)
    if place is not None:
        return FadeForecast(FadesBy.CAP, place=place)
    return FadeForecast(FadesBy.NEVER, keeps=Keeps.IMPORTANT, least=after_days(age, FULL_AGE))


def _fades_at(age: EpisodeAge, forget: ForgetSettings) -> datetime | None:
    days = first_day_below(age, forget.threshold)
    return None if days is None else age.aged_from + max(timedelta(days=days), timedelta(seconds=forget.min_age))


def next_to_go(ages: Sequence[EpisodeAge], now: datetime, forget: ForgetSettings) -> EpisodeAge | None:
    """The one that goes next of those that live: by its age, else where there are as many as may be."""
    if not forget.enabled:
        return None
    unpinned = [each for each in ages if not each.is_pinned]
    dated = [(at, each.id, each) for each in unpinned if (at := _fades_at(each, forget)) is not None]
    if dated:
        return min(dated)[-1]
    return next(iter(first_to_go(unpinned, now)), None) if len(ages) >= forget.max_episodes else None


def forget_fields(
    episodes: Sequence[Episode], chosen: EpisodesToForget, now: datetime, forget: ForgetSettings
) -> Mapping[int, Fields]:
    """Return what forgetting changes in the chosen episodes, as they are in the transaction: one that was pinned, used
    or put away since it was chosen is left alone."""
    above_cap = set(chosen.above_cap)
    wanted: Fields = {
        "state": State.ARCHIVED.value,
        "archived_because": ArchivedBecause.FADED.value,
        "archived_at": timestamp(now),
    }
    return {
        each.id: wanted
        for each in episodes
        if each.state is State.LIVE
        and not each.pinned
        and (each.id in above_cap or has_faded(age_of(each), now, forget))
    }


def deleted_at(episode: Episode, forget: ForgetSettings) -> datetime | None:
    """Tell when an episode that faded is deleted for good."""
    if episode.archived_because is not ArchivedBecause.FADED or episode.archived_at is None:
        return None
    return episode.archived_at + timedelta(seconds=forget.grace)


UNUSED = timedelta(days=180)


def unused_knowledge(knowledge: Sequence[Knowledge], sources: Mapping[int, State], now: datetime) -> list[Knowledge]:
    """Those that live, were neither used nor written anew for so long, and of whose episodes none lives. `sources` are
    the states of the episodes that are there."""
    return [each for each in knowledge if _is_unused(each, now) and not _is_borne_out(each, sources)]


def unused_guides(
    guides: Sequence[Guide], called: Iterable[str], now: datetime, fold: Callable[[str], str]
) -> list[Guide]:
    """The same of guides, by the tools of which calls are left; `fold` says when two names are one."""
    there = {fold(each) for each in called}
    return [each for each in guides if _is_unused(each, now) and fold(each.target) not in there]


def _is_unused(known: Knowledge | Guide, now: datetime) -> bool:
    touched = max(known.updated_at, known.last_accessed or known.updated_at)
    return known.state is State.LIVE and not known.pinned and now - touched >= UNUSED


def _is_borne_out(known: Knowledge, sources: Mapping[int, State]) -> bool:
    return any(sources.get(number) is State.LIVE for number in known.source_episodes)
