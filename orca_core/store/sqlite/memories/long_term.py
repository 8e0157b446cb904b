"""Long-term memories, listed and looked up. Deleting is in `deletion`."""

from __future__ import annotations

from collections.abc import Sequence

import apsw

from orca_core.model.errors import NotFound
from orca_core.model.memories import MEMORIES, Deletion, Memory, UndecidedPair
from orca_core.model.operations import OperationHeader
from orca_core.model.records import parse_timestamp
from orca_core.model.views import MemoryPage, MemoryQuery
from orca_core.operations.folds import leave_out_deleted
from orca_core.operations.memories import MemoryChanges
from orca_core.operations.operations import OpenOperation
from orca_core.operations.records import RecordTypes, check_there
from orca_core.settings import MemorySettings
from orca_core.store.sqlite.engine.scope import Scope, SQLiteTransactions, among
from orca_core.store.sqlite.memories import acts, changes, deletion
from orca_core.store.sqlite.memories.kept import KeptOfDeleted
from orca_core.store.sqlite.memories.memory_lists import MemoryList
from orca_core.store.sqlite.memories.wiping import wipe_all

_UNDECIDED = """
    SELECT p.newer, p.older, p.why, p.at FROM undecided_pairs p
    JOIN long_term_memories a ON a.id = p.newer JOIN long_term_memories b ON b.id = p.older
    WHERE p.scope = ? AND p.settled = 0 AND a.state IN ('live', 'candidate') AND b.state IN ('live', 'candidate')
    ORDER BY p.newer DESC, p.older
"""


DELETED_AT_ONCE = 50
"""How many memories one transaction of a delete hides."""


class SQLiteMemories(MemoryChanges):
    """Lists and deletes the long-term memories of one scope. The journal makes and changes them."""

    def __init__(
        self, scope: Scope, transactions: SQLiteTransactions, types: RecordTypes, settings: MemorySettings
    ) -> None:
        super().__init__(transactions, types, settings)
        self._of_sqlite = transactions
        self._scope = scope

    async def get(self, ids: Sequence[int], *, missing_ok: bool = False) -> list[Memory]:
        def read(connection: apsw.Connection) -> list[Memory]:
            found = changes.memories_among(connection, self._scope.all, ids)
            missing = set(ids) - {memory.id for memory in found}
            if missing and not missing_ok:
                raise NotFound(what="memory", id=next(each for each in ids if each in missing))
            return found

        return await self._scope.read(read)

    async def page(self, query: MemoryQuery) -> MemoryPage:
        def read(connection: apsw.Connection) -> MemoryPage:
            ids, total = MemoryList(connection, self._scope.all, query).page()
            memories = tuple(changes.memories_among(connection, self._scope.all, ids))
            return MemoryPage(memories, total if query.counted else len(memories))

        return await self._scope.read(read)

    async def delete(self, ids: Sequence[int], header: OperationHeader, with_messages: bool = False) -> Deletion:
        distinct = tuple(dict.fromkeys(ids))
        rounds: dict[tuple[str, int], None] = {}
        number: int | None = None
        for first in range(0, len(distinct), DELETED_AT_ONCE):
            some = distinct[first : first + DELETED_AT_ONCE]

            def write(
                connection: apsw.Connection, some: tuple[int, ...] = some, continues: int | None = number
            ) -> tuple[int, tuple[tuple[str, int], ...]]:
                rows = self._of_sqlite.rows_of(connection)
                if continues is None:
                    check_there(rows, MEMORIES, distinct)
                operation = OpenOperation(rows, self._types, self._settings, header, continues=continues)
                came_from = deletion.hide_memories(
                    connection,
                    self._scope.own,
                    some,
                    with_messages=with_messages,
                    kept=KeptOfDeleted(rows, header.at),
                )
                if with_messages:
                    acts.delete_of_rounds(connection, rows, operation, came_from)
                leave_out_deleted(rows, dict.fromkeys(session_id for session_id, _number in came_from))
                return operation.insert_row(), came_from

            number, came_from = await self._scope.write(write)
            rounds.update(dict.fromkeys(came_from))
        finished = await wipe_all(self._scope)
        return Deletion(distinct, () if with_messages else tuple(rounds), finished)

    async def counts(self) -> dict[str, dict[str, int]]:
        def read(connection: apsw.Connection) -> dict[str, dict[str, int]]:
            which = among("scope", self._scope.all)
            text = "SELECT {0}, sum(memories) FROM memory_counts WHERE {1} GROUP BY {0} ORDER BY {0}"
            return {
                column: dict(connection.execute(text.format(column, which), self._scope.all))
                for column in ("state", "type")
            }

        return await self._scope.read(read)

    async def undecided(self) -> list[UndecidedPair]:
        def read(connection: apsw.Connection) -> list[UndecidedPair]:
            rows = connection.execute(_UNDECIDED, (self._scope.own,))
            pairs = [(int(str(newer)), int(str(older)), str(why), str(at)) for newer, older, why, at in rows]
            ids = [memory_id for pair in pairs for memory_id in pair[:2]]
            by_id = {memory.id: memory for memory in changes.memories_there(connection, self._scope.own, ids)}
            return [
                UndecidedPair(by_id[newer], by_id[older], why, parse_timestamp(at)) for newer, older, why, at in pairs
            ]

        return await self._scope.read(read)
