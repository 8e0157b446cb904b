"""Operations and what they changed, listed."""

from __future__ import annotations

from collections.abc import Sequence

import apsw

from orca_core.model.errors import NotFound
from orca_core.model.operations import Actor, Change, Operation
from orca_core.model.records import Ref, memory_ref, parse_timestamp
from orca_core.operations.columns import fields_from_json
from orca_core.operations.done import OPERATION, operation_from_row
from orca_core.operations.records import RecordTypes
from orca_core.operations.taking_back import TakingBack
from orca_core.operations.tombstones import Tombstones
from orca_core.settings import MemorySettings
from orca_core.store.ports import Rows
from orca_core.store.sqlite.engine import processes
from orca_core.store.sqlite.engine.rows import Row
from orca_core.store.sqlite.engine.scope import Scope, SQLiteTransactions, among
from orca_core.store.sqlite.memories import changes

OPERATIONS = f"SELECT {', '.join(OPERATION)} FROM operations WHERE scope = ?"
_CHANGES = (
    "SELECT h.operation, h.kind, h.memory_id, o.at, o.actor, o.action, h.before, h.after"
    " FROM memory_history h JOIN operations o ON o.id = h.operation WHERE "
)
_IS_THERE = "h.kind = '{kind}' AND EXISTS (SELECT 1 FROM {table} t WHERE t.id = h.memory_id AND t.scope = o.scope)"


class SQLiteHistory(TakingBack):
    """Lists the operations of one scope. The journal undoes them."""

    def __init__(
        self, scope: Scope, transactions: SQLiteTransactions, types: RecordTypes, settings: MemorySettings
    ) -> None:
        super().__init__(transactions, types, settings, processes.is_alive)
        self._scope = scope
        there = (_IS_THERE.format(kind=each.kind.name, table=each.table) for each in types)
        self._is_there = f" AND ({' OR '.join(there)})"

    async def history(self, memory_id: int) -> list[Change]:
        def read(connection: apsw.Connection) -> list[Change]:
            if not changes.memories_among(connection, self._scope.all, [memory_id]):
                raise NotFound(what="memory", id=memory_id)
            return changes_to(connection, self._scope.all, memory_ref(memory_id), self._types)

        return await self._scope.read(read)

    async def operations(self, limit: int) -> list[Operation]:
        def read(connection: apsw.Connection) -> list[Operation]:
            rows = connection.execute(OPERATIONS + " ORDER BY id DESC LIMIT ?", (self._scope.own, limit))
            return [operation_from_row(row) for row in rows]

        return await self._scope.read(read)

    async def under_way(self) -> list[Operation]:
        def read(connection: apsw.Connection) -> list[Operation]:
            rows = connection.execute(OPERATIONS + " AND under_way IS NOT NULL ORDER BY id", (self._scope.own,))
            return [operation_from_row(row) for row in rows]

        return await self._scope.read(read)

    async def deleted(self, texts: Sequence[str]) -> frozenset[str]:
        def read(rows: Rows) -> frozenset[str]:
            tombstones = Tombstones(rows)
            return frozenset(text for text in texts if tombstones.says_deleted(text))

        return await self._transactions.read(read, own=True)

    async def changes_of(self, operations: Sequence[int], most_each: int | None = None) -> list[Change]:
        which = "o.scope = ? AND h.operation = ?" + self._is_there + " ORDER BY h.id LIMIT ?"

        def read(connection: apsw.Connection) -> list[Change]:
            most = -1 if most_each is None else most_each
            found: list[Row] = []
            for operation in sorted(set(operations)):
                found += connection.execute(_CHANGES + which, (self._scope.own, operation, most))
            return [_change_from_row(row, self._types) for row in found]

        return await self._scope.read(read)


def changes_to(connection: apsw.Connection, scopes: tuple[str, ...], ref: Ref, types: RecordTypes) -> list[Change]:
    """The changes of a record of any of the scopes, oldest first."""
    query = _CHANGES + among("o.scope", scopes) + " AND h.memory_id = ? AND h.kind = ? ORDER BY h.id"
    rows = connection.execute(query, (*scopes, ref.id, ref.kind.name))
    return [_change_from_row(row, types) for row in rows]


def _change_from_row(row: Row, types: RecordTypes) -> Change:
    operation, kind, number, at, actor, action, before, after = row
    ref = Ref(types.named(kind), number)
    was = None if before is None else fields_from_json(before)
    return Change(operation, ref, parse_timestamp(at), Actor(actor), action, was, fields_from_json(after))
