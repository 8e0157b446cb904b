"""Reads what acts of the user show: chooses which are due, batch by batch."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Awaitable, Callable
from datetime import datetime, timedelta
from typing import ClassVar, Protocol

from msgspec.structs import replace

from orca_core.domain.events import ActsRead
from orca_core.domain.growth.reading import ActBatch
from orca_core.domain.learning import Due, Wanted
from orca_core.domain.ports import Clock
from orca_core.domain.stores.growth import ActReadings
from orca_core.domain.stores.learning import Leadership, LearningQueue
from orca_core.flows.jobs.job import Job, JobEvent, News
from orca_core.flows.jobs.passes import Heard, led
from orca_core.flows.jobs.tries import Attempt, each_tried
from orca_core.rules.growing import due as rule
from orca_core.settings import Settings


class Reader(Protocol):
    """What reads one batch of acts. It is made when there is something to read."""

    def read(self, attempt: Attempt, batch: ActBatch) -> AsyncGenerator[ActsRead, None]: ...


class ActJob(Job):
    """Five acts of one session and reading start a run, and the end of a session one of what is left; a person starts
    one at any time."""

    name: ClassVar[str] = "acts"
    needs_lead: ClassVar[bool] = True
    asks_agent: ClassVar[bool] = True

    def __init__(
        self,
        readings: ActReadings,
        learning: LearningQueue,
        leadership: Leadership,
        reader: Callable[[], Reader],
        clock: Clock,
        settings: Settings,
    ) -> None:
        self._readings = readings
        self._learning = learning
        self._leadership = leadership
        self._reader = reader
        self._clock = clock
        self._settings = settings
        self._heard = Heard()

    @property
    def is_on(self) -> bool:
        memory = self._settings.memory
        return (
            memory.enabled and memory.long_term.enabled and memory.actions.enabled
        ) and self._settings.memory_agent.enabled

    def hear(self, news: News) -> None:
        self._heard.hear(news)

    def work(self) -> AsyncGenerator[JobEvent, None]:
        return self._heard.a_pass(self._batches)

    async def next_at(self) -> datetime | None:
        """When a failed run may be retried, or the sessions of what waits have idled."""
        times = [(await self._learning.queue()).next_at]
        if await self._readings.waiting():
            times.append(self._clock.now() + timedelta(seconds=self._settings.memory.session_idle + 1.0))
        return min((each for each in times if each is not None), default=None)

    def broke(self, error: str, next_at: datetime) -> JobEvent | None:
        return ActsRead("failed", 0, error=error, next_at=next_at)

    def run(self, wanted: Wanted) -> AsyncGenerator[ActsRead, None]:
        """What a person asked for, batch by batch. Raises StorageError."""
        return led(self._leadership, lambda: self._batches(wanted), lambda: self._queued(wanted))

    async def _queued(self, wanted: Wanted) -> list[ActsRead]:
        return [ActsRead("queued", 0, wanted.session_id or "")] if await self._readings.waiting() else []

    def _batches(self, wanted: Wanted) -> AsyncGenerator[ActsRead, None]:
        """Every batch that is due."""
        due = self._due(wanted)

        def claim(_last: ActBatch | None, tried: tuple[int, ...]) -> Awaitable[ActBatch | None]:
            return self._readings.claim(replace(due, besides=tried), rule.chosen)

        def read(attempt: Attempt, batch: ActBatch) -> AsyncGenerator[ActsRead, None]:
            return self._reader().read(attempt, batch)

        return each_tried(self._learning, self._clock, claim, read)

    def _due(self, wanted: Wanted) -> Due:
        now = self._clock.now()
        return Due(
            now=now,
            batch_size=rule.BATCH,
            idle_since=now - timedelta(seconds=self._settings.memory.session_idle),
            ended=wanted.ended,
            session_id=wanted.session_id,
            everything=wanted.everything,
        )
