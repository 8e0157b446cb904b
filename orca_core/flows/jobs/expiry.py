"""Expires short-term memories: at the start, and once a day."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import ClassVar

from orca_core.domain.ports import Clock
from orca_core.domain.stores.upkeep import Housekeeping
from orca_core.flows.jobs.job import Chore
from orca_core.settings import ShortTermSettings

EVERY = timedelta(days=1)


class Expiry(Chore):
    """A periodic job: it remembers, by the clock, when it ran last."""

    name: ClassVar[str] = "expiry"

    def __init__(self, housekeeping: Housekeeping, clock: Clock, short_term: ShortTermSettings) -> None:
        self._housekeeping = housekeeping
        self._clock = clock
        self._short_term = short_term
        self._done_at: datetime | None = None

    async def tend(self) -> None:
        now = self._clock.now()
        # A clock that was set back would put the next time off for as long as it was ahead.
        if self._done_at is None or not timedelta(0) <= now - self._done_at < EVERY:
            await self._housekeeping.expire_short_term(now, self._short_term.ttl_days)
            self._done_at = now

    async def next_at(self) -> datetime | None:
        return None if self._done_at is None else self._done_at + EVERY
