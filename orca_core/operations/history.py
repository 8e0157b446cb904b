"""Operations and what they changed, listed; undone in `undo`."""

from __future__ import annotations

from collections.abc import Sequence

from orca_core.model.memories import MEMORIES
from orca_core.model.operations import Change, Operation
from orca_core.model.record_types import MEMORY, Ref
from orca_core.operations.columns import fields_from_json
from orca_core.operations.operation_log import OPERATION, operation_from_row, records_of
from orca_core.operations.records import RecordTypes, check_there
from orca_core.operations.tombstones import Tombstones
from orca_core.operations.undo import UndoRedo
from orca_core.store.ports import Condition, Row, Rows, above, any_of, is_, is_not

_CHANGE = ("id", "operation", "kind", "memory_id", "before", "after")
_PAGE = 500
"""So many changes are read at once. Chosen by hand."""


class HistoryStore(UndoRedo):
    """The operations of one scope."""

    async def history(self, memory_id: int) -> list[Change]:
        """What was done to a memory, oldest first. Raises NotFound."""

        def read(rows: Rows) -> list[Change]:
            check_there(rows, MEMORIES, [memory_id])
            return changes_to(rows, Ref(MEMORY, memory_id), self._types)

        return await self._transactions.read(read)

    async def operations(self, limit: int) -> list[Operation]:
        """Newest first."""
        return await self._selected(order=("-id",), limit=limit)

    async def operations_after(self, operation: int, limit: int) -> list[Operation]:
        """Those that are newer, oldest first. Numbers grow in the order of commits."""
        return await self._selected(above("id", operation), order=("id",), limit=limit)

    async def under_way(self) -> list[Operation]:
        """The undos and redos that are not done yet, oldest first."""
        return await self._selected(is_not("under_way", None), order=("id",))

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
        the first so many changes."""

        def read(rows: Rows) -> list[Change]:
            wanted = sorted(set(operations))
            found = [row for each in wanted for row in self._of_operation(rows, each, most_each)]
            return _changes(rows, found, self._types)

        return await self._transactions.read(read, own=True)

    def _of_operation(self, rows: Rows, operation: int, most: int | None) -> list[Row]:
        found: list[Row] = []
        last = 0
        while most is None or len(found) < most:
            size = _PAGE if most is None else most - len(found)
            where = (is_("operation", operation), above("id", last))
            page = rows.select("memory_history", _CHANGE, *where, order=("id",), limit=size)
            found += self._there(rows, page)
            if len(page) < size:
                break
            last = page[-1][0]
        return found

    def _there(self, rows: Rows, changes: Sequence[Row]) -> list[Row]:
        """The changes to records that still exist."""
        refs = [Ref(self._types.named(kind), number) for _, _, kind, number, *_ in changes]
        there = records_of(rows, self._types, [ref for ref in refs if ref.kind in self._types])
        return [row for row, ref in zip(changes, refs, strict=True) if ref in there]

    async def _selected(self, *where: Condition, order: Sequence[str], limit: int | None = None) -> list[Operation]:
        def read(rows: Rows) -> list[Operation]:
            found = rows.select("operations", OPERATION, *where, order=order, limit=limit)
            return [operation_from_row(row) for row in found]

        return await self._transactions.read(read, own=True)


def changes_to(rows: Rows, ref: Ref, types: RecordTypes) -> list[Change]:
    """The changes of a record, oldest first."""
    same = (is_("kind", ref.kind.name), is_("memory_id", ref.id))
    return _changes(rows, rows.select("memory_history", _CHANGE, *same, order=("id",)), types)


def _changes(rows: Rows, found: Sequence[Row], types: RecordTypes) -> list[Change]:
    numbers = sorted({row[1] for row in found})
    by_number = {
        each.id: each.header
        for each in map(operation_from_row, rows.select("operations", OPERATION, any_of("id", numbers)))
    }
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
        for _, operation, kind, number, before, after in found
        if (header := by_number.get(operation)) is not None
    ]
