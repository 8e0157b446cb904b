"""What one process holds of vectors in memory, asked beside the exact search of a file that another one writes."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import numpy as np
from fakes.asking import asked
from fakes.records import header, remember

from orca_core.model.recall import Which
from orca_core.model.record_types import memory_ref
from orca_core.operations.stores import Stores
from orca_core.rules.memory import memory_curation
from orca_core.store.sqlite.engine.connection import connect
from orca_core.store.sqlite.index import vector_index
from orca_core.store.sqlite.index.index_tables import MEMORY_TABLES
from orca_core.store.sqlite.index.vector_cache import VectorCache
from orca_core.store.sqlite.index.vector_index import Sought
from orca_core.store.sqlite.store import open_stores

DIMENSIONS = 64


def vector(number: int, turn: int = 0) -> list[float]:
    return np.random.default_rng([number, turn]).standard_normal(DIMENSIONS).tolist()


class AtHand:
    """What one process holds in memory, asked beside the exact search of the file that another one writes."""

    def __init__(self, path: Path, stores: Stores, exact: Stores) -> None:
        self.path, self.stores, self.exact = path, stores, exact
        self.held = VectorCache(path)
        self._connection = connect(path)
        self._said = 0

    def found(self, limit: int = 60, model: str = "m", which: Which = Which.LIVE) -> list[int] | None:
        wanted = vector_index.unit(vector(0))
        hits = self.held.nearest(self._connection, Sought(MEMORY_TABLES, ("me",), model, wanted, limit, which))
        return None if hits is None else [hit.ref.id for hit in hits]

    async def truth(self, model: str = "m") -> list[int]:
        return [hit.ref.id for hit in await asked(self.exact).by_vector(model, vector(0), 60)]

    async def bring(self, model: str = "m") -> None:
        while self.found(model=model) is None:
            self.held.bring()
            await self.held.wait()

    async def embed(self, memory_id: int, model: str = "m", turn: int = 0) -> None:
        [memory] = await self.stores.memories.get([memory_id])
        await self.stores.vectors.put(model, [(memory_ref(memory_id), memory.content, vector(memory_id, turn))])

    async def add(self, count: int = 1) -> list[int]:
        begin = self._said
        self._said += count
        ids = await remember(self.stores, *(f"memory {number}" for number in range(begin, self._said)))
        for each in ids:
            await self.embed(each)
        return ids

    async def change(self, memory_id: int, **fields: object) -> None:
        await self.stores.memories.change([memory_id], header(), memory_curation.each(lambda _memory: fields))

    async def aclose(self) -> None:
        await self.held.aclose()
        self._connection.close()
        await self.stores.upkeep.aclose()
        await self.exact.upkeep.aclose()


@asynccontextmanager
async def asked_in(folder: Path) -> AsyncIterator[AtHand]:
    path = folder / "orca.db"
    stores = await open_stores(path, scope="me", must_exist=False)
    exact = await open_stores(path, scope="me", must_exist=True, vector_index=False)
    made = AtHand(path, stores, exact)
    yield made
    await made.aclose()
