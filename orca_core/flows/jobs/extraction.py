"""Learns from waiting rounds: chooses which are due, batch by batch."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Awaitable, Callable, Sequence
from contextlib import aclosing
from datetime import datetime, timedelta
from typing import ClassVar, Protocol

from msgspec.structs import replace

from orca_core.domain.events import Extraction
from orca_core.domain.learning import Batch, Due, UnverifiedBatch, Wanted
from orca_core.domain.ports import Clock
from orca_core.domain.stores.learning import Leadership, LearningQueue
from orca_core.flows.jobs.job import Job, JobEvent, News
from orca_core.flows.jobs.passes import Heard, led
from orca_core.flows.jobs.tries import Attempt, each_tried
from orca_core.rules.learning.agent import transcripts
from orca_core.settings import Settings

MAX_UNVERIFIED_SESSIONS = 5
"""So many sessions with candidates that wait for the verifier are read at once. Chosen by hand."""


class Reader(Protocol):
    """What reads one batch. It is made when there is something to read: it brings all the rules of learning along."""

    def read(self, attempt: Attempt) -> AsyncGenerator[Extraction, None]: ...

    def read_unverified(self, attempt: Attempt, batch: UnverifiedBatch) -> AsyncGenerator[Extraction, None]: ...


class ExtractionJob(Job):
    """Five rounds of a session start a run, and the end of a session one of what is left; a person starts one at any
    time."""

    name: ClassVar[str] = "extraction"
    needs_lead: ClassVar[bool] = True
    asks_agent: ClassVar[bool] = True

    def __init__(
        self,
        learning: LearningQueue,
        leadership: Leadership,
        reader: Callable[[], Reader],
        clock: Clock,
        settings: Settings,
    ) -> None:
        self._learning = learning
        self._leadership = leadership
        self._reader = reader
        self._clock = clock
        self._settings = settings
        self._heard = Heard()

    @property
    def is_on(self) -> bool:
        return self._settings.memory.enabled and self._settings.memory.long_term.enabled and (
            self._settings.memory_agent.enabled
        )  # fmt: skip

    def hear(self, news: News) -> None:
        self._heard.hear(news)

    def work(self) -> AsyncGenerator[JobEvent, None]:
        return self._heard.a_pass(self._batches)

    async def left_to_another(self) -> Sequence[JobEvent]:
        return await self._queued(self._heard.wanted())

    async def next_at(self) -> datetime | None:
        """When a failed run may be retried, or the current session has idled."""
        queue = await self._learning.queue()
        times = [] if queue.next_at is None else [queue.next_at]
        if queue.waiting:
            times.append(self._clock.now() + timedelta(seconds=self._settings.memory.session_idle + 1.0))
        return min(times, default=None)

    def broke(self, error: str, next_at: datetime) -> JobEvent | None:
        return Extraction("failed", 0, error=error, next_at=next_at)

    def run(self, wanted: Wanted) -> AsyncGenerator[Extraction, None]:
        """What a person asked for, batch by batch. Raises StorageError."""
        return led(self._leadership, lambda: self._batches(wanted), lambda: self._queued(wanted))

    def run_again(self, session_id: str) -> AsyncGenerator[Extraction, None]:
        """A session's finished rounds once more. Raises NotFound, StorageError."""

        async def queued() -> list[Extraction]:
            return [Extraction("queued", 0, session_id)]

        return led(self._leadership, lambda: self._batches_again(session_id), queued)

    async def _batches(self, wanted: Wanted) -> AsyncGenerator[Extraction, None]:
        """Every batch that is due, and then what the verifier has not answered about."""
        for batches in (self._of_rounds(wanted), self._unverified(wanted)):
            async with aclosing(batches) as events:
                async for event in events:
                    yield event

    def _unverified(self, wanted: Wanted) -> AsyncGenerator[Extraction, None]:
        """Candidates that wait for the verifier, a few sessions at a time, until it does not answer again."""
        sessions: list[str] = []
        attempts: list[Attempt] = []
        extract = self._settings.memory_agent.extract

        async def claim(last: Batch | None, _tried: tuple[int, ...]) -> UnverifiedBatch | None:
            sessions.extend([] if last is None else [last.session_id])
            went = attempts[-1].second_reading if attempts else None
            is_down = went is not None and went.failure is not None
            if not extract.asks_verifier or is_down or len(sessions) >= MAX_UNVERIFIED_SESSIONS:
                return None
            return await self._learning.claim_unverified(self._clock.now(), sessions, is_wanted=wanted.inbox)

        def read(attempt: Attempt, batch: UnverifiedBatch) -> AsyncGenerator[Extraction, None]:
            attempts.append(attempt)
            return self._reader().read_unverified(attempt, batch)

        return each_tried(self._learning, self._clock, claim, read)

    def _of_rounds(self, wanted: Wanted) -> AsyncGenerator[Extraction, None]:
        """Every batch of rounds that is due."""

        def claim(last: Batch | None, tried: tuple[int, ...]) -> Awaitable[Batch | None]:
            due = replace(self._due(wanted), besides=tried)
            if last is not None and last.left:  # rounds that were due and did not fit into it follow at once
                due = replace(due, session_id=last.session_id, everything=True, most=last.left)
            return self._learning.claim(due, transcripts.how_many_fit)

        return each_tried(self._learning, self._clock, claim, self._read)

    def _batches_again(self, session_id: str) -> AsyncGenerator[Extraction, None]:
        def claim(last: Batch | None, _tried: tuple[int, ...]) -> Awaitable[Batch | None]:
            after = 0 if last is None else last.rounds[-1].number
            return self._learning.claim_again(session_id, after, self._clock.now(), transcripts.how_many_fit)

        return each_tried(self._learning, self._clock, claim, self._read)

    def _read(self, attempt: Attempt, _batch: Batch) -> AsyncGenerator[Extraction, None]:
        return self._reader().read(attempt)

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
