"""What a front end is given of episodes and knowledge, with all that the core's settings say of them."""

from __future__ import annotations

from datetime import datetime
from enum import StrEnum

from msgspec import Struct

from orca_core.model.memories import Status
from orca_core.model.work.episodes import Episode
from orca_core.model.work.knowledge import Knowledge
from orca_core.model.work.tasks import Outcome, Trigger


class EpisodeAge(Struct, frozen=True):
    """What the importance of an episode follows from."""

    id: int
    aged_from: datetime
    outcome: Outcome
    trigger: Trigger
    steps: int
    access_count: int
    is_pinned: bool = False
    is_consolidated: bool = False


class FadesBy(StrEnum):
    """What will forget an episode: a date, nothing, or newer ones above the cap."""

    DATE = "date"
    NEVER = "never"
    CAP = "cap"


class Keeps(StrEnum):
    """Why an episode is never forgotten by age."""

    PINNED = "pinned"
    OFF = "off"
    IMPORTANT = "important"


class FadeForecast(Struct, frozen=True):
    """When a live episode is forgotten, unless it is used: `at` of a date; `place` among those that go when there are
    too many (1 is the next); `keeps` where age never forgets it, and the `least` that its importance will be."""

    by: FadesBy
    at: datetime | None = None
    place: int | None = None
    keeps: Keeps | None = None
    least: float = 0.0


class EpisodeView(Struct, frozen=True):
    """An episode as people see it. A live one has a `forecast`; one that faded is deleted for good at `deleted_at`.
    `course` is its importance from its first day to the last that age counts, at even steps, as it is used now;
    `days_old` says where in it today is; below the `threshold` it is forgotten."""

    episode: Episode
    status: Status
    importance: float
    forecast: FadeForecast | None = None
    deleted_at: datetime | None = None
    course: tuple[tuple[int, float], ...] = ()
    days_old: int = 0
    threshold: float = 0.0

    @property
    def record(self) -> Episode:
        """The episode, as a list of any kind calls it."""
        return self.episode


class KnowledgeView(Struct, frozen=True):
    """Knowledge as people see it."""

    knowledge: Knowledge
    status: Status

    @property
    def record(self) -> Knowledge:
        """The knowledge, as a list of any kind calls it."""
        return self.knowledge


class Faded(Struct, frozen=True):
    """What a run of the gate did, or would do: the episodes that it forgot, by one operation, those among them that
    went because there were too many, and those that it deleted for good."""

    episodes: tuple[int, ...] = ()
    deleted: tuple[int, ...] = ()
    operation: int | None = None
    above_cap: tuple[int, ...] = ()


class FadeReport(Struct, frozen=True):
    """What a run of the gate did, or would do, as people see it; `deleted` names what is gone for good, `next` is the
    episode that goes after these."""

    forgotten: tuple[EpisodeView, ...] = ()
    above_cap: frozenset[int] = frozenset()
    deleted: tuple[int, ...] = ()
    operation: int | None = None
    next: EpisodeView | None = None
