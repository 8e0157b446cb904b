"""The index of cues, as a port: which memories wait for theirs, and which live ones are found by them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from orca_core.domain.memories import Memory
from orca_core.domain.ports import Vector
from orca_core.domain.recall import CueHit, TokenStatistics, VectorHit


class CueIndex(Protocol):
    """Cues are written with their memories (`MemoryStore`); the index follows in the same transaction."""

    async def waiting(self, limit: int) -> list[Memory]:
        """Live memories for which nobody has written cues, heaviest first; but those whose cues a person took back."""
        ...

    async def by_tokens(self, tokens: Sequence[str], limit: int) -> list[CueHit]:
        """The live memories' cues that hold some of the tokens, best first, a hit each; no tokens, no hits. Its cost is
        what the tokens' entries cost: who asks chooses them."""
        ...

    async def by_vector(self, model: str, vector: Vector, limit: int) -> list[VectorHit]:
        """The live memories whose cues are nearest, each with its nearest cue, best first."""
        ...

    async def statistics(self, tokens: Sequence[str]) -> TokenStatistics:
        """About how many cues there are, and how many hold each token."""
        ...
