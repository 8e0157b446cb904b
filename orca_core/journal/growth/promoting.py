"""Candidates, with what speaks for them: weighed, visited, and let live, one by one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime

import msgspec

from orca_core.domain.growth.reading import Promotion
from orca_core.domain.growth.supports import ChoosePromoted, Contrast, Support, Supported
from orca_core.domain.journal import Actor, OperationHeader
from orca_core.domain.learning import RunResult
from orca_core.domain.memories import MEMORIES, Memory, State
from orca_core.domain.stores.rows import Rows, Transactions, any_of, is_, is_not
from orca_core.domain.times import timestamp
from orca_core.journal.growth import supports
from orca_core.journal.operations import OpenOperation
from orca_core.journal.pairs import judge_pairs
from orca_core.journal.records import JournalRules, RecordTypes, memories_there
from orca_core.journal.tombstones import Tombstones

PROMOTE, HOLD = "promote", "hold"
"""What the operation on a candidate is called once it goes live by what supports it, or other acts speak against it."""


class Supports:
    """What speaks for the memories of one scope."""

    def __init__(self, transactions: Transactions, types: RecordTypes, rules: JournalRules) -> None:
        self._transactions = transactions
        self._types = types
        self._rules = rules

    async def of(self, memory_ids: Sequence[int]) -> Mapping[int, tuple[Support, ...]]:
        return await self._transactions.read(lambda rows: supports.standing(rows, memory_ids))

    async def pool(self) -> list[Supported]:
        return await self._transactions.read(pool_in, own=True)

    async def promote(self, header: OperationHeader, choose: ChoosePromoted) -> Promotion:
        def write(rows: Rows) -> Promotion:
            chosen = choose(open_to_promotion(rows, self._rules), header.at)
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


def open_to_promotion(rows: Rows, rules: JournalRules) -> list[Supported]:
    """Those of the pool that do not say what a person deleted: a machine lets none of these live."""
    tombstones = Tombstones(rows, rules.deleting)
    return [each for each in pool_in(rows) if not tombstones.states_deleted(each.memory)]


def pool_in(rows: Rows) -> list[Supported]:
    """Every candidate, with what supports it, and what a reading said of it that held it."""
    waiting = is_("state", State.CANDIDATE.value)
    found = [MEMORIES.from_row(row) for row in rows.select(MEMORIES.table, MEMORIES.names, waiting, order=("id",))]
    contrasts = _contrasts(rows) if found else {}
    return [replace(each, contrast=contrasts.get(each.memory.id)) for each in supports.supported(rows, found)]


def _contrasts(rows: Rows) -> Mapping[int, Contrast]:
    """What was read of each memory that was held by that, the latest that stands."""
    stands = (is_("actor", Actor.PROMOTION.value), is_("action", HOLD), is_("undone_by", None))
    held = [number for (number,) in rows.select("operations", ("id",), *stands)]
    if not held:
        return {}
    has_one = (any_of("operation", held), is_not("result", None))
    results = rows.select("extraction_runs", ("result",), *has_one, order=("id",))
    read = (msgspec.json.decode(result, type=RunResult).contrast for (result,) in results)
    return {each.memory: each for each in read if each is not None}
