"""One try at a batch: claimed, done, and given back or stored as failed where it breaks."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import aclosing
from datetime import datetime
from types import TracebackType
from typing import TypeVar

from orca_core.model.errors import ConfigError, ModelError, OrcaError, StorageError
from orca_core.model.learning import AgentMessage, Batch, RunEnd, RunState, Verification
from orca_core.model.llm import Clock
from orca_core.operations.learning_queue import LearningQueue
from orca_core.owned_tasks import LOG, carried_through
from orca_core.rules.learning import run_schedule
from orca_core.services.shared.degradation import cause

B = TypeVar("B", bound=Batch)
E = TypeVar("E")

OF_THE_SURROUNDINGS = (ModelError, ConfigError, StorageError)
"""Errors of the surroundings (no answer of the model, a locked database): the next batch would fail, too."""


class Attempt:
    """One try at a batch, for `async with`: an exception inside is stored as its failure, and not raised again. What is
    noted in it ends up in the run's record. Raises StorageError where a failure can not be stored."""

    def __init__(self, batch: Batch, queue: LearningQueue, clock: Clock) -> None:
        self.batch = batch
        self.record: list[AgentMessage] = []
        self.shown: list[int] = []
        self.episodes: list[int] = []
        self.verification: Verification | None = None
        self.failed: RunState | None = None
        self.error = ""
        self.next_at: datetime | None = None
        self.ends_the_pass = False
        self._queue = queue
        self._clock = clock

    async def __aenter__(self) -> Attempt:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, _trace: TracebackType | None
    ) -> bool:
        if error is None:
            return False
        if not isinstance(error, Exception):  # Orca ends, or the caller left: not a failure of the batch
            await carried_through(_release(self._queue, self.batch))
            return False
        self.ends_the_pass = isinstance(error, OF_THE_SURROUNDINGS)
        await self.fail(RunState.FAILED, cause(error))
        return True

    async def fail(self, state: RunState, error: str) -> None:
        """Store the failure: the batch waits for its retry, or for a person. Rounds that were read before are not
        retried automatically."""
        now = self._clock.now()
        self.failed, self.error = state, error
        self.next_at = None if self.batch.is_again else run_schedule.next_try(self.batch.tries, now)
        await self._queue.fail(self.batch, state, error, self.next_at, self.ended(now))

    def ended(self, at: datetime) -> RunEnd:
        return RunEnd(at, tuple(self.record), tuple(self.shown), self.verification, tuple(self.episodes))


async def each_tried(
    queue: LearningQueue,
    clock: Clock,
    claim: Callable[[B | None, tuple[int, ...]], Awaitable[B | None]],
    read: Callable[[Attempt, B], AsyncGenerator[E, None]],
) -> AsyncGenerator[E, None]:
    """Batch after batch; `claim` is told the last one and the runs of all. It ends where nothing is due any more, or
    where the next batch would fail, too. Called while this Orca leads."""
    tried: tuple[int, ...] = ()
    last: B | None = None
    while last := await _claimed(queue, claim(last, tried)):
        tried += (last.run,)
        attempt = Attempt(last, queue, clock)
        async with aclosing(read(attempt, last)) as events:
            async for event in events:
                yield event
        if attempt.ends_the_pass:
            return


async def _claimed(queue: LearningQueue, claim: Awaitable[B | None]) -> B | None:
    """The claimed batch. Where the caller is cancelled before it gets the batch, the batch is given back."""

    async def give_back() -> None:
        try:
            batch = await claiming
        except OrcaError:
            return  # nothing was claimed
        if batch is not None:
            await _release(queue, batch)

    claiming = asyncio.ensure_future(claim)
    try:
        return await asyncio.shield(claiming)
    except asyncio.CancelledError:
        await carried_through(give_back())
        raise


async def _release(queue: LearningQueue, batch: Batch) -> None:
    try:
        await queue.release(batch)
    except OrcaError as error:
        LOG.warning("a batch could not be given back, and its try counts: %s", error)
