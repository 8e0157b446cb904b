"""Work that takes long, in slices: another writer that polls for the lock must find it free."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable
from typing import TypeVar

from orca_core.rules.memory.slices import BEGUN_S, FIRST, next_size
from orca_core.store.ports import Slice

T = TypeVar("T")

PAUSE_S = 0.01
"""The least pause between two slices; at least as long as the slice took (docs/decisions/0007)."""


WAITING_SHARE = 0.25
"""What a second of waiting counts beside one of work. Chosen by hand: a slice ends after 10 ms of work or 40 by the
clock."""


def effort() -> Callable[[], float]:
    """Asked later, how many seconds this thread has worked since. A busy machine lets it wait for a core, and a slow
    disk for a page: if that counted whole, every slice would be small, and many; if not at all, one would take long."""
    worked_s, began_s = time.thread_time(), time.monotonic()
    return lambda: max(time.thread_time() - worked_s, WAITING_SHARE * (time.monotonic() - began_s))


def slice_of(most: int) -> Slice:
    """What a transaction may take that this thread has begun now."""
    spent = effort()
    return Slice(most, lambda: spent() >= BEGUN_S)


async def in_slices(work: Callable[[int], Awaitable[tuple[T | None, float]]]) -> T:
    """Do it until it returns something, told how much to take; it returns as well how long it worked under the lock."""
    size = FIRST
    while True:
        started = time.monotonic()
        found, worked_s = await work(size)
        if found is not None:
            return found
        size = next_size(size, worked_s)
        await asyncio.sleep(max(PAUSE_S, time.monotonic() - started))


async def until_done(work: Callable[[], Awaitable[bool]]) -> None:
    """Do it as long as it says that there is more."""
    while True:
        started = time.monotonic()
        if not await work():
            return
        await asyncio.sleep(max(PAUSE_S, time.monotonic() - started))
