"""What leaves a home for another."""

from __future__ import annotations

from typing import Protocol

from orca_core.domain.stores.exchange import Snapshot


class Exchange(Protocol):
    """The doors of a home."""

    async def export(self) -> Snapshot:
        """All that travels, with the status that people see. It is to be closed."""
        ...
