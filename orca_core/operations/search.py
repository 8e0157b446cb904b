"""Reads of one scope that find records: each as of one moment."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from typing import TypeVar

from orca_core.model.memories import ShortTerm
from orca_core.store.ports import Rows, Transactions

T = TypeVar("T")


class Search:
    """Finds records of a scope, and of those that are read with it, by words and by vectors."""

    def __init__(self, transactions: Transactions) -> None:
        self._transactions = transactions

    async def at_once(self, look: Callable[[Rows], T]) -> T:
        """Return what `look` finds. It runs on a thread that reads, decides by rules what to ask next, and sees one
        moment."""
        return await self._transactions.read(look)

    async def random_cosines(self, model: str, pairs: int, seed: int) -> list[float]:
        """Return cosines of random pairs of live memories: the embedder's noise. Few or none in a young store."""
        return await self.at_once(lambda rows: rows.vectors.random_cosines(model, pairs, seed))

    async def short_term(self, session_id: str, now: datetime, ttl_days: int, limit: int) -> list[ShortTerm]:
        """Return this session's summaries and the latest of other sessions, newest first, not expired."""
        return await self.at_once(lambda rows: rows.lists.short_term(session_id, now, ttl_days, limit))
