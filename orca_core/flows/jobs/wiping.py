"""Lets the store finish when idle: wipe deleted text from the files, fold the journal into them."""

from __future__ import annotations

from typing import ClassVar

from orca_core.domain.stores.upkeep import Housekeeping
from orca_core.flows.jobs.job import Chore


class Wiping(Chore):
    """Wipe what waits. A reader in another process may block it: the next wake retries."""

    name: ClassVar[str] = "wiping"

    def __init__(self, housekeeping: Housekeeping) -> None:
        self._housekeeping = housekeeping

    async def tend(self) -> None:
        await self._housekeeping.idle()
