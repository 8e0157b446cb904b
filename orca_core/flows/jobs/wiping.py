"""What the store finishes in a quiet moment: deleted text is wiped from the files, the journal is folded into them."""

from __future__ import annotations

from typing import ClassVar

from orca_core.domain.stores.upkeep import Housekeeping
from orca_core.flows.jobs.job import Chore


class Wiping(Chore):
    """A reader that stands in the way is no failure: the next time the worker is woken it may be gone."""

    name: ClassVar[str] = "wiping"

    def __init__(self, housekeeping: Housekeeping) -> None:
        self._housekeeping = housekeeping

    async def tend(self) -> None:
        await self._housekeeping.idle()
