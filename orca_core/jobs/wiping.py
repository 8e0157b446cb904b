"""Lets the store finish when idle: wipe deleted text from the files, fold the journal into them."""

from __future__ import annotations

from typing import ClassVar

from orca_core.jobs.job import Chore
from orca_core.store.protocols.upkeep import Housekeeping


class Wiping(Chore):
    """Wipe what waits. A reader in another process may block it: the next wake retries."""

    name: ClassVar[str] = "wiping"

    def __init__(self, housekeeping: Housekeeping) -> None:
        self._housekeeping = housekeeping

    async def tend(self) -> None:
        await self._housekeeping.idle()
