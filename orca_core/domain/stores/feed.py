"""What changed in a database since, as a port."""

from __future__ import annotations

from typing import Protocol

from orca_core.domain.journal import Operation


class ChangeFeed(Protocol):
    """Operations by their numbers, which grow in the order in which they were committed, and writes of others."""

    async def last_operation(self) -> int:
        """The number of the latest operation; 0 where there is none."""
        ...

    async def operations_after(self, operation: int, limit: int) -> list[Operation]:
        """Those that are newer, oldest first."""
        ...

    async def foreign_writes(self) -> int:
        """A number that is another one after another process wrote."""
        ...
