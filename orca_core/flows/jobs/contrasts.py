"""Has candidates that stand on acts read against the latest acts before they go live: whenever something was learnt,
and once a day."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Callable
from contextlib import aclosing
from datetime import datetime
from functools import partial
from typing import ClassVar, Protocol

from orca_core.domain.events import Contrasted, Promoted
from orca_core.domain.growth.contrast import ChooseCandidate, ContrastBatch, DueCandidates
from orca_core.domain.ports import Clock
from orca_core.domain.stores.growth import ContrastStore, SupportStore
from orca_core.domain.stores.learning import LearningQueue
from orca_core.flows.jobs.daily import Daily
from orca_core.flows.jobs.job import EverythingWanted, Job, JobEvent, News
from orca_core.flows.jobs.tries import Attempt, each_tried
from orca_core.rules.growing import promoting
from orca_core.settings import Settings

AGENT_OFF = "the memory agent is switched off"


class Reader(Protocol):
    """What reads one batch. It is made when there is something to read."""

    def read(self, attempt: Attempt, batch: ContrastBatch) -> AsyncGenerator[Contrasted | Promoted, None]: ...


class ContrastJob(Job):
    """The best of those that are ready is read, then the next best, until one goes live: what comes then is compared
    anew. What nobody could read is asked again at its time, after a further act, and once a day; where the memory agent
    is switched off, that it waits is said once a day."""

    name: ClassVar[str] = "contrast"
    needs_lead: ClassVar[bool] = True
    asks_agent: ClassVar[bool] = True

    def __init__(
        self,
        contrasts: ContrastStore,
        supports: SupportStore,
        learning: LearningQueue,
        reader: Callable[[], Reader],
        clock: Clock,
        settings: Settings,
    ) -> None:
        self._contrasts = contrasts
        self._supports = supports
        self._learning = learning
        self._reader = reader
        self._clock = clock
        self._settings = settings
        self._daily = Daily(clock)
        self._everything = False

    @property
    def is_on(self) -> bool:
        memory = self._settings.memory
        return memory.enabled and memory.promote.enabled and self._settings.memory_agent.extract.asks_verifier

    def hear(self, news: News) -> None:
        if isinstance(news, EverythingWanted):
            self._everything = True

    async def work(self) -> AsyncGenerator[JobEvent, None]:
        promote, now = self._settings.memory.promote, self._clock.now()
        choose = partial(promoting.to_read, temperature=promote.temperature, min_support=promote.min_support)
        passes = self._readings(now, choose) if self._settings.memory_agent.enabled else self._left(now, choose)
        async with aclosing(passes) as events:
            async for event in events:
                yield event
        if self._daily.is_due:  # a pass in between does not put the next day off
            self._daily.done(now)

    async def _left(self, now: datetime, choose: ChooseCandidate) -> AsyncGenerator[JobEvent, None]:
        """What waits because nobody reads it."""
        waits = choose(await self._supports.pool(), now, ()) if self._daily.is_due else None
        if waits is not None:
            yield Contrasted("failed", 0, waits.id, waits.content, error=AGENT_OFF)

    async def _readings(self, now: datetime, choose: ChooseCandidate) -> AsyncGenerator[JobEvent, None]:
        everything, self._everything = self._everything or self._daily.is_due, False
        went_live = False

        async def claim(_last: ContrastBatch | None, tried: tuple[int, ...]) -> ContrastBatch | None:
            return None if went_live else await self._contrasts.claim(DueCandidates(now, everything, tried), choose)

        def read(attempt: Attempt, batch: ContrastBatch) -> AsyncGenerator[Contrasted | Promoted, None]:
            return self._reader().read(attempt, batch)

        async with aclosing(each_tried(self._learning, self._clock, claim, read)) as events:
            async for event in events:
                went_live = went_live or isinstance(event, Promoted)
                yield event

    async def next_at(self) -> datetime | None:
        """When one that failed may be retried, or the day is over."""
        return min(filter(None, [await self._contrasts.next_at(), self._daily.next_at]), default=None)

    def broke(self, error: str, next_at: datetime) -> JobEvent | None:
        return Contrasted("failed", 0, error=error, next_at=next_at)
