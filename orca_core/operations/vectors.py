"""Vectors of records of any kind, and the cache of embedded texts."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Mapping, Sequence

from orca_core.model.llm import Vector
from orca_core.model.record_types import Ref
from orca_core.store.ports import Transactions, Unembedded


class VectorStore:
    """Vectors of one scope."""

    def __init__(self, transactions: Transactions) -> None:
        self._transactions = transactions

    async def unembedded(self, model: str, limit: int) -> Sequence[Unembedded]:
        """Return live and candidate memories and short-term summaries without a vector of this model, newest first."""
        return await self._transactions.read(lambda rows: rows.vectors.unembedded(model, limit), own=True)

    async def put(self, model: str, vectors: Sequence[tuple[Ref, str, Vector]]) -> None:
        """Store (record, the text that was embedded, vector); one whose record is gone or has another text by now is
        passed over. The search index follows in the same transaction."""
        await self._transactions.write(lambda rows: rows.vectors.put(model, vectors))

    async def refresh_index(self, model: str, tell: Callable[[int], None] | None = None) -> bool:
        """Make the search index anew, in slices, where it is missing or was made for another model; False where it is
        current. A search never does this, and does without it until then. `tell` hears how many vectors are in it."""
        is_refreshed, done = False, 0
        while await self._transactions.read(lambda rows: rows.vectors.is_index_stale(model), own=True):
            started = time.monotonic()
            done += await self._transactions.write(lambda rows: rows.vectors.fill_index(model))
            is_refreshed = True
            if tell is not None:
                tell(done)
            await asyncio.sleep(time.monotonic() - started)  # another process writes as long
        return is_refreshed

    async def progress(self, model: str) -> tuple[int, int]:
        """Return how many have a vector of this model, and how many should have one."""
        return await self._transactions.read(lambda rows: rows.vectors.progress(model), own=True)

    async def cached(self, model: str, texts: Sequence[str]) -> Mapping[str, Vector]:
        """Return the vectors of those that were cached. Texts are known by a keyed hash; none is stored."""
        return await self._transactions.read(lambda rows: rows.vectors.cached(model, texts), own=True)

    async def cache(self, model: str, vectors: Mapping[str, Vector]) -> None:
        await self._transactions.write(lambda rows: rows.vectors.cache(model, vectors))
