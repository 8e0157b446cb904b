"""Reads ended sessions for what was done in them: chooses which are due, one after the other."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from contextlib import aclosing
from dataclasses import replace
from datetime import datetime, timedelta
from typing import ClassVar, Protocol

from orca_core.domain.events import EpisodesRead
from orca_core.domain.learning import Due, Wanted
from orca_core.domain.ports import Clock
from orca_core.domain.stores.episodes import EpisodeStore
from orca_core.domain.stores.learning import Leadership, LearningQueue
from orca_core.flows.jobs.job import EverythingWanted, Job, JobEvent, News, RoundRecorded, SessionEnded
from orca_core.flows.jobs.tries import Attempt, claimed
from orca_core.flows.shared.lazy import Lazy
from orca_core.rules.working import material, telling
from orca_core.settings import Settings

NEVER_BY_NUMBER = 2**31
"""However many rounds a session has, only its end makes it due."""
_LEFT_UNREAD = frozenset({"running", "failed"})


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
        reader: Lazy[SessionReader],
        clock: Clock,
        settings: Settings,
    ) -> None:
        self._episodes = episodes
        self._learning = learning
        self._leadership = leadership
        self._reader = reader
        self._clock = clock
        self._settings = settings
        self._ended: set[str] = set()
        self._everything = False
        self._looks_again_at: datetime | None = None

    @property
    def is_on(self) -> bool:
        memory = self._settings.memory
        return (
            memory.enabled and memory.episodes.enabled and memory.episodes.from_chats
        ) and self._settings.memory_agent.enabled

    def hear(self, news: News) -> None:
        match news:
            case RoundRecorded(session_id):
                self._ended.discard(session_id)
                self._looks_again_at = self._clock.now() + timedelta(seconds=self._settings.memory.session_idle + 1.0)
            case SessionEnded(session_id):
                self._ended.add(session_id)
            case EverythingWanted():
                self._everything = True

    async def work(self) -> AsyncGenerator[JobEvent, None]:
        wanted = Wanted(ended=tuple(sorted(self._ended)), everything=self._everything)
        # A session that ends while this runs belongs to the next pass: do not clear it with this one's.
        asked_for, self._ended, self._everything = self._ended, set(), False
        state, is_through = "none", False
        try:
            async with aclosing(self._sessions(wanted)) as events:
                async for event in events:
                    state = event.state
                    yield event
            is_through = True
        finally:
            if state in _LEFT_UNREAD or not is_through:
                self._ended |= asked_for

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
        if not await self._leadership.acquire():
            yield EpisodesRead("queued", 0, wanted.session_id or "")
            return
        try:
            async with aclosing(self._sessions(wanted)) as events:
                async for event in events:
                    yield event
        finally:
            await self._leadership.resign()

    async def _sessions(self, wanted: Wanted) -> AsyncGenerator[EpisodesRead, None]:
        """Every session that is due. Called while this Orca leads."""
        due = self._due(wanted)
        if self._looks_again_at is not None and self._looks_again_at <= due.now:
            self._looks_again_at = None
        tried: tuple[int, ...] = ()
        while batch := await claimed(
            self._learning, self._episodes.claim(replace(due, besides=tried), material.how_many_fit, telling.untold)
        ):
            tried += (batch.run,)
            attempt = Attempt(batch, self._learning, self._clock)
            async with aclosing(self._reader.get().read(attempt)) as events:
                async for event in events:
                    yield event
            if attempt.ends_the_pass:
                return

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
