"""Jobs that do what a test wants, and how the real ones stand."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Awaitable, Callable, Sequence
from datetime import datetime

from orca_core.domain.events import Extraction
from orca_core.engine import Engine
from orca_core.flows.jobs.job import Job, JobEvent, JobStatus, News


class FakeJob(Job):
    """Works by `does`, which may break; remembers what it heard, and how often it was done."""

    name = "fake"

    def __init__(self, name: str = "fake", does: Callable[[], Awaitable[None]] | None = None) -> None:
        self.name = name  # type: ignore[misc]
        self.needs_lead = True  # type: ignore[misc]
        self.does = does
        self.events: Sequence[JobEvent] = ()
        self.wakes_at: datetime | None = None
        self.heard: list[News] = []
        self.done = 0

    def hear(self, news: News) -> None:
        self.heard.append(news)

    async def work(self) -> AsyncGenerator[JobEvent, None]:
        self.done += 1
        if self.does is not None:
            await self.does()
        for event in self.events:
            yield event

    async def next_at(self) -> datetime | None:
        return self.wakes_at

    async def left_to_another(self) -> Sequence[JobEvent]:
        return (Extraction("queued", 0, self.name),)

    def broke(self, error: str, next_at: datetime) -> JobEvent | None:
        return Extraction("failed", 0, self.name, error=error, next_at=next_at)


def job_status(engine: Engine, name: str) -> JobStatus:
    return next(each for each in engine.worker.status if each.name == name)
