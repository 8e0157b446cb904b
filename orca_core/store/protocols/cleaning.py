"""What cleaning needs from a database."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Protocol

from orca_core.model.memories import MemoryText


class CleaningStore(Protocol):
    """What is to be cleaned of this scope, and when that was done last."""

    async def cleaned_at(self) -> datetime | None:
        """None where it never was."""
        ...

    async def note_cleaned(self, at: datetime) -> None: ...

    async def upkeep_at(self) -> datetime | None:
        """When upkeep was noted, or all was cleaned, whichever is later; None where neither ever was."""
        ...

    async def note_upkeep(self, at: datetime) -> None: ...

    async def sunk(self, threshold: float) -> Sequence[int]:
        """The live memories that weigh less, but for pinned ones, by number."""
        ...

    async def texts(self, after: int, limit: int) -> Sequence[MemoryText]:
        """What live memories behind this number say, by number."""
        ...

    async def left_alone(self) -> frozenset[int]:
        """The memories of cleanings that were taken back."""
        ...

    async def expired(self, before: datetime) -> int:
        """How many short-term memories are older."""
        ...
