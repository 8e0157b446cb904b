"""Expires short-term memories: at the start, and once a day."""

from __future__ import annotations

from datetime import datetime
from typing import ClassVar

from orca_core.domain.ports import Clock
from orca_core.domain.stores.upkeep import Housekeeping
from orca_core.flows.jobs.daily import Daily
from orca_core.flows.jobs.job import Chore
from orca_core.settings import ShortTermSettings


class Expiry(Chore):
    """A periodic job."""

    name: ClassVar[str] = "expiry"

    def __init__(self, housekeeping: Housekeeping, clock: Clock, short_term: ShortTermSettings) -> None:
        self._housekeeping = housekeeping
        self._clock = clock
        self._short_term = short_term
        self._daily = Daily(clock)

    async def tend(self) -> None:
        if self._daily.is_due:
            now = self._clock.now()
            await self._housekeeping.expire_short_term(now, self._short_term.ttl_days)
            self._daily.done(now)

    async def next_at(self) -> datetime | None:
        return self._daily.next_at
