"""Writes guides of tools, in the background or when a person asks."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Awaitable, Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from typing import ClassVar, Protocol

from orca_core.domain.growth.events import GuideMade
from orca_core.domain.growth.tools import DueGuides, GuideBatch
from orca_core.domain.ports import Clock
from orca_core.domain.stores.growth import GuideStore
from orca_core.domain.stores.learning import Leadership, LearningQueue
from orca_core.flows.jobs.job import EverythingWanted, Job, JobEvent, News
from orca_core.flows.jobs.passes import led
from orca_core.flows.jobs.tries import Attempt, each_tried
from orca_core.flows.shared.lazy import Lazy
from orca_core.settings import Settings

LOOK_AGAIN = timedelta(minutes=10)
"""Calls may be recorded by another process. Chosen by hand."""


class Writer(Protocol):
    """What reads one batch. It is made when there is something to read."""

    def write(self, attempt: Attempt, batch: GuideBatch) -> AsyncGenerator[GuideMade, None]: ...


class Guides(Job):
    """Enough new calls of a tool start a run, or any and the time since its guide was written; a person starts one at
    any time."""

    name: ClassVar[str] = "guides"
    needs_lead: ClassVar[bool] = True
    asks_agent: ClassVar[bool] = True

    def __init__(
        self,
        guides: GuideStore,
        learning: LearningQueue,
        leadership: Leadership,
        writer: Lazy[Writer],
        clock: Clock,
        settings: Settings,
    ) -> None:
        self._guides = guides
        self._learning = learning
        self._leadership = leadership
        self._writer = writer
        self._clock = clock
        self._settings = settings
        self._everything = False

    @property
    def is_on(self) -> bool:
        memory = self._settings.memory
        return memory.enabled and memory.tools.enabled and self._settings.memory_agent.enabled

    def hear(self, news: News) -> None:
        if isinstance(news, EverythingWanted):
            self._everything = True

    def work(self) -> AsyncGenerator[JobEvent, None]:
        due = replace(self._due(), everything=self._everything)
        self._everything = False
        return self._batches(due)

    async def next_at(self) -> datetime | None:
        """When the next guide is due, to the second; or to look whether calls came in another process."""
        return min(filter(None, [await self._guides.next_at(self._due()), self._clock.now() + LOOK_AGAIN]))

    def broke(self, error: str, next_at: datetime) -> JobEvent | None:
        return GuideMade("failed", 0, error=error, next_at=next_at)

    def run(self, tool: str = "") -> AsyncGenerator[GuideMade, None]:
        """What a person asked for: the guides of all tools with new calls, or that of one. Raises StorageError."""
        due = replace(self._due(), tool=tool, everything=True)
        return led(self._leadership, lambda: self._batches(due), lambda: self._queued(tool))

    def _batches(self, due: DueGuides) -> AsyncGenerator[GuideMade, None]:
        """Every batch that is due."""

        def claim(_last: GuideBatch | None, tried: tuple[int, ...]) -> Awaitable[GuideBatch | None]:
            return self._guides.claim(replace(due, besides=tried))

        def write(attempt: Attempt, batch: GuideBatch) -> AsyncGenerator[GuideMade, None]:
            return self._writer.get().write(attempt, batch)

        return each_tried(self._learning, self._clock, claim, write)

    async def _queued(self, tool: str) -> Sequence[GuideMade]:
        """Which of them another Orca, which leads, will carry out; one that is named it does once it is due."""
        return [GuideMade("queued", 0, each.tool) for each in await self._guides.waiting() if not tool]

    def _due(self) -> DueGuides:
        tools = self._settings.memory.tools
        return DueGuides(self._clock.now(), tools.summary_count, tools.summary_after)
