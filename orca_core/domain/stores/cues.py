"""Cues, as a port: which memories wait for theirs."""

from __future__ import annotations

from typing import Protocol

from orca_core.domain.memories import Memory


class CueQueue(Protocol):
    """Cues are written with their memories (`MemoryStore`); the index follows in the same transaction."""

    async def waiting(self, limit: int) -> list[Memory]:
        """Live memories for which nobody has written cues, heaviest first; but those whose cues a person took back."""
        ...
