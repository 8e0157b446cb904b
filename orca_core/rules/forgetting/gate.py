"""Which episodes are forgotten now, and when each will be."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta

from msgspec import Struct

from orca_core.model.episodes import Episode
from orca_core.model.memories import ArchivedBecause, Fields, State
from orca_core.model.records import timestamp
from orca_core.model.views import EpisodeAge, FadeForecast, FadesBy, Keeps
from orca_core.rules.forgetting.importance import FULL_AGE, after_days, age_of, first_day_below, importance
from orca_core.settings.work import ForgetSettings

FADE = "fade"
"""The action of the operation."""


class Chosen(Struct, frozen=True):
    """Episodes to forget: those that are too old for what they are worth, and the least important above the cap."""

    by_age: tuple[int, ...]
    above_cap: tuple[int, ...]

    @property
    def all(self) -> tuple[int, ...]:
        return (*self.by_age, *self.above_cap)


def forgotten_now(ages: Sequence[EpisodeAge], now: datetime, forget: ForgetSettings) -> Chosen:
    """Of all that live."""
    by_age = [each for each in ages if has_faded(each, now, forget)]
    gone = {each.id for each in by_age}
    left = [each for each in ages if each.id not in gone]
    above = max(0, len(left) - forget.max_episodes)
    return Chosen(
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


def forecast(age: EpisodeAge, forget: ForgetSettings, *, place: int | None = None) -> FadeForecast:
    """When a live episode is forgotten unless it is used. `place` is given where so many live that the next one
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


def fade(episodes: Sequence[Episode], chosen: Chosen, now: datetime, forget: ForgetSettings) -> Mapping[int, Fields]:
    """What forgetting changes in the chosen episodes, as they are in the transaction: one that was pinned, used or put
    away since it was chosen is left alone."""
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
    """When an episode that faded is deleted for good."""
    if episode.archived_because is not ArchivedBecause.FADED or episode.archived_at is None:
        return None
    return episode.archived_at + timedelta(seconds=forget.grace)
