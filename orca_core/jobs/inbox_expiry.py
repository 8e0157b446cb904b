"""Rejects candidates of any kind that waited too long for a person: at the start, and once a day."""

from __future__ import annotations

from datetime import datetime
from typing import ClassVar

from orca_core.jobs.daily import Daily
from orca_core.jobs.job import Chore, EverythingWanted, News
from orca_core.model.llm import Clock
from orca_core.model.operations import Actor, OperationHeader
from orca_core.rules.memory.waiting import EXPIRE, expires_before
from orca_core.rules.work.waiting import expire
from orca_core.store.protocols.upkeep import Housekeeping


class InboxExpiry(Chore):
    """A periodic job. All that one pass rejects is one operation, which a person can take back."""

    name: ClassVar[str] = "inbox"

    def __init__(self, housekeeping: Housekeeping, clock: Clock, days: int) -> None:
        self._housekeeping = housekeeping
        self._clock = clock
        self._days = days
        self._daily = Daily(clock)

    @property
    def is_on(self) -> bool:
        return self._days > 0

    def hear(self, news: News) -> None:
        if isinstance(news, EverythingWanted):
            self._daily.wanted()

    async def tend(self) -> None:
        if self._daily.is_due:
            now = self._clock.now()
            header = OperationHeader(Actor.CLEAN, EXPIRE, now)
            await self._housekeeping.expire_candidates(expires_before(now, self._days), header, expire)
            self._daily.done(now)

    async def next_at(self) -> datetime | None:
        return self._daily.next_at
