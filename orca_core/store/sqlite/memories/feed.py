"""Operations after a number, and whether another process wrote."""

from __future__ import annotations

import apsw

from orca_core.model.operations import Operation
from orca_core.operations.done import operation_from_row
from orca_core.store.sqlite.engine.scope import Scope
from orca_core.store.sqlite.memories.history import OPERATIONS


class SQLiteChangeFeed:
    """The changes of one scope. Numbers grow in the order of commits: there is one writer at a time."""

    def __init__(self, scope: Scope) -> None:
        self._scope = scope

    async def last_operation(self) -> int:
        def read(connection: apsw.Connection) -> int:
            row = connection.execute(OPERATIONS + " ORDER BY id DESC LIMIT 1", (self._scope.own,)).fetchone()
            return operation_from_row(row).id if row else 0

        return await self._scope.read(read)

    async def operations_after(self, operation: int, limit: int) -> list[Operation]:
        def read(connection: apsw.Connection) -> list[Operation]:
            rows = connection.execute(
                OPERATIONS + " AND id > ? ORDER BY id LIMIT ?", (self._scope.own, operation, limit)
            )
            return [operation_from_row(row) for row in rows]

        return await self._scope.read(read)

    async def foreign_writes(self) -> int:
        return await self._scope.foreign_writes()
