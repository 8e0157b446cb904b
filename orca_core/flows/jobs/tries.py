"""Batches between their claim and their end. A try counts from the claim on (docs/decisions/0006): what breaks is its
failure, and whoever leaves a batch for no fault of its own gives it back."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable
from datetime import datetime
from types import TracebackType

from orca_core.domain.errors import ConfigError, ModelError, OrcaError, StorageError
from orca_core.domain.learning import AgentMessage, Batch, RunEnd, RunState
from orca_core.domain.ports import Clock
from orca_core.domain.stores.learning import LearningQueue
from orca_core.flows.shared.failures import cause
from orca_core.rules.learning import backlog
from orca_core.unattended import LOG, carried_through

OF_THE_SURROUNDINGS = (ModelError, ConfigError, StorageError)
"""A model that does not answer, a database that takes nothing: they would only fail for the next batch, too."""


class Attempt:
    """One try at a batch: `async with` it, and whatever breaks inside is written down as its failure, and swallowed.
    Raises StorageError where not even that can be written down."""

    def __init__(self, batch: Batch, queue: LearningQueue, clock: Clock) -> None:
        self.batch = batch
        self.record: list[AgentMessage] = []
        self.shown: list[int] = []
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
        if not isinstance(error, Exception):  # Orca ends, or nobody listens: that is no fault of the batch
            await carried_through(_release(self._queue, self.batch))
            return False
        self.ends_the_pass = isinstance(error, OF_THE_SURROUNDINGS)
        await self.fail(RunState.FAILED, cause(error))
        return True

    async def fail(self, state: RunState, error: str) -> None:
        """It waits for the time of its next try, or for a person. What was read before is not tried again by itself."""
        now = self._clock.now()
        self.failed, self.error = state, error
        self.next_at = None if self.batch.is_again else backlog.next_try(self.batch.tries, now)
        await self._queue.fail(self.batch, state, error, self.next_at, self.ended(now))

    def ended(self, at: datetime) -> RunEnd:
        return RunEnd(at, tuple(self.record), tuple(self.shown))


async def claimed(queue: LearningQueue, claim: Awaitable[Batch | None]) -> Batch | None:
    """What a claim brings. Where its caller is cancelled before it has that, nobody has: it is given back."""
    claiming = asyncio.ensure_future(claim)
    try:
        return await asyncio.shield(claiming)
    except asyncio.CancelledError:
        await carried_through(_give_back(queue, claiming))
        raise


async def _give_back(queue: LearningQueue, claiming: asyncio.Future[Batch | None]) -> None:
    try:
        batch = await claiming
    except OrcaError:
        return  # then nothing was claimed
    if batch is not None:
        await _release(queue, batch)


async def _release(queue: LearningQueue, batch: Batch) -> None:
    try:
        await queue.release(batch)
    except OrcaError as error:
        LOG.warning("a batch could not be given back, and its try counts: %s", error)
