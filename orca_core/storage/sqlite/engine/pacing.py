"""Work that takes long, in slices: another writer that polls for the lock must find it free."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable
from typing import TypeVar

from orca_core.domain.stores.rows import Slice
from orca_core.rules.keeping.slices import BEGUN_S, FIRST, next_size

T = TypeVar("T")

PAUSE_S = 0.01
"""The least pause between two slices; at least as long as the slice took (docs/decisions/0007)."""


def slice_of(most: int) -> Slice:
    """What a transaction may take that this thread has begun now. Its work counts, not how long a busy machine lets it
    wait: else there every slice would be small, and the whole take many times as long."""
    until = time.thread_time() + BEGUN_S
    return Slice(most, lambda: time.thread_time() >= until)


async def in_slices(work: Callable[[int], Awaitable[tuple[T | None, float]]]) -> T:
    """Do it until it returns something, told how much to take; it returns as well how long it worked under the lock."""
    size = FIRST
    while True:
        started = time.monotonic()
        found, held_s = await work(size)
        if found is not None:
            return found
        size = next_size(size, held_s)
        await asyncio.sleep(max(PAUSE_S, time.monotonic() - started))


async def until_done(work: Callable[[], Awaitable[bool]]) -> None:
    """Do it as long as it says that there is more."""
    while True:
        started = time.monotonic()
        if not await work():
            return
        await asyncio.sleep(max(PAUSE_S, time.monotonic() - started))
