"""Compares what imports brought with what is known, where that was more than an import waits for."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import ClassVar

from orca_core.jobs.job import Chore
from orca_core.model.llm import Clock
from orca_core.services.shared.comparing import compared
from orca_core.store.protocols.exchange import ExchangeStore

PATIENCE_S = 1.0
"""So long at once: what waits for upkeep waits no longer for it. Chosen by hand."""
REST = timedelta(seconds=1)
"""Chosen by hand."""


class Comparing(Chore):
    """A piece of what waits, and the next one a moment later."""

    name: ClassVar[str] = "comparing"

    def __init__(self, store: ExchangeStore, clock: Clock) -> None:
        self._store = store
        self._clock = clock
        self._waiting = 0

    async def tend(self) -> None:
        self._waiting = await self._store.uncompared()
        if self._waiting:
            async for _ in compared(self._store, self._clock, PATIENCE_S):
                pass
            self._waiting = await self._store.uncompared()

    @property
    def has_more(self) -> bool:
        return self._waiting > 0

    async def next_at(self) -> datetime | None:
        return self._clock.now() + REST if self._waiting else None
