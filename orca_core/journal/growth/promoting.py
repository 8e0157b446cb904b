"""Candidates, with what speaks for them: weighed, visited, and let live, one by one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime

from orca_core.domain.growth.reading import Promotion
from orca_core.domain.growth.supports import ChoosePromoted, Support, Supported
from orca_core.domain.journal import OperationHeader
from orca_core.domain.memories import MEMORIES, Memory, State
from orca_core.domain.stores.rows import Rows, Transactions, is_
from orca_core.domain.times import timestamp
from orca_core.journal.growth import supports
from orca_core.journal.operations import OpenOperation
from orca_core.journal.pairs import judge_pairs
from orca_core.journal.records import JournalRules, RecordTypes, memories_there


class Supports:
    """What speaks for the memories of one scope."""

    def __init__(self, transactions: Transactions, types: RecordTypes, rules: JournalRules) -> None:
        self._transactions = transactions
        self._types = types
        self._rules = rules

    async def of(self, memory_ids: Sequence[int]) -> Mapping[int, tuple[Support, ...]]:
        return await self._transactions.read(lambda rows: supports.standing(rows, memory_ids))

    async def pool(self) -> list[Supported]:
        return await self._transactions.read(_pool, own=True)

    async def promote(self, header: OperationHeader, choose: ChoosePromoted) -> Promotion:
        def write(rows: Rows) -> Promotion:
            operation = OpenOperation(rows, self._types, self._rules, header)
            pool = [each for each in _pool(rows) if not operation.is_deleted(each.memory)]
            chosen = choose(pool, header.at)
            if chosen is None:
                return Promotion()
            memory: Memory = operation.change(MEMORIES.ref(chosen), self._rules.growth.promoted, chosen)
            judge_pairs(rows, self._rules, operation.memories, header.at)
            return Promotion(memory, operation.number)

        return await self._transactions.write(write)

    async def searched(self, memory_ids: Sequence[int], at: datetime) -> None:
        def write(rows: Rows) -> None:
            for memory in memories_there(rows, sorted(set(memory_ids))):
                if memory.state is State.CANDIDATE:
                    visited = {"searched": memory.searched + 1, "searched_at": timestamp(at)}
                    rows.update(MEMORIES.table, visited, is_("id", memory.id))

        await self._transactions.write(write)


def _pool(rows: Rows) -> list[Supported]:
    """Every candidate, with what supports it."""
    waiting = is_("state", State.CANDIDATE.value)
    found = [MEMORIES.from_row(row) for row in rows.select(MEMORIES.table, MEMORIES.names, waiting, order=("id",))]
    return supports.supported(rows, found)
