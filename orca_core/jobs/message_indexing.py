"""Indexes messages that wait for it: those of older databases, of forks, and of answers that a crash cut."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import ClassVar

from orca_core.jobs.job import Chore
from orca_core.model.llm import Clock
from orca_core.store.protocols import MessageSearch

PATIENCE_S = 1.0
"""So long at once: a command that waits for upkeep waits no longer for it. Chosen by hand."""
REST = timedelta(seconds=1)
"""Chosen by hand."""


class MessageIndexing(Chore):
    """A piece of what waits, and the next one a moment later."""

    name: ClassVar[str] = "indexing"

    def __init__(self, messages: MessageSearch, clock: Clock) -> None:
        self._messages = messages
        self._clock = clock
        self._waiting = 0

    async def tend(self) -> None:
        before = await self._messages.backlog()
        self._waiting = await self._messages.catch_up(PATIENCE_S) if before else 0
        if self._waiting == before:
            self._waiting = 0  # what can't be indexed waits for the next wake

    @property
    def has_more(self) -> bool:
        return self._waiting > 0

    async def next_at(self) -> datetime | None:
        return self._clock.now() + REST if self._waiting else None
