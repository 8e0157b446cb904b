"""Makes knowledge of several episodes on one target, in the background or when a person asks."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Callable, Sequence
from datetime import datetime
from typing import ClassVar, Protocol

from msgspec.structs import replace

from orca_core.domain.events import Consolidated
from orca_core.domain.ports import Clock
from orca_core.domain.stores.knowledge import KnowledgeStore
from orca_core.domain.stores.learning import Leadership, LearningQueue
from orca_core.domain.work.consolidating import DueTargets, KnowledgeBatch
from orca_core.flows.jobs.job import JobEvent
from orca_core.flows.jobs.named_batches import NamedBatches
from orca_core.flows.jobs.tries import Attempt
from orca_core.settings import Settings


class Writer(Protocol):
    """What reads one batch. It is made when there is something to read: it brings the rules of comparing along."""

    def write(self, attempt: Attempt, batch: KnowledgeBatch) -> AsyncGenerator[Consolidated, None]: ...


class Consolidation(NamedBatches[DueTargets, KnowledgeBatch, Consolidated]):
    """Enough episodes on one target start a run, and each further one another; a person starts one at any time."""

    name: ClassVar[str] = "knowledge"

    def __init__(
        self,
        knowledge: KnowledgeStore,
        learning: LearningQueue,
        leadership: Leadership,
        writer: Callable[[], Writer],
        clock: Clock,
        settings: Settings,
    ) -> None:
        def write(attempt: Attempt, batch: KnowledgeBatch) -> AsyncGenerator[Consolidated, None]:
            return writer().write(attempt, batch)

        super().__init__(knowledge.claim, write, learning, leadership, clock)
        self._knowledge = knowledge
        self._settings = settings

    @property
    def is_on(self) -> bool:
        memory = self._settings.memory
        return memory.enabled and memory.consolidate.enabled and self._settings.memory_agent.enabled

    async def next_at(self) -> datetime | None:
        """When a failed run may be retried, or to look whether work has ended beside the chat."""
        return min(filter(None, [(await self._learning.queue()).next_at, self._looks_again_at()]))

    def broke(self, error: str, next_at: datetime) -> JobEvent | None:
        return Consolidated("failed", 0, error=error, next_at=next_at)

    def run(self, target: str | None = None) -> AsyncGenerator[Consolidated, None]:
        """What a person asked for: all that is due, or one target with as many episodes as it has. Raises
        StorageError."""
        return self._asked_for(replace(self._due(), target=target), lambda: self._queued(target))

    async def _queued(self, target: str | None) -> Sequence[Consolidated]:
        """One that is named the Orca that leads does once enough wait."""
        least = self._settings.memory.consolidate.min_episodes
        return [
            Consolidated("queued", 0, each.target)
            for each in await self._knowledge.targets()
            if target is None and each.unread and (each.knowledge or each.waiting >= least)
        ]

    def _due(self) -> DueTargets:
        return DueTargets(self._clock.now(), self._settings.memory.consolidate.min_episodes)
