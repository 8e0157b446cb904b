"""Makes knowledge of several episodes on one target, in the background or when a person asks."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Awaitable, Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from typing import ClassVar, Protocol

from orca_core.domain.events import Consolidated
from orca_core.domain.ports import Clock
from orca_core.domain.stores.knowledge import KnowledgeStore
from orca_core.domain.stores.learning import Leadership, LearningQueue
from orca_core.domain.work.consolidating import DueTargets, KnowledgeBatch
from orca_core.flows.jobs.job import EverythingWanted, Job, JobEvent, News
from orca_core.flows.jobs.passes import led
from orca_core.flows.jobs.tries import Attempt, each_tried
from orca_core.flows.shared.lazy import Lazy
from orca_core.settings import Settings

LOOK_AGAIN = timedelta(minutes=10)
"""Tasks end without a round, also in another process. Chosen by hand."""


class Writer(Protocol):
    """What reads one batch. It is made when there is something to read: it brings the rules of comparing along."""

    def write(self, attempt: Attempt, batch: KnowledgeBatch) -> AsyncGenerator[Consolidated, None]: ...


class Consolidation(Job):
    """Enough episodes on one target start a run, and each further one another; a person starts one at any time."""

    name: ClassVar[str] = "knowledge"
    needs_lead: ClassVar[bool] = True
    asks_agent: ClassVar[bool] = True

    def __init__(
        self,
        knowledge: KnowledgeStore,
        learning: LearningQueue,
        leadership: Leadership,
        writer: Lazy[Writer],
        clock: Clock,
        settings: Settings,
    ) -> None:
        self._knowledge = knowledge
        self._learning = learning
        self._leadership = leadership
        self._writer = writer
        self._clock = clock
        self._settings = settings
        self._everything = False

    @property
    def is_on(self) -> bool:
        memory = self._settings.memory
        return memory.enabled and memory.consolidate.enabled and self._settings.memory_agent.enabled

    def hear(self, news: News) -> None:
        if isinstance(news, EverythingWanted):
            self._everything = True

    def work(self) -> AsyncGenerator[JobEvent, None]:
        due = replace(self._due(), everything=self._everything)
        self._everything = False
        return self._batches(due)

    async def next_at(self) -> datetime | None:
        """When a failed run may be retried, or to look whether work has ended beside the chat."""
        return min(filter(None, [(await self._learning.queue()).next_at, self._clock.now() + LOOK_AGAIN]))

    def broke(self, error: str, next_at: datetime) -> JobEvent | None:
        return Consolidated("failed", 0, error=error, next_at=next_at)

    def run(self, target: str | None = None) -> AsyncGenerator[Consolidated, None]:
        """What a person asked for: all that is due, or one target with as many episodes as it has. Raises
        StorageError."""
        due = replace(self._due(), target=target, everything=True)
        return led(self._leadership, lambda: self._batches(due), lambda: self._queued(target))

    def _batches(self, due: DueTargets) -> AsyncGenerator[Consolidated, None]:
        """Every batch that is due."""

        def claim(_last: KnowledgeBatch | None, tried: tuple[int, ...]) -> Awaitable[KnowledgeBatch | None]:
            return self._knowledge.claim(replace(due, besides=tried))

        def write(attempt: Attempt, batch: KnowledgeBatch) -> AsyncGenerator[Consolidated, None]:
            return self._writer.get().write(attempt, batch)

        return each_tried(self._learning, self._clock, claim, write)

    async def _queued(self, target: str | None) -> Sequence[Consolidated]:
        """Which of them another Orca, which leads, will carry out; one that is named it does once enough wait."""
        least = self._settings.memory.consolidate.min_episodes
        return [
            Consolidated("queued", 0, each.target)
            for each in await self._knowledge.targets()
            if target is None and each.unread and (each.knowledge or each.waiting >= least)
        ]

    def _due(self) -> DueTargets:
        return DueTargets(self._clock.now(), self._settings.memory.consolidate.min_episodes)
