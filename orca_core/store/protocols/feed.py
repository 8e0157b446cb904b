"""The port of changes: operations after a number, and writes of other processes."""

from __future__ import annotations

from typing import Protocol

from orca_core.model.operations import Operation


class ChangeFeed(Protocol):
    """Operations by number, which grows in the order of commits, and writes of other processes."""

    async def last_operation(self) -> int:
        """The number of the latest operation; 0 where there is none."""
        ...

    async def operations_after(self, operation: int, limit: int) -> list[Operation]:
        """Those that are newer, oldest first."""
        ...

    async def foreign_writes(self) -> int:
        """A number that changes when another process writes."""
        ...
