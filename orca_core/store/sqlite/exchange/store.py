"""Records on their way between homes: what leaves one scope, and what comes into it."""

from __future__ import annotations

from datetime import datetime
from functools import partial

from orca_core.operations.beside import make_ready
from orca_core.operations.comparing import Looked, look, note, waiting_to_be_compared
from orca_core.store.ports import Rows
from orca_core.store.sqlite.engine.database import effort
from orca_core.store.sqlite.engine.scope import Scope, SQLiteTransactions
from orca_core.store.sqlite.exchange.arriving import Arrivals, is_home_empty
from orca_core.store.sqlite.exchange.leaving import Leaving
from orca_core.store.sqlite.exchange.rows import TokensOf

LOOKED_S = 0.02
"""So long one reading compares. Chosen by hand."""
COMPARED_AT_ONCE = 50
"""So many memories are compared in one reading at most; most often its time is over before. Chosen by hand."""


class SQLiteExchange:
    """The doors of one scope."""

    def __init__(self, scope: Scope, transactions: SQLiteTransactions, tokens: TokensOf) -> None:
        self._scope = scope
        self._transactions = transactions
        self._tokens = tokens
        self._has_words = False

    async def snapshot(self) -> Leaving:
        leaving = Leaving(self._scope.aside(), self._scope.own)
        try:
            await leaving.begin()
        except BaseException:
            await leaving.aclose()
            raise
        return leaving

    async def is_empty(self) -> bool:
        return await is_home_empty(self._scope)

    async def uncompared(self) -> int:
        return await self._transactions.read(waiting_to_be_compared)

    async def compare(self, at: datetime) -> int:
        if not self._has_words:
            await self._transactions.read(lambda _rows: make_ready())
            self._has_words = True
        while (looked := await self._transactions.read(self._look, own=True)) is not None:
            await self._transactions.write(partial(note, looked=looked, at=at))
            if looked.numbers:
                return len(looked.numbers)
        return 0

    def _look(self, rows: Rows) -> Looked | None:
        spent = effort()
        return look(rows, COMPARED_AT_ONCE, lambda: spent() >= LOOKED_S)

    async def arrivals(self, *, again: bool) -> Arrivals:
        arrivals = Arrivals(self._scope, self._transactions, self._tokens, again=again)
        try:
            await arrivals.begin()
        except BaseException:
            await arrivals.aclose()
            raise
        return arrivals
