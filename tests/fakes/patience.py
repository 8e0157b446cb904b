"""Waiting for what must come: as long as a busy machine takes for it, and no longer than it takes."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable

PATIENCE_S = 60.0
AGAIN_S = 0.005


async def until(is_so: Callable[[], object]) -> None:
    """Wait for something to become true."""
    async with asyncio.timeout(PATIENCE_S):
        while not is_so():
            await asyncio.sleep(AGAIN_S)


def after(seconds: float) -> None:
    """Go on at some later moment, where any will do: for a kill, never for something that must have come by then."""
    time.sleep(seconds)
