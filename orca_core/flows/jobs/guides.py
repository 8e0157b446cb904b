"""Writes guides of tools, in the background or when a person asks."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Callable, Sequence
from datetime import datetime
from typing import ClassVar, Protocol

from msgspec.structs import replace

from orca_core.domain.events import GuideMade
from orca_core.domain.growth.tools import DueGuides, GuideBatch
from orca_core.domain.ports import Clock
from orca_core.domain.stores.growth import GuideStore
from orca_core.domain.stores.learning import Leadership, LearningQueue
from orca_core.flows.jobs.job import JobEvent
from orca_core.flows.jobs.named_batches import NamedBatches
from orca_core.flows.jobs.tries import Attempt
from orca_core.settings import Settings


class Writer(Protocol):
    """What reads one batch. It is made when there is something to read."""

    def write(self, attempt: Attempt, batch: GuideBatch) -> AsyncGenerator[GuideMade, None]: ...


class Guides(NamedBatches[DueGuides, GuideBatch, GuideMade]):
    """Enough new calls of a tool start a run, or any and the time since its guide was written; a person starts one at
    any time."""

    name: ClassVar[str] = "guides"

    def __init__(
        self,
        guides: GuideStore,
        learning: LearningQueue,
        leadership: Leadership,
        writer: Callable[[], Writer],
        clock: Clock,
        settings: Settings,
    ) -> None:
        def write(attempt: Attempt, batch: GuideBatch) -> AsyncGenerator[GuideMade, None]:
            return writer().write(attempt, batch)

        super().__init__(guides.claim, write, learning, leadership, clock)
        self._guides = guides
        self._settings = settings

    @property
    def is_on(self) -> bool:
        memory = self._settings.memory
        return memory.enabled and memory.tools.enabled and self._settings.memory_agent.enabled

    async def next_at(self) -> datetime | None:
        """When the next guide is due, to the second; or to look whether calls came in another process."""
        return min(filter(None, [await self._guides.next_at(self._due()), self._looks_again_at()]))

    def broke(self, error: str, next_at: datetime) -> JobEvent | None:
        return GuideMade("failed", 0, error=error, next_at=next_at)

    def run(self, tool: str = "") -> AsyncGenerator[GuideMade, None]:
        """What a person asked for: the guides of all tools with new calls, or that of one. Raises StorageError."""
        return self._asked_for(replace(self._due(), tool=tool), lambda: self._queued(tool))

    async def _queued(self, tool: str) -> Sequence[GuideMade]:
        """One that is named the Orca that leads writes once it is due."""
        return [GuideMade("queued", 0, each.tool) for each in await self._guides.waiting() if not tool]

    def _due(self) -> DueGuides:
        tools = self._settings.memory.tools
        return DueGuides(self._clock.now(), tools.summary_count, tools.summary_after)
