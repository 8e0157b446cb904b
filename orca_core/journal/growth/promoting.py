"""Candidates, with what speaks for them: weighed, visited, and let live, one by one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime

from orca_core.domain.growth.reading import Promotion
from orca_core.domain.growth.supports import ChoosePromoted, Support, Supported
from orca_core.domain.journal import Actor, OperationHeader
from orca_core.domain.memories import MEMORIES, Memory, State
from orca_core.domain.stores.rows import Rows, Transactions, any_of, is_, is_not
from orca_core.domain.times import parse_timestamp, timestamp
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
            chosen = choose(_pool(rows), header.at)
            if chosen is None:
                return Promotion()
            operation = OpenOperation(rows, self._types, self._rules, header)
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
    sent_back = _sent_back(rows, {each.id for each in found})
    return [replace(each, undone_at=sent_back.get(each.memory.id)) for each in supports.supported(rows, found)]


def _sent_back(rows: Rows, candidates: set[int]) -> Mapping[int, datetime]:
    """When a person took back last that one of them went live."""
    by_rule = is_("actor", Actor.PROMOTION.value)
    found = rows.select("operations", ("id", "undone_by"), by_rule, is_not("undone_by", None))
    taken_back = dict[int, int]((row[0], row[1]) for row in found)
    if not taken_back:
        return {}
    kind = is_("kind", MEMORIES.kind.name)
    touched = rows.select("memory_history", ("operation", "memory_id"), kind, any_of("operation", sorted(taken_back)))
    undos = any_of("id", sorted(set(taken_back.values())))
    undone_at = {number: parse_timestamp(at) for number, at in rows.select("operations", ("id", "at"), undos)}
    sent_back: dict[int, datetime] = {}
    for operation, memory in touched:
        if memory in candidates:
            at = undone_at[taken_back[operation]]
            sent_back[memory] = max(at, sent_back.get(memory, at))
    return sent_back
