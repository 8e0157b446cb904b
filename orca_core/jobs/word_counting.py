"""Counts which words many records hold, where they came at once or from an older database."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import ClassVar

from orca_core.jobs.job import Chore
from orca_core.model.llm import Clock
from orca_core.store.protocols.index import IndexCare

SLICES = 20
"""So many at once: a command that waits for upkeep waits no longer for it. Chosen by hand."""
REST = timedelta(seconds=1)
"""Chosen by hand."""


class WordCounting(Chore):
    """A piece of what waits, and the next one a moment later."""

    name: ClassVar[str] = "counting"

    def __init__(self, indexes: IndexCare, clock: Clock) -> None:
        self._indexes = indexes
        self._clock = clock
        self._waits = False

    async def tend(self) -> None:
        self._waits = await self._indexes.count_words(SLICES)

    @property
    def has_more(self) -> bool:
        return self._waits

    async def next_at(self) -> datetime | None:
        return self._clock.now() + REST if self._waits else None
