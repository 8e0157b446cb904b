"""Upkeep: small chores of the worker, and running its upkeep lane where nobody does so in the background."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from typing import TYPE_CHECKING

from orca_core.jobs.job import PAUSE_S
from orca_core.model.diagnosis import UpkeepJob, UpkeepRun
from orca_core.model.errors import StorageError
from orca_core.model.llm import Clock
from orca_core.operations.imports import ImportStore
from orca_core.operations.retention import RetentionStore
from orca_core.owned_tasks import LOG
from orca_core.rules.memory import memory_upkeep
from orca_core.store.ports import Upkeep as StoreUpkeep

if TYPE_CHECKING:
    from orca_core.jobs.worker import Worker


async def compared(store: ImportStore, clock: Clock, within_s: float) -> AsyncIterator[tuple[int, int]]:
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


PATIENCE_S = 1.0
"""So long at once: what waits for upkeep waits no longer for it. Chosen by hand."""


async def compare_imports(store: ImportStore, clock: Clock) -> bool:
    """Compare a piece of what imports brought, where that was more than an import waits for; whether more waits."""
    if not await store.uncompared():
        return False
    async for _ in compared(store, clock, PATIENCE_S):
        pass
    return await store.uncompared() > 0


class Upkeep:
    """Runs the upkeep lane of a worker, and notes when."""

    def __init__(
        self, worker: Callable[[], Worker], cleaning: RetentionStore, housekeeping: StoreUpkeep, clock: Clock
    ) -> None:
        self._worker = worker
        self._cleaning = cleaning
        self._housekeeping = housekeeping
        self._clock = clock

    async def once_a_day(self, timeout_s: float) -> None:
        """Do what waits, for at most `timeout_s`, unless some Orca did so within a day. The rest, and what fails, waits
        for the next one."""
        try:
            now = self._clock.now()
            if not memory_upkeep.is_daily_due(await self._cleaning.upkeep_at(), now):
                return
            await self._cleaning.note_upkeep(now)
        except StorageError as error:  # what the command did is done and told
            LOG.warning("upkeep waits: %s", error)
            return
        await self._worker().tidy(timeout_s)

    async def run(self) -> UpkeepRun:
        """Do all that waits, now, whenever it was done last. Raises StorageError."""
        await self._cleaning.note_upkeep(self._clock.now())
        done = await self._worker().tidy_all()
        is_wiped = await self._housekeeping.idle()
        return UpkeepRun(tuple(UpkeepJob(each.name, each.failure) for each in done), is_wiped)
