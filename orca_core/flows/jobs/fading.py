"""Forgets episodes that nobody needs, in one operation, and deletes those whose grace is over."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import ClassVar

from orca_core.domain.journal import Actor, OperationHeader
from orca_core.domain.memories import ArchivedBecause, State
from orca_core.domain.ports import Clock
from orca_core.domain.queries import RecordQuery
from orca_core.domain.refs import EPISODE
from orca_core.domain.stores import Stores
from orca_core.domain.work.views import Faded
from orca_core.flows.jobs.daily import Daily
from orca_core.flows.jobs.job import Chore
from orca_core.rules.forgetting import gate
from orca_core.settings import MemorySettings
from orca_core.settings.work import ForgetSettings

SLICE = 50
"""So many episodes one transaction changes: no turn waits for more. `benchmarks/fading.py` measures it."""


class Fading:
    """The gate of forgetting."""

    def __init__(self, stores: Stores, clock: Clock, forget: ForgetSettings) -> None:
        self._fading = stores.fading
        self._records = stores.records
        self._clock = clock
        self._forget = forget

    async def due(self) -> Faded:
        """What a run would do now."""
        now = self._clock.now()
        chosen = gate.forgotten_now(await self._fading.ages(), now, self._forget)
        return Faded(chosen.all, tuple(await self._over(now)))

    async def run(self) -> Faded:
        """Forget, then delete. Raises StorageError."""
        now = self._clock.now()
        chosen = gate.forgotten_now(await self._fading.ages(), now, self._forget)
        header = OperationHeader(Actor.CLEAN, gate.FADE, now)
        faded: list[int] = []
        operation: int | None = None
        for ids in _slices(chosen.all):
            changed = await self._records[EPISODE].change_all(
                ids, header, lambda episodes: gate.fade(episodes, chosen, now, self._forget), continues=operation
            )
            operation = changed.operation
            faded += [each.id for each in changed.records if each.archived_at == now]
        return Faded(tuple(faded), await self._deleted(now), operation)

    async def _deleted(self, now: datetime) -> tuple[int, ...]:
        over = await self._over(now)
        for ids in _slices(over):
            await self._records[EPISODE].delete(ids, OperationHeader(Actor.CLEAN, "delete", now))
        return tuple(over)

    async def _over(self, now: datetime) -> list[int]:
        """The faded ones whose grace is over."""
        faded = {"state": (State.ARCHIVED.value,), "archived_because": (ArchivedBecause.FADED.value,)}
        page = await self._records[EPISODE].page(RecordQuery(faded, order=("archived_at", "id"), counted=False))
        grace = timedelta(seconds=self._forget.grace)
        return [each.id for each in page.records if each.archived_at is not None and each.archived_at + grace <= now]


class FadingJob(Chore):
    """A periodic job. All that one pass forgets is one operation, which a person can take back while it is kept."""

    name: ClassVar[str] = "forgetting"

    def __init__(self, fading: Fading, clock: Clock, memory: MemorySettings) -> None:
        self._fading = fading
        self._clock = clock
        self._memory = memory
        self._daily = Daily(clock)

    @property
    def is_on(self) -> bool:
        return self._memory.enabled and self._memory.forget.enabled

    async def tend(self) -> None:
        if self._daily.is_due:
            await self._fading.run()
            self._daily.done(self._clock.now())

    async def next_at(self) -> datetime | None:
        return self._daily.next_at


def _slices(ids: Sequence[int]) -> list[Sequence[int]]:
    return [ids[first : first + SLICE] for first in range(0, len(ids), SLICE)]
