"""Operations and what they changed: as rows, and read for who asks."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from orca_core.model.errors import NotFound
from orca_core.model.memories import Memory
from orca_core.model.operations import Actor, Change, Conflict, Operation, OperationHeader, UnderWay
from orca_core.model.record_types import MEMORY, Kinds, Ref, parse_timestamp
from orca_core.operations.columns import fields_from_json, to_json
from orca_core.operations.operations import ScopedStore
from orca_core.operations.records import RecordTypes, memories_there, records_there
from orca_core.operations.tombstones import Tombstones
from orca_core.store.ports import Condition, Row, Rows, above, any_of, is_, is_not

HISTORY = "memory_history"
OPERATION = ("id", "actor", "action", "at", "session_id", "round", "undoes", "undone_by", "under_way")
UNDER_WAY = is_not("under_way", None)
"""An operation that is done in slices, and not to its end yet."""
MOST_NAMED = 100
"""So many conflicts, and so many later operations, are kept to be named. Chosen by hand."""


class UndoProgress(Struct, frozen=True):
    """How far an undo is: at a step, behind a record of its kind, with so many records `done` and memories `compared`.
    `owner` is the process that carries it on; `leaves_ends` says that tasks and episodes stay as they are, for the end
    of one has moved on; `later` are the newest operations that touched the same records since."""

    owner: str
    whole: int = 0
    done: int = 0
    step: int = 0
    after: int = 0
    compared: int = 0
    leaves_ends: bool = False
    conflicts: tuple[tuple[str, int, str, Any, Any], ...] = ()
    unnamed: int = 0
    later: tuple[int, ...] = ()

    def with_conflicts(self, found: Sequence[Conflict]) -> UndoProgress:
        told = ((each.ref.kind.name, each.ref.id, each.field, each.wanted, each.found) for each in found)
        named = (*self.conflicts, *told)
        unnamed = self.unnamed + max(0, len(named) - MOST_NAMED)
        return replace(self, conflicts=named[:MOST_NAMED], unnamed=unnamed)

    def with_later(self, operations: Sequence[int]) -> UndoProgress:
        return replace(self, later=tuple(sorted({*self.later, *operations})[-MOST_NAMED:]))

    def named_conflicts(self, kinds: Kinds) -> tuple[Conflict, ...]:
        return tuple(Conflict(Ref(kinds.named(kind), number), *rest) for kind, number, *rest in self.conflicts)


def read_progress(text: str) -> UndoProgress:
    return msgspec.json.decode(text, type=UndoProgress)


def write_progress(rows: Rows, operation: int, progress: UndoProgress | None) -> None:
    """None where the operation is done."""
    column = None if progress is None else to_json(progress)
    rows.update("operations", {"under_way": column}, is_("id", operation))


def operations_where(
    rows: Rows, *where: Condition, order: Sequence[str] = ("id",), limit: int | None = None
) -> list[Operation]:
    return [_operation(row) for row in rows.select("operations", OPERATION, *where, order=order, limit=limit)]


def operation_of(rows: Rows, operation: int) -> Operation:
    """Raises NotFound."""
    found = operations_where(rows, is_("id", operation))
    if not found:
        raise NotFound(what="operation", id=operation)
    return found[0]


def _operation(row: Row) -> Operation:
    number, actor, action, at, session_id, round_number, undoes, undone_by, column = row
    header = OperationHeader(Actor(actor), action, parse_timestamp(at), session_id, round_number)
    progress = None if column is None else read_progress(column)
    under_way = None if progress is None else UnderWay(progress.done, progress.whole)
    return Operation(number, header, undoes, undone_by, under_way)


def changes_where(rows: Rows, types: RecordTypes, *where: Condition, limit: int | None = None) -> list[Change]:
    """The changes that fulfil the conditions, in the order in which they were made."""
    columns = ("operation", "kind", "memory_id", "before", "after")
    found = rows.select(HISTORY, columns, *where, order=("id",), limit=limit)
    numbers = any_of("id", sorted({row[0] for row in found}))
    headers = {each.id: each.header for each in operations_where(rows, numbers)}
    return [
        Change(
            operation,
            Ref(types.named(kind), number),
            header.at,
            header.actor,
            header.action,
            None if before is None else fields_from_json(before),
            fields_from_json(after),
        )
        for operation, kind, number, before, after in found
        if (header := headers.get(operation)) is not None
    ]


def changes_to(rows: Rows, ref: Ref, types: RecordTypes) -> list[Change]:
    """The changes of a record, oldest first."""
    return changes_where(rows, types, is_("kind", ref.kind.name), is_("memory_id", ref.id))


def touched_by(rows: Rows, types: RecordTypes, operation: int, most: int | None = None) -> list[Ref]:
    """The records that an operation changed, in its order, also deleted ones; the first so many."""
    changed = is_("operation", operation)
    touched = rows.select(HISTORY, ("kind", "memory_id"), changed, order=("id",), limit=most)
    return [Ref(types.named(kind), number) for kind, number in touched]


def records_of(rows: Rows, types: RecordTypes, refs: Sequence[Ref]) -> dict[Ref, Any]:
    """The records that still exist, in the order asked, as they are now. Records of an unknown kind are skipped."""
    found: dict[Ref, Any] = {}
    for kind in dict.fromkeys(ref.kind for ref in refs if ref.kind in types):
        record_type = types.of(kind)
        there = records_there(rows, record_type, [ref.id for ref in refs if ref.kind == kind])
        found.update((record_type.ref(record), record) for record in there)
    return {ref: found[ref] for ref in refs if ref in found}


def memories_of(rows: Rows, types: RecordTypes, operation: int) -> list[Memory]:
    """The memories that an operation changed, as they are now."""
    return memories_there(rows, [ref.id for ref in touched_by(rows, types, operation) if ref.kind == MEMORY])


class OperationHistory(ScopedStore):
    """The operations of one scope, read."""

    async def operations(self, limit: int) -> list[Operation]:
        """Newest first."""
        return await self._transactions.read(lambda rows: operations_where(rows, order=("-id",), limit=limit), own=True)

    async def operations_after(self, operation: int, limit: int) -> list[Operation]:
        """Those that are newer, oldest first. Numbers grow in the order of commits."""
        newer = above("id", operation)
        return await self._transactions.read(lambda rows: operations_where(rows, newer, limit=limit), own=True)

    async def under_way(self) -> list[Operation]:
        """The undos and redos that are not done yet, oldest first."""
        return await self._transactions.read(lambda rows: operations_where(rows, UNDER_WAY), own=True)

    async def last_operation(self) -> int:
        """The number of the latest operation; 0 where there is none."""
        return next((each.id for each in await self.operations(1)), 0)

    async def foreign_writes(self) -> int:
        """A number that changes when another process writes."""
        return await self._transactions.foreign_writes()

    async def deleted(self, texts: Sequence[str]) -> frozenset[str]:
        """Those of the texts that say what a memory of this scope said that was deleted."""

        def read(rows: Rows) -> frozenset[str]:
            tombstones = Tombstones(rows)
            return frozenset(text for text in texts if tombstones.says_deleted(text))

        return await self._transactions.read(read, own=True)

    async def changes_of(self, operations: Sequence[int], most_each: int | None = None) -> list[Change]:
        """What these operations did to records that still exist, in the order in which it was done; of each at most
        the first so many changes are looked at."""

        def read(rows: Rows) -> list[Change]:
            changes = [
                change
                for each in sorted(set(operations))
                for change in changes_where(rows, self._types, is_("operation", each), limit=most_each)
            ]
            there = records_of(rows, self._types, [each.ref for each in changes])
            return [each for each in changes if each.ref in there]

        return await self._transactions.read(read, own=True)
