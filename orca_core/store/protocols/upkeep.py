"""Looking after a database, as a port."""

from __future__ import annotations

from datetime import datetime
from typing import Any, Protocol

from orca_core.model.doctor import StoreHealth
from orca_core.model.memories import DecideWaiting
from orca_core.model.operations import OperationHeader, RecordsChanged


class Housekeeping(Protocol):
    """Opening, closing, and what is done while nobody waits."""

    async def health(self, *, examines: bool = True) -> StoreHealth:
        """Where it `examines`, every page of the file is read; raises StoreDamaged. Otherwise nothing is said of them:
        `integrity` is empty."""
        ...

    async def long_term_readable(self) -> bool:
        """False where the tables of long-term memory are damaged or missing (level 3)."""
        ...

    async def try_to_write(self) -> None:
        """Begin a write and roll it back. Raises StorageError where nothing can be saved."""
        ...

    async def idle(self) -> bool:
        """Wipe deleted text and checkpoint the WAL. True when all is done."""
        ...

    async def expire_short_term(self, now: datetime, ttl_days: int) -> int:
        """Delete older summaries with their vectors; returns how many. Receipts keep what they showed."""
        ...

    async def expire_candidates(
        self, untouched_since: datetime, header: OperationHeader, decide: DecideWaiting
    ) -> RecordsChanged[Any]:
        """One operation on the candidates of this scope, of every kind, that nothing happened to since then: what
        `decide` says of those of one kind."""
        ...

    async def recover(self) -> int:
        """Mark rounds that a crash left streaming as interrupted; returns how many."""
        ...

    async def aclose(self) -> None: ...
