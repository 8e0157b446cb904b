"""What a job is: work that is done in the background, by the worker, while nobody waits."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import ClassVar, Protocol

from orca_core.domain.events import Extraction, Folded, Resting

JobEvent = Extraction | Folded | Resting
"""What the worker's listeners are told."""


@dataclass(frozen=True, slots=True)
class RoundRecorded:
    """A round of this session was recorded: the session goes on."""

    session_id: str


@dataclass(frozen=True, slots=True)
class SessionEnded:
    """Another session was begun, or Orca ends."""

    session_id: str


@dataclass(frozen=True, slots=True)
class EverythingWanted:
    """A person asked for all that waits, also for what failed a moment ago."""


News = RoundRecorded | SessionEnded | EverythingWanted


class Job(Protocol):
    """One kind of background work. What is not said otherwise here is the usual answer of a job."""

    name: ClassVar[str]
    """Under which its status is told."""
    needs_lead: ClassVar[bool] = False
    """Done by one Orca at a time; the worker holds the lead while the job works."""
    asks_agent: ClassVar[bool] = False
    """Asks the memory agent: costs tokens, which may be used up for today."""

    @property
    def is_on(self) -> bool:
        return True

    def hear(self, news: News) -> None:  # noqa: ARG002  # most jobs look into the database instead
        """Something happened that may make work. Nothing is done here: `work` follows soon."""
        return

    def work(self) -> AsyncGenerator[JobEvent, None]:
        """Do all that is due, and tell of it. What it raises is reported, and tried again in a while."""
        ...

    async def left_to_another(self) -> Sequence[JobEvent]:
        """Another Orca leads: what of this job's work it will have to do."""
        return ()

    async def next_at(self) -> datetime | None:
        """When there is something to do next, though nothing happens until then."""
        return None

    def broke(self, error: str, next_at: datetime) -> JobEvent | None:  # noqa: ARG002  # its status says it
        """What is told where `work` raised."""
        return None


class Chore(Job, Protocol):
    """A job without runs on record: it may be begun at any time, by several Orcas at once, and tells of nothing."""

    async def tend(self) -> None:
        """Do all that is due."""
        ...

    async def work(self) -> AsyncGenerator[JobEvent, None]:
        await self.tend()
        for event in _NOTHING:
            yield event


_NOTHING: tuple[JobEvent, ...] = ()


@dataclass(frozen=True, slots=True)
class JobStatus:
    """How a job stands. `failure` says why its last work broke, empty where it did not; `rests_until` that today's
    tokens are used up."""

    name: str
    is_running: bool = False
    failure: str = ""
    next_at: datetime | None = None
    rests_until: datetime | None = None
