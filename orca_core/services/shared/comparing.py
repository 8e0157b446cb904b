"""Compares what an import brought with what is known, a slice after the other: no turn waits for it."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator

from orca_core.model.llm import Clock
from orca_core.store.protocols.exchange import ExchangeStore

PAUSE_S = 0.01
"""The least pause between two slices; at least as long as the slice took."""


async def compared(store: ExchangeStore, clock: Clock, within_s: float) -> AsyncIterator[tuple[int, int]]:
    """For so long at most. After each slice, how many are compared, and of how many."""
    waiting, done = await store.uncompared(), 0
    until = clock.monotonic() + within_s
    began = clock.monotonic()
    while done < waiting and (count := await store.compare(clock.now())):
        done += count
        yield done, waiting
        if clock.monotonic() >= until:
            return
        await asyncio.sleep(max(PAUSE_S, clock.monotonic() - began))
        began = clock.monotonic()
