"""Memories listed, made and changed by hand or by rule, and pairs that a person decides."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from msgspec.structs import replace

from orca_core.model.errors import NotFound
from orca_core.model.memories import (
    MEMORIES,
    Addition,
    Memory,
    MemoryDeletion,
    NewMemory,
    State,
    UndecidedPair,
)
from orca_core.model.operations import OperationHeader
from orca_core.model.record_types import Kind, parse_timestamp
from orca_core.model.views import MemoryQuery, RecordPage, TextPlace
from orca_core.operations import deletion, supports
from orca_core.operations.learning_queue import leave_out_deleted
from orca_core.operations.memory_pairs import PAIRS, add_beside, judge_pairs, make_ready
from orca_core.operations.operations import OpenOperation
from orca_core.operations.record_store import KindStore
from orca_core.operations.records import check_there, memories_there
from orca_core.store.ports import Rows, any_of, is_

DELETED_AT_ONCE = 50
"""How many memories one transaction of a delete hides."""
_UNDECIDED = (State.LIVE, State.CANDIDATE)
MERGING = ("merge", "clean")
"""Where these put a memory aside for another, that one says what it said."""


class MemoryStore(KindStore[Memory]):
    """The memories of one scope."""

    async def page(self, query: MemoryQuery) -> RecordPage[Memory]:
        def read(rows: Rows) -> RecordPage[Memory]:
            ids, total = rows.lists.memories(query)
            memories = tuple(memories_there(rows, ids))
            return RecordPage(memories, total if query.counted else len(memories))

        return await self._transactions.read(read)

    async def counts(self) -> dict[str, dict[str, int]]:
        """How many there are, by `state` and by `type`."""

        def read(rows: Rows) -> dict[str, dict[str, int]]:
            found: dict[str, dict[str, int]] = {}
            for column in ("state", "type"):
                counted = rows.grouped("memory_counts", (column,), ("sum memories",))
                found[column] = {str(row[0]): int(row[1]) for row in sorted(counted, key=lambda row: str(row[0]))}
            return found

        return await self._transactions.read(read)

    async def beginning(self, query: MemoryQuery, most: int) -> tuple[list[int], bool]:
        """Of the first so many memories of a list those that pass its filter, and whether the list has no others."""
        unfiltered = replace(
            query, text="", tags=(), chat="", program="", counted=False, limit=most, offset=0, after=None
        )

        def read(rows: Rows) -> tuple[list[int], bool]:
            looked_at, _total = rows.lists.memories(unfiltered)
            return _in_order(rows, query, looked_at), len(looked_at) < most

        return await self._transactions.read(read)

    async def among_texts(
        self, query: MemoryQuery, behind: TextPlace | None, most: int
    ) -> tuple[list[int], TextPlace | None]:
        """What of a list is found among the next so many texts, in no order; and how far that was, None at the end."""
        return await self._transactions.read(lambda rows: rows.lists.memories_among_texts(query, behind, most))

    async def in_order(self, query: MemoryQuery, ids: Sequence[int]) -> list[int]:
        """Those of these memories that the list has, in its order."""
        return await self._transactions.read(lambda rows: _in_order(rows, query, ids))

    async def undecided(self) -> list[UndecidedPair]:
        """Pairs that a person has not decided yet, both of which live or wait; newest first."""

        def read(rows: Rows) -> list[UndecidedPair]:
            columns = ("newer", "older", "why", "at")
            found = rows.select(PAIRS, columns, is_("settled", 0), order=("-newer", "older"))
            named = sorted({number for row in found for number in row[:2]})
            there = {each.id: each for each in memories_there(rows, named) if each.state in _UNDECIDED}
            return [
                UndecidedPair(there[newer], there[older], why, parse_timestamp(at))
                for newer, older, why, at in found
                if newer in there and older in there
            ]

        return await self._transactions.read(read, own=True)

    async def add(self, new: NewMemory, header: OperationHeader) -> Addition:
        """Store a memory beside what is stored. What the rules need is read before the lock is taken."""
        await self._transactions.read(lambda _rows: make_ready())
        return await self._transactions.write(lambda rows: add_beside(rows, self._operation(rows, header), new))

    def _follow(
        self, rows: Rows, operation: OpenOperation, before: Mapping[int, Memory], after: list[Memory]
    ) -> list[Memory]:
        """What spoke for a memory that was merged into another speaks for that one, and pairs are judged anew."""
        if operation.action in MERGING:
            merged: dict[int, list[int]] = {}
            for each in after:
                if each.superseded_by is not None and before[each.id].superseded_by != each.superseded_by:
                    merged.setdefault(each.superseded_by, []).append(each.id)
            for kept, others in merged.items():
                supports.take_over(rows, operation, kept, others)
        judge_pairs(rows, operation.memories, operation.at)
        return after

    async def delete(self, ids: Sequence[int], header: OperationHeader, with_messages: bool = False) -> MemoryDeletion:
        """Delete for good, in one operation, in slices. Raises NotFound for the first that does not exist."""
        distinct = tuple(dict.fromkeys(ids))
        rounds: dict[tuple[str, int], None] = {}
        number: int | None = None
        for first in range(0, len(distinct), DELETED_AT_ONCE):
            some = distinct[first : first + DELETED_AT_ONCE]

            def write(
                rows: Rows, some: tuple[int, ...] = some, continues: int | None = number
            ) -> tuple[int, deletion.Rounds]:
                if continues is None:
                    check_there(rows, MEMORIES, distinct)
                operation = self._operation(rows, header, continues=continues)
                came_from = deletion.hide_memories(rows, some, header.at, with_messages=with_messages)
                if with_messages:
                    deletion.delete_acts_of_rounds(rows, operation, came_from)
                leave_out_deleted(rows, dict.fromkeys(session_id for session_id, _number in came_from))
                return operation.insert_row(), came_from

            number, came_from = await self._transactions.write(write)
            rounds.update(dict.fromkeys(came_from))
        finished = await self._transactions.wipe()
        return MemoryDeletion(distinct, () if with_messages else tuple(rounds), finished)

    async def open_pairs(self, ids: Sequence[int]) -> set[tuple[int, int]]:
        def read(rows: Rows) -> set[tuple[int, int]]:
            among = (any_of("newer", ids), any_of("older", ids))
            return {
                (newer, older) for newer, older in rows.select(PAIRS, ("newer", "older"), *among, is_("settled", 0))
            }

        return await self._transactions.read(read)

    async def keep_both(self, first: int, second: int) -> None:
        def write(rows: Rows) -> None:
            pair = (first, second)
            if not rows.update(PAIRS, {"settled": 1}, any_of("newer", pair), any_of("older", pair)):
                raise NotFound(what="pair", id=f"{first} {second}")

        await self._transactions.write(write)

    async def store_all(self, batch: Sequence[tuple[NewMemory, OperationHeader]]) -> list[Addition]:
        """Store all, each an operation of its own, or nothing. None is compared with others: no pair is listed."""

        def write(rows: Rows) -> list[Addition]:
            return [self._operation(rows, header).add(new) for new, header in batch]

        return await self._transactions.write(write)

    async def make_all(self, kind: Kind, records: Sequence[Any], header: OperationHeader) -> list[Any]:
        """Store records of any other kind, as they are, in one operation; returns them with their numbers."""

        def write(rows: Rows) -> list[Any]:
            operation = self._operation(rows, header)
            return [operation.create(self._types.of(kind), record) for record in records]

        return await self._transactions.write(write)


def _in_order(rows: Rows, query: MemoryQuery, ids: Sequence[int]) -> list[int]:
    among = replace(query, ids=tuple(ids), counted=False, limit=None, offset=0, after=None)
    return rows.lists.memories(among)[0]
