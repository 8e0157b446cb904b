"""A job: work that is done in the background, by the worker, while nobody waits."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable, Sequence
from datetime import datetime, timedelta
from typing import ClassVar, Protocol, TypeVar

from msgspec import Struct

from orca_core.model.events import (
    ActsRead,
    Consolidated,
    Embedded,
    EpisodesRead,
    Extraction,
    GuideMade,
    Promoted,
    Resting,
    SummaryFolded,
)
from orca_core.model.llm import Clock
from orca_core.rules.memory import memory_upkeep

S = TypeVar("S")

PAUSE_S = 0.01
"""The least pause between two slices that write; at least as long as the slice took."""
REST = timedelta(seconds=1)
"""Between two pieces of what waits. Chosen by hand."""

JobEvent = (
    Extraction | SummaryFolded | EpisodesRead | ActsRead | Consolidated | GuideMade | Promoted | Resting | Embedded
)
"""The events that the worker sends its listeners."""


async def paced(slices: Sequence[S], clock: Clock) -> AsyncGenerator[S, None]:
    """Each slice of a long work, with a pause behind it in which others write: a writer of another process polls for
    the lock, and must find it free half of the time."""
    for each in slices:
        began = clock.monotonic()
        yield each
        await asyncio.sleep(max(PAUSE_S, clock.monotonic() - began))


class RoundRecorded(Struct, frozen=True):
    """A round of this session was recorded: the session goes on."""

    session_id: str


class SessionEnded(Struct, frozen=True):
    """Another session was begun, or Orca ends."""

    session_id: str


class EverythingWanted(Struct, frozen=True):
    """A person asked for all that waits, also for what failed a moment ago."""


class InboxOpened(Struct, frozen=True):
    """A person looks at what waits for them."""


News = RoundRecorded | SessionEnded | EverythingWanted | InboxOpened


class Job(Protocol):
    """One kind of background work. A job overrides what differs from the defaults here."""

    name: str
    """The name in its status."""
    needs_lead: ClassVar[bool] = False
    """One Orca at a time does it; the worker holds the lead while the job works."""
    asks_agent: ClassVar[bool] = False
    """Whether it asks the memory agent, and so costs tokens that may be used up for today."""

    @property
    def is_on(self) -> bool:
        return True

    @property
    def has_more(self) -> bool:
        """Whether `work` did a piece, and the next one can be done at once."""
        return False

    def hear(self, news: News) -> None:  # noqa: ARG002  # most jobs look into the database instead
        """Note news that may make work; `work` is called soon after."""
        return

    def work(self) -> AsyncGenerator[JobEvent, None]:
        """Do all that is due, yielding events. An exception is reported, and the work retried later."""
        ...

    async def left_to_another(self) -> Sequence[JobEvent]:
        """Another Orca leads: events for the work that it will do."""
        return ()

    async def next_at(self) -> datetime | None:
        """When to wake this job, if nothing happens until then."""
        return None

    def broke(self, error: str, next_at: datetime) -> JobEvent | None:  # noqa: ARG002  # its status says it
        """The event to send where `work` raised."""
        return None


class JobStatus(Struct, frozen=True):
    """The status of a job. `failure` says why its last work raised, empty where it did not; `rests_until` that
    today's tokens are used up."""

    name: str
    is_running: bool = False
    failure: str = ""
    next_at: datetime | None = None
    rests_until: datetime | None = None


class Daily:
    """Remembers, by the clock, when it was done last in this process."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._done_at: datetime | None = None

    @property
    def is_due(self) -> bool:
        return memory_upkeep.is_daily_due(self._done_at, self._clock.now())

    @property
    def next_at(self) -> datetime | None:
        """None where it was never done."""
        return None if self._done_at is None else self._done_at + memory_upkeep.EVERY

    def done(self, at: datetime) -> None:
        self._done_at = at

    def wanted(self) -> None:
        """Make it due now, whenever it was done."""
        self._done_at = None


class Chore(Job):
    """A job without runs on record: several Orcas may do it at once, and it sends no events."""

    def __init__(self, name: str, tend: Callable[[], Awaitable[object]]) -> None:
        """`tend` does all that is due."""
        self.name = name
        self._tend = tend

    async def work(self) -> AsyncGenerator[JobEvent, None]:
        await self._tend()
        return
        yield


class PiecewiseChore(Chore):
    """A piece of what waits, and the next one a moment later: who waits for upkeep waits no longer for it."""

    def __init__(self, name: str, clock: Clock, do_piece: Callable[[], Awaitable[bool]]) -> None:
        """`do_piece` returns whether more can be done at once."""
        super().__init__(name, self._do)
        self._clock = clock
        self._do_piece = do_piece
        self._waits = False

    async def _do(self) -> None:
        self._waits = await self._do_piece()

    @property
    def has_more(self) -> bool:
        return self._waits

    async def next_at(self) -> datetime | None:
        return self._clock.now() + REST if self._waits else None


class DailyChore(Chore):
    """At the start, and once a day; also when a person asks for everything."""

    def __init__(
        self,
        name: str,
        clock: Clock,
        run: Callable[[], Awaitable[object]],
        *,
        is_on: bool = True,
        done_at: Callable[[], Awaitable[datetime | None]] | None = None,
    ) -> None:
        """`done_at`: when any process did it last, where that is kept."""
        super().__init__(name, self._run_if_due)
        self._clock = clock
        self._run = run
        self._is_on = is_on
        self._done_at = done_at
        self._daily = Daily(clock)
        self._is_wanted = False

    @property
    def is_on(self) -> bool:
        return self._is_on

    def hear(self, news: News) -> None:
        if isinstance(news, EverythingWanted):
            self._is_wanted = True

    async def next_at(self) -> datetime | None:
        return self._daily.next_at

    async def _run_if_due(self) -> None:
        if not self._is_wanted:
            if not self._daily.is_due:
                return
            last = None if self._done_at is None else await self._done_at()
            if last is not None and not memory_upkeep.is_daily_due(last, self._clock.now()):
                self._daily.done(last)
                return
        await self._run()
        self._is_wanted = False
        self._daily.done(self._clock.now())
