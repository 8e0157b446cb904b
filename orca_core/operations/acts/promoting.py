"""Candidates, with what speaks for them: weighed and visited."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime

from orca_core.model.feedback import Support, Supported, Visited
from orca_core.model.memories import MEMORIES, Memory, State
from orca_core.model.records import parse_timestamp, timestamp
from orca_core.operations.acts import supports
from orca_core.operations.records import RecordTypes, memories_there
from orca_core.operations.refusals import Refusals
from orca_core.operations.tombstones import Tombstones
from orca_core.store.ports import Rows, Transactions, any_of, is_

_WAITS = is_("state", State.CANDIDATE.value)


class SupportStore:
    """What speaks for the memories of one scope."""

    def __init__(self, transactions: Transactions, types: RecordTypes) -> None:
        self._transactions = transactions
        self._types = types

    async def of(self, memory_ids: Sequence[int]) -> Mapping[int, tuple[Support, ...]]:
        return await self._transactions.read(lambda rows: supports.standing(rows, memory_ids))

    async def pool(self) -> list[Supported]:
        return await self._transactions.read(pool_in, own=True)

    async def pool_about(self, held_because: str, ids: Sequence[int]) -> tuple[list[Supported], list[Visited]]:
        return await self._transactions.read(lambda rows: _pool_about(rows, held_because, ids), own=True)

    async def searched(self, memory_ids: Sequence[int], at: datetime) -> None:
        def write(rows: Rows) -> None:
            for memory in memories_there(rows, sorted(set(memory_ids))):
                if memory.state is State.CANDIDATE:
                    visited = {"searched": memory.searched + 1, "searched_at": timestamp(at)}
                    rows.update(MEMORIES.table, visited, is_("id", memory.id))

        await self._transactions.write(write)


def open_to_promotion(rows: Rows) -> list[Supported]:
    """Those of the pool that a machine lets live."""
    may_live = permits(rows)
    return [each for each in pool_in(rows) if may_live(each.memory)]


def permits(rows: Rows) -> Callable[[Memory], bool]:
    """Tells whether a machine may let a memory live: none that says what a person deleted or refused."""
    tombstones, refusals = Tombstones(rows), Refusals(rows, MEMORIES)

    def may_live(memory: Memory) -> bool:
        return not tombstones.states_deleted(memory) and refusals.same(memory) is None

    return may_live


def pool_in(rows: Rows) -> list[Supported]:
    """Every candidate, with what supports it."""
    found = rows.select(MEMORIES.table, MEMORIES.names, _WAITS, order=("id",))
    return supports.supported(rows, [MEMORIES.from_row(row) for row in found])


def _pool_about(rows: Rows, held_because: str, ids: Sequence[int]) -> tuple[list[Supported], list[Visited]]:
    waiting = rows.select(MEMORIES.table, ("id", "held_because", "created_at", "searched_at"), _WAITS)
    asked_for = {*ids, *(number for number, why, *_times in waiting if why == held_because)}
    others = [row for row in waiting if row[0] not in asked_for]
    stand = supports.standing(rows, [number for number, *_fields in others])
    visited = [
        Visited(parse_timestamp(created_at), searched_at and parse_timestamp(searched_at), stand.get(number, ()))
        for number, _why, created_at, searched_at in others
    ]
    found = rows.select(MEMORIES.table, MEMORIES.names, any_of("id", sorted(asked_for)), _WAITS, order=("id",))
    return supports.supported(rows, [MEMORIES.from_row(row) for row in found]), visited
