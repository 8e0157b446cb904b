"""Learns from waiting rounds: chooses which are due, batch by batch."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Sequence
from contextlib import aclosing
from dataclasses import replace
from datetime import datetime, timedelta
from typing import ClassVar, Protocol

from orca_core.domain.events import Extraction
from orca_core.domain.learning import Due, Wanted
from orca_core.domain.ports import Clock
from orca_core.domain.stores.learning import Leadership, LearningQueue
from orca_core.flows.jobs.job import EverythingWanted, Job, JobEvent, News, RoundRecorded, SessionEnded
from orca_core.flows.jobs.tries import Attempt, claimed
from orca_core.flows.shared.lazy import Lazy
from orca_core.rules.learning.agent import transcripts
from orca_core.settings import Settings

_LEFT_UNREAD = frozenset({"running", "failed"})


class Reader(Protocol):
    """What reads one batch. It is made when there is something to read: it brings all the rules of learning along."""

    def read(self, attempt: Attempt) -> AsyncGenerator[Extraction, None]: ...


class ExtractionJob(Job):
    """Five rounds of a session start a run, and the end of a session one of what is left; a person starts one at any
    time."""

    name: ClassVar[str] = "extraction"
    needs_lead: ClassVar[bool] = True
    asks_agent: ClassVar[bool] = True

    def __init__(
        self, learning: LearningQueue, leadership: Leadership, reader: Lazy[Reader], clock: Clock, settings: Settings
    ) -> None:
        self._learning = learning
        self._leadership = leadership
        self._reader = reader
        self._clock = clock
        self._settings = settings
        self._ended: set[str] = set()
        self._asked_for: set[str] = set()
        self._everything = False

    @property
    def is_on(self) -> bool:
        return self._settings.memory.enabled and self._settings.memory.long_term.enabled and (
            self._settings.memory_agent.enabled
        )  # fmt: skip

    def hear(self, news: News) -> None:
        match news:
            case RoundRecorded(session_id):
                self._ended.discard(session_id)
                self._asked_for.discard(session_id)
            case SessionEnded(session_id):
                self._ended.add(session_id)
            case EverythingWanted():
                self._everything = True

    async def work(self) -> AsyncGenerator[JobEvent, None]:
        wanted = self._heard()
        # A session that ends while this runs belongs to the next pass: do not clear it with this one's.
        self._asked_for, self._ended = self._ended, set()
        state, is_through = "none", False
        try:
            async with aclosing(self._batches(wanted)) as events:
                async for event in events:
                    state = event.state
                    yield event
            is_through = True
        finally:
            if state in _LEFT_UNREAD or not is_through:
                self._ended |= self._asked_for

    async def left_to_another(self) -> Sequence[JobEvent]:
        return await self._queued(self._heard())

    async def next_at(self) -> datetime | None:
        """When a failed run may be retried, or the current session has idled."""
        queue = await self._learning.queue()
        times = [] if queue.next_at is None else [queue.next_at]
        if queue.waiting:
            times.append(self._clock.now() + timedelta(seconds=self._settings.memory.session_idle + 1.0))
        return min(times, default=None)

    def broke(self, error: str, next_at: datetime) -> JobEvent | None:
        return Extraction("failed", 0, error=error, next_at=next_at)

    async def run(self, wanted: Wanted) -> AsyncGenerator[Extraction, None]:
        """What a person asked for, batch by batch. Raises StorageError."""
        if not await self._leadership.acquire():
            for event in await self._queued(wanted):
                yield event
            return
        try:
            async with aclosing(self._batches(wanted)) as events:
                async for event in events:
                    yield event
        finally:
            await self._leadership.resign()

    async def run_again(self, session_id: str) -> AsyncGenerator[Extraction, None]:
        """A session's finished rounds once more. Raises NotFound, StorageError."""
        if not await self._leadership.acquire():
            yield Extraction("queued", 0, session_id)
            return
        try:
            last = 0
            while batch := await claimed(
                self._learning,
                self._learning.claim_again(session_id, last, self._clock.now(), transcripts.how_many_fit),
            ):
                last = batch.rounds[-1].number
                attempt = Attempt(batch, self._learning, self._clock)
                async with aclosing(self._reader.get().read(attempt)) as events:
                    async for event in events:
                        yield event
                if attempt.ends_the_pass:
                    return
        finally:
            await self._leadership.resign()

    async def _batches(self, wanted: Wanted) -> AsyncGenerator[Extraction, None]:
        """Every batch that is due. Called while this Orca leads."""
        due = self._due(wanted)
        tried: tuple[int, ...] = ()
        while batch := await claimed(
            self._learning, self._learning.claim(replace(due, besides=tried), transcripts.how_many_fit)
        ):
            tried += (batch.run,)
            attempt = Attempt(batch, self._learning, self._clock)
            async with aclosing(self._reader.get().read(attempt)) as events:
                async for event in events:
                    yield event
            if attempt.ends_the_pass:
                return
            # Rounds that were due and did not fit into this batch follow at once.
            rest = replace(due, session_id=batch.session_id, everything=True, most=batch.left)
            due = rest if batch.left else self._due(wanted)

    async def _queued(self, wanted: Wanted) -> list[Extraction]:
        """Which of them another Orca, which leads, will carry out."""
        queue = await self._learning.queue()
        batch_size = self._settings.memory_agent.extract.batch_size
        return [
            Extraction("queued", 0, session_id)
            for session_id, rounds in queue.waiting.items()
            if rounds >= (1 if wanted.everything or session_id in wanted.ended else batch_size)
            and wanted.session_id in (None, session_id)
        ]

    def _heard(self) -> Wanted:
        """What the news ask for; a request for everything counts once."""
        wanted = Wanted(ended=tuple(sorted(self._ended)), everything=self._everything)
        self._everything = False
        return wanted

    def _due(self, wanted: Wanted) -> Due:
        now = self._clock.now()
        return Due(
            now=now,
            batch_size=self._settings.memory_agent.extract.batch_size,
            idle_since=now - timedelta(seconds=self._settings.memory.session_idle),
            ended=wanted.ended,
            session_id=wanted.session_id,
            everything=wanted.everything,
        )
