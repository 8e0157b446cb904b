"""Upkeep where nobody runs it in the background: on asking, and at most once a day behind a command."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from orca_core.model.doctor import UpkeepJob, UpkeepRun
from orca_core.model.errors import StorageError
from orca_core.model.llm import Clock
from orca_core.rules.memory import daily
from orca_core.store.protocols import CleaningStore, Housekeeping
from orca_core.unattended import LOG

if TYPE_CHECKING:
    from orca_core.jobs.worker import Worker


class Upkeep:
    """Runs the upkeep lane of a worker, and notes when."""

    def __init__(
        self, worker: Callable[[], Worker], cleaning: CleaningStore, housekeeping: Housekeeping, clock: Clock
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
            if not daily.is_due(await self._cleaning.upkeep_at(), now):
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
