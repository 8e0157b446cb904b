"""Long-term memories, listed and looked up. Deleting is in `deletion`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import apsw

from orca_core.domain.errors import NotFound
from orca_core.domain.journal import OperationHeader
from orca_core.domain.learning import UndecidedPair
from orca_core.domain.memories import MEMORIES, Deletion, Memory
from orca_core.domain.queries import MemoryPage, MemoryQuery, MemorySort
from orca_core.journal.folds import leave_out_deleted
from orca_core.journal.memories import MemoryChanges
from orca_core.journal.operations import OpenOperation
from orca_core.journal.records import JournalRules, RecordTypes, check_there
from orca_core.storage.sqlite.engine.rows import MEMORY_COLUMNS, memory_from_row, to_json
from orca_core.storage.sqlite.engine.scope import Scope, among
from orca_core.storage.sqlite.engine.transactions import SQLiteTransactions
from orca_core.storage.sqlite.memories import acts, changes, deletion
from orca_core.storage.sqlite.memories.kept import KeptOfDeleted
from orca_core.storage.sqlite.memories.patterns import patterns_of
from orca_core.storage.sqlite.memories.wiping import wipe_all

_ORDER = {
    MemorySort.WEIGHT: " ORDER BY pinned DESC, weight DESC, id",
    MemorySort.USED: " ORDER BY last_accessed IS NULL, last_accessed DESC, id",
    MemorySort.NEW: " ORDER BY created_at DESC, id DESC",
    MemorySort.TYPE: " ORDER BY type, weight DESC, id",
    MemorySort.ID: " ORDER BY id",
}
_WHERE = " FROM long_term_memories WHERE {} AND state IN (SELECT value FROM json_each(:states))"
# Further conditions of a query, each only where it is asked for: SQLite uses an index only for written-out ones.
_CONDITIONS = {
    "weight_above": " AND weight > :weight_above",
    "weight_at_most": " AND weight <= :weight_at_most",
    "types": " AND type IN (SELECT value FROM json_each(:types))",
    "tags": (
        " AND NOT EXISTS (SELECT 1 FROM json_each(:tags) wanted"
        " WHERE wanted.value NOT IN (SELECT value FROM json_each(long_term_memories.tags)))"
    ),
    "program": " AND elsewhere_program = :program",
    "operation": (" AND id IN (SELECT memory_id FROM memory_history WHERE kind = 'memory' AND operation = :operation)"),
}
_PINNED = {None: "", True: " AND pinned = 1", False: " AND pinned = 0"}

_UNDECIDED = """
    SELECT p.newer, p.older, p.why FROM undecided_pairs p
    JOIN long_term_memories a ON a.id = p.newer JOIN long_term_memories b ON b.id = p.older
    WHERE p.scope = ? AND p.settled = 0 AND a.state IN ('live', 'candidate') AND b.state IN ('live', 'candidate')
    ORDER BY p.newer DESC, p.older
"""


DELETED_AT_ONCE = 50
"""How many memories one transaction of a delete hides."""


class SQLiteMemories(MemoryChanges):
    """Lists and deletes the long-term memories of one scope. The journal makes and changes them."""

    def __init__(self, scope: Scope, transactions: SQLiteTransactions, types: RecordTypes, rules: JournalRules) -> None:
        super().__init__(transactions, types, rules)
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
        where, bindings = self._conditions(query)

        def read(connection: apsw.Connection) -> MemoryPage:
            total = 0
            if query.counted:
                [total] = connection.execute("SELECT count(*)" + where, bindings).fetchone() or (0,)
            if query.limit == 0:
                return MemoryPage((), total)
            rows = connection.execute(
                f"SELECT {MEMORY_COLUMNS}" + where + _ORDER[query.sort] + " LIMIT :limit OFFSET :offset",
                {**bindings, "limit": -1 if query.limit is None else query.limit, "offset": query.offset},
            )
            memories = tuple(memory_from_row(row) for row in rows)
            return MemoryPage(memories, total if query.counted else len(memories))

        return await self._scope.read(read)

    def _conditions(self, query: MemoryQuery) -> tuple[str, dict[str, Any]]:
        bindings: dict[str, Any] = {
            **{f"scope{number}": scope for number, scope in enumerate(self._scope.all)},
            "states": to_json([state.value for state in query.criteria.states]),
        }
        asked: dict[str, Any] = {
            "weight_above": query.criteria.weight_above,
            "weight_at_most": query.criteria.weight_at_most,
            "types": to_json([each.value for each in query.types]) if query.types else None,
            "tags": to_json(query.tags) if query.tags else None,
            "program": query.program or None,
            "operation": query.operation,
        }
        patterns = {f"word{number}": pattern for number, pattern in enumerate(patterns_of(query.text))}
        titles = {f"title{number}": pattern for number, pattern in enumerate(patterns_of(query.chat))}
        there = {name: value for name, value in asked.items() if value is not None}
        where = _WHERE.format(among("scope", self._scope.all, "scope"))
        where += "".join(_CONDITIONS[name] for name in there) + _PINNED[query.pinned]
        where += "".join(f" AND content LIKE :{name} ESCAPE '!'" for name in patterns)
        where += "".join(f" AND elsewhere_chat LIKE :{name} ESCAPE '!'" for name in titles)
        return where, bindings | there | patterns | titles

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
                operation = OpenOperation(rows, self._types, self._rules, header, continues=continues)
                came_from = deletion.hide_memories(
                    connection,
                    self._scope.own,
                    some,
                    with_messages=with_messages,
                    kept=KeptOfDeleted(rows, self._rules, header.at),
                )
                if with_messages:
                    acts.delete_of_rounds(connection, rows, self._rules, operation, came_from)
                leave_out_deleted(rows, self._rules, dict.fromkeys(session_id for session_id, _number in came_from))
                return operation.insert_row(), came_from

            number, came_from = await self._scope.write(write)
            rounds.update(dict.fromkeys(came_from))
        finished = await wipe_all(self._scope)
        return Deletion(distinct, () if with_messages else tuple(rounds), finished)

    async def counts(self) -> dict[str, dict[str, int]]:
        def read(connection: apsw.Connection) -> dict[str, dict[str, int]]:
            which = among("scope", self._scope.all)
            by_state = f"SELECT state, count(*) FROM long_term_memories WHERE {which} GROUP BY state ORDER BY state"
            by_type = f"SELECT type, count(*) FROM long_term_memories WHERE {which} GROUP BY type ORDER BY type"
            return {
                "state": dict(connection.execute(by_state, self._scope.all)),
                "type": dict(connection.execute(by_type, self._scope.all)),
            }

        return await self._scope.read(read)

    async def undecided(self) -> list[UndecidedPair]:
        def read(connection: apsw.Connection) -> list[UndecidedPair]:
            rows = connection.execute(_UNDECIDED, (self._scope.own,))
            pairs = [(int(str(row[0])), int(str(row[1])), str(row[2])) for row in rows]
            ids = [memory_id for newer, older, _ in pairs for memory_id in (newer, older)]
            by_id = {memory.id: memory for memory in changes.memories_there(connection, self._scope.own, ids)}
            return [UndecidedPair(by_id[newer], by_id[older], why) for newer, older, why in pairs]

        return await self._scope.read(read)
