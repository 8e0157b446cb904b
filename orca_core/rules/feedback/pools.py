"""The three pools that clients know, as what a list looks for."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct

from orca_core.model.errors import InvalidInput
from orca_core.model.memories import MemoryType, Status
from orca_core.rules.memory.status import LIVE


class Pool(Struct, frozen=True):
    """Memories of a status, of some types or of any."""

    status: str
    types: tuple[MemoryType, ...] = ()


POOLS: Mapping[str, Pool] = {
    "candidates": Pool(Status.CANDIDATE.value),
    "info": Pool(LIVE, (MemoryType.FACT, MemoryType.PROJECT, MemoryType.EVENT)),
    "profile": Pool(LIVE, (MemoryType.PREFERENCE, MemoryType.INSTRUCTION)),
}


def pool_of(word: str) -> Pool:
    """Raises InvalidInput for a word that names none."""
    pool = POOLS.get(word.strip().lower())
    if pool is None:
        raise InvalidInput(template="there is no pool {word}", hint="one of {known}", word=word, known=", ".join(POOLS))
    return pool
