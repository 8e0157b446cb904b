"""Jobs that do what a test wants, and how the real ones stand."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from datetime import datetime

from fakes.clocks import StillClock

from orca_core.jobs.job import Job, JobEvent, JobStatus, News
from orca_core.jobs.worker import Worker
from orca_core.model.errors import StoreBusy
from orca_core.model.events import Extraction
from orca_core.model.llm import AgentCall, Clock, DailyUsage
from orca_core.orca import Orca
from orca_core.services.shared.spending import Spending

LIMIT = 1000
"""The tokens of a day."""


class FakeJob(Job):
    """Works by `does`, which may break; remembers what it heard, and how often it was done."""

    name = "fake"

    def __init__(self, name: str = "fake", does: Callable[[], Awaitable[None]] | None = None) -> None:
        self.name = name  # type: ignore[misc]
        self.needs_lead = True  # type: ignore[misc]
        self.asks_agent = False  # type: ignore[misc]
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


def job_status(orca: Orca, name: str) -> JobStatus:
    return next(each for each in orca.worker.status if each.name == name)


class FakeLedger:
    """Keeps the calls that it is told of; while it is `busy`, none."""

    def __init__(self, *, used: int = 0) -> None:
        self.used = used
        self.is_busy = False
        self.calls: list[AgentCall] = []

    async def note(self, calls: Sequence[AgentCall]) -> None:
        if self.is_busy:
            raise StoreBusy(path="orca.db")
        self.calls += calls

    async def used_on(self, day: str) -> int:
        return self.used + sum(each.prompt_tokens + each.completion_tokens for each in self.calls if each.day == day)

    async def spent_since(self, day: str) -> list[DailyUsage]:
        raise AssertionError(day)


def spending(ledger: FakeLedger, clock: Clock, *, daily_tokens: int = 0) -> Spending:
    return Spending(ledger, clock, daily_tokens, lambda _usage: None)


class Lead:
    """A lead that this Orca has, or another one; counts how often it was taken."""

    def __init__(self, *, is_ours: bool = True) -> None:
        self.is_ours = is_ours
        self.is_held = False
        self.taken = 0

    async def acquire_lead(self) -> bool:
        self.taken += 1
        self.is_held = self.is_ours
        return self.is_ours

    async def resign_lead(self) -> None:
        self.is_held = False


@asynccontextmanager
async def working(
    *jobs: Job, lead: Lead | None = None, ledger: FakeLedger | None = None, clock: StillClock | None = None
) -> AsyncIterator[tuple[Worker, list[JobEvent]]]:
    told: list[JobEvent] = []
    at = clock or StillClock()
    worker = Worker(jobs, lead or Lead(), spending(ledger or FakeLedger(), at, daily_tokens=LIMIT), at)
    worker.subscribe(told.append)
    try:
        yield worker, told
    finally:
        await worker.aclose()


async def done(worker: Worker) -> None:
    worker.wake()
    await worker.drain(30)
    await worker.tidy(30)


def wakes_in_s(worker: Worker) -> float:
    timer = worker._learning._timer
    assert timer is not None
    return timer.when() - asyncio.get_running_loop().time()
