"""Lets go live what is shown often enough: looked at whenever something was learnt, and once a day."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Sequence
from datetime import datetime
from typing import ClassVar

from orca_core.domain.events import Promoted
from orca_core.domain.growth.reading import Promotion
from orca_core.domain.growth.supports import Supported
from orca_core.domain.journal import Actor, OperationHeader
from orca_core.domain.memories import Memory
from orca_core.domain.ports import Clock
from orca_core.domain.stores import SupportStore
from orca_core.flows.jobs.daily import Daily
from orca_core.flows.jobs.job import Job, JobEvent
from orca_core.rules.growing import promoting
from orca_core.settings import MemorySettings

PROMOTE = "promote"


class PromotionJob(Job):
    """The best of those that are ready goes live, one at a time: what comes second is compared anew on another day, or
    after the next act that is read. It is one operation, which a person can take back. It has no run on record: what it
    does costs nothing and follows from what is stored. With `reads_acts` it lets go live what was typed often enough
    alone: what stands on acts is read against others before (`contrasts.py`)."""

    name: ClassVar[str] = "promotion"
    needs_lead: ClassVar[bool] = True

    def __init__(self, supports: SupportStore, clock: Clock, memory: MemorySettings, *, reads_acts: bool) -> None:
        self._supports = supports
        self._clock = clock
        self._memory = memory
        self._promoted = promoting.promoted_unread if reads_acts else promoting.promoted
        self._daily = Daily(clock)

    @property
    def is_on(self) -> bool:
        return self._memory.enabled and self._memory.promote.enabled

    async def work(self) -> AsyncGenerator[JobEvent, None]:
        now = self._clock.now()
        header = OperationHeader(Actor.PROMOTION, PROMOTE, now)
        if self._ready(await self._supports.pool(), now) is not None:  # a read, as nothing is ready most of the time
            promotion = await self._supports.promote(header, self._ready)
        else:
            promotion = Promotion()
        if promotion.memory is not None:
            yield Promoted(promotion.memory.id, promotion.memory.content, promotion.operation)
        self._daily.done(now)

    async def next_at(self) -> datetime | None:
        return self._daily.next_at

    def broke(self, error: str, next_at: datetime) -> JobEvent | None:  # noqa: ARG002  # the lane tries again by itself
        return Promoted(None, error=error)

    def _ready(self, pool: Sequence[Supported], now: datetime) -> Memory | None:
        promote = self._memory.promote
        return self._promoted(pool, now, temperature=promote.temperature, min_support=promote.min_support)
