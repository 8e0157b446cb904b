"""Reads ended sessions for what was done in them: chooses which are due, one after the other."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import aclosing
from datetime import datetime, timedelta
from typing import ClassVar, Protocol

from msgspec.structs import replace

from orca_core.domain.events import EpisodesRead
from orca_core.domain.learning import Batch, Due, Wanted
from orca_core.domain.ports import Clock
from orca_core.domain.stores.episodes import EpisodeStore
from orca_core.domain.stores.learning import Leadership, LearningQueue
from orca_core.flows.jobs.job import Job, JobEvent, News, RoundRecorded
from orca_core.flows.jobs.passes import Heard, led
from orca_core.flows.jobs.tries import Attempt, each_tried
from orca_core.rules.working import material, telling
from orca_core.settings import Settings

NEVER_BY_NUMBER = 2**31
"""However many rounds a session has, only its end makes it due."""


class SessionReader(Protocol):
    """What reads the rounds of one session. It is made when there is something to read."""

    def read(self, attempt: Attempt) -> AsyncGenerator[EpisodesRead, None]: ...


class EpisodeJob(Job):
    """A session is read when it ends: another was begun, it idled, Orca ends, or a person asks."""

    name: ClassVar[str] = "episodes"
    needs_lead: ClassVar[bool] = True
    asks_agent: ClassVar[bool] = True

    def __init__(
        self,
        episodes: EpisodeStore,
        learning: LearningQueue,
        leadership: Leadership,
        reader: Callable[[], SessionReader],
        clock: Clock,
        settings: Settings,
    ) -> None:
        self._episodes = episodes
        self._learning = learning
        self._leadership = leadership
        self._reader = reader
        self._clock = clock
        self._settings = settings
        self._heard = Heard()
        self._looks_again_at: datetime | None = None

    @property
    def is_on(self) -> bool:
        memory = self._settings.memory
        return (
            memory.enabled and memory.episodes.enabled and memory.episodes.from_chats
        ) and self._settings.memory_agent.enabled

    def hear(self, news: News) -> None:
        self._heard.hear(news)
        if isinstance(news, RoundRecorded):
            self._looks_again_at = self._clock.now() + timedelta(seconds=self._settings.memory.session_idle + 1.0)

    def work(self) -> AsyncGenerator[JobEvent, None]:
        return self._heard.a_pass(self._sessions)

    async def next_at(self) -> datetime | None:
        """When a failed run may be retried, or the current session has idled."""
        times = [(await self._learning.queue()).next_at, self._looks_again_at]
        return min((each for each in times if each is not None), default=None)

    def broke(self, error: str, next_at: datetime) -> JobEvent | None:
        return EpisodesRead("failed", 0, error=error, next_at=next_at)

    async def run(self, wanted: Wanted) -> AsyncGenerator[EpisodesRead, None]:
        """What a person asked for, session by session. Raises StorageError."""
        if not self.is_on:
            return
        events = led(self._leadership, lambda: self._sessions(wanted), lambda: self._queued(wanted))
        async with aclosing(events):
            async for event in events:
                yield event

    async def _queued(self, wanted: Wanted) -> list[EpisodesRead]:
        return [EpisodesRead("queued", 0, wanted.session_id or "")]

    def _sessions(self, wanted: Wanted) -> AsyncGenerator[EpisodesRead, None]:
        """Every session that is due."""
        due = self._due(wanted)
        if self._looks_again_at is not None and self._looks_again_at <= due.now:
            self._looks_again_at = None

        def claim(_last: Batch | None, tried: tuple[int, ...]) -> Awaitable[Batch | None]:
            return self._episodes.claim(replace(due, besides=tried), material.how_many_fit, telling.untold)

        def read(attempt: Attempt, _batch: Batch) -> AsyncGenerator[EpisodesRead, None]:
            return self._reader().read(attempt)

        return each_tried(self._learning, self._clock, claim, read)

    def _due(self, wanted: Wanted) -> Due:
        now = self._clock.now()
        return Due(
            now=now,
            batch_size=NEVER_BY_NUMBER,
            idle_since=now - timedelta(seconds=self._settings.memory.session_idle),
            ended=wanted.ended,
            session_id=wanted.session_id,
            everything=wanted.everything,
        )
