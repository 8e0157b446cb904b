"""Batches between their claim and their end: whoever leaves one for no fault of its own gives it back, and no try
counts."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable

from orca_core.domain.errors import OrcaError
from orca_core.domain.learning import Batch
from orca_core.domain.stores.learning import LearningQueue
from orca_core.tasks import LOG, carried_through


async def claimed(learning: LearningQueue, claim: Awaitable[Batch | None]) -> Batch | None:
    """What a claim brings. Where its caller is cancelled before it has that, nobody has: it is given back."""
    claiming = asyncio.ensure_future(claim)
    try:
        return await asyncio.shield(claiming)
    except asyncio.CancelledError:
        await carried_through(_give_back(learning, claiming))
        raise


async def let_go(learning: LearningQueue, batch: Batch) -> None:
    """Orca ends, or nobody listens any more: that is no fault of the batch."""
    await carried_through(_release(learning, batch))


async def _give_back(learning: LearningQueue, claiming: asyncio.Future[Batch | None]) -> None:
    try:
        batch = await claiming
    except OrcaError:
        return  # then nothing was claimed
    if batch is not None:
        await _release(learning, batch)


async def _release(learning: LearningQueue, batch: Batch) -> None:
    try:
        await learning.release(batch)
    except OrcaError as error:
        LOG.warning("a batch could not be given back, and its try counts: %s", error)
