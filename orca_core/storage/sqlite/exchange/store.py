"""Records on their way between homes: what leaves one scope, and what comes into it."""

from __future__ import annotations

import time
from datetime import datetime

from orca_core.domain.stores.rows import Rows
from orca_core.journal.comparing import compare_slice, waiting_to_be_compared
from orca_core.journal.pairs import make_ready
from orca_core.journal.records import JournalRules
from orca_core.rules.keeping.slices import next_size
from orca_core.storage.sqlite.engine.scope import Scope
from orca_core.storage.sqlite.engine.transactions import SQLiteTransactions
from orca_core.storage.sqlite.exchange.arriving import Arrivals, is_home_empty
from orca_core.storage.sqlite.exchange.leaving import Leaving
from orca_core.storage.sqlite.exchange.rows import Tokens


class SQLiteExchange:
    """The doors of one scope."""

    def __init__(self, scope: Scope, transactions: SQLiteTransactions, rules: JournalRules, tokens: Tokens) -> None:
        self._scope = scope
        self._transactions = transactions
        self._rules = rules
        self._tokens = tokens
        self._compared_at_once = 0

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
        def compare(rows: Rows) -> int:
            started, most = time.monotonic(), self._compared_at_once
            count = compare_slice(rows, self._rules, at, most)
            self._compared_at_once = next_size(most, time.monotonic() - started)
            return count

        if self._compared_at_once == 0:
            await self._transactions.read(lambda _rows: make_ready(self._rules))
            self._compared_at_once = 1
        return await self._transactions.write(compare)

    async def arrivals(self, *, again: bool) -> Arrivals:
        arrivals = Arrivals(self._scope, self._transactions, self._rules, self._tokens, again=again)
        try:
            await arrivals.begin()
        except BaseException:
            await arrivals.aclose()
            raise
        return arrivals
