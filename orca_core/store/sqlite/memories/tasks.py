"""Tasks of one scope: listed, and deleted for good. The journal reads and changes them."""

from __future__ import annotations

from collections.abc import Sequence

import apsw

from orca_core.model.operations import OperationHeader
from orca_core.model.tasks import STEPS, TASKS, TasksFound
from orca_core.model.views import RecordQuery
from orca_core.operations.operations import OpenOperation
from orca_core.operations.records import RecordTypes, check_there, records_there
from orca_core.operations.tasks import TaskChanges, with_steps
from orca_core.operations.tombstones import Tombstones
from orca_core.settings import MemorySettings
from orca_core.store.sqlite.engine.rows import to_json
from orca_core.store.sqlite.engine.scope import Scope, SQLiteTransactions
from orca_core.store.sqlite.memories import gone, record_lists, texts, tool_calls
from orca_core.store.sqlite.memories.wiping import wipe_all

_HISTORY_OF_STEPS = """
    DELETE FROM memory_history WHERE kind = ?1 AND memory_id IN
    (SELECT id FROM task_steps WHERE task IN (SELECT value FROM json_each(?2)))
"""
_HISTORY = "DELETE FROM memory_history WHERE kind = ?1 AND memory_id IN (SELECT value FROM json_each(?2))"
_ROWS = (
    "DELETE FROM task_steps WHERE task IN (SELECT value FROM json_each(?))",
    "DELETE FROM tasks WHERE id IN (SELECT value FROM json_each(?))",
)


class SQLiteTasks(TaskChanges):
    """Lists and deletes tasks."""

    def __init__(
        self, scope: Scope, transactions: SQLiteTransactions, types: RecordTypes, settings: MemorySettings
    ) -> None:
        super().__init__(transactions, types, settings)
        self._scope = scope
        self._rows_of = transactions.rows_of

    async def listed(self, query: RecordQuery, *, with_results: bool = True) -> TasksFound:
        def read(connection: apsw.Connection) -> TasksFound:
            found = record_lists.page(connection, (self._scope.own,), TASKS, query)
            tasks = with_steps(self._rows_of(connection), found.records, with_results=with_results)
            return TasksFound(tuple(tasks), found.total)

        return await self._scope.read(read)

    async def delete(self, ids: Sequence[int], header: OperationHeader) -> bool:
        distinct = tuple(dict.fromkeys(ids))

        def write(connection: apsw.Connection) -> None:
            rows = self._rows_of(connection)
            check_there(rows, TASKS, distinct)
            Tombstones(rows).lay(TASKS, records_there(rows, TASKS, distinct), header.at)
            OpenOperation(rows, self._types, self._settings, header).insert_row()
            delete_tasks(connection, distinct)
            gone.note(connection)

        await self._scope.write(write)
        return await wipe_all(self._scope)


def delete_tasks(connection: apsw.Connection, ids: Sequence[int]) -> None:
    """Delete tasks in the caller's transaction: steps, history of both, what receipts show of them."""
    those = to_json(list(ids))
    connection.execute(_HISTORY_OF_STEPS, (STEPS.kind.name, those))
    connection.execute(_HISTORY, (TASKS.kind.name, those))
    texts.forget_texts(connection, TASKS.kind, ids)
    tool_calls.delete_calls_of_tasks(connection, ids)
    for statement in _ROWS:
        connection.execute(statement, (those,))


def delete_tasks_of(connection: apsw.Connection, scope: str, session_id: str) -> None:
    """Delete the tasks of a session; what was learnt of them stays."""
    found = connection.execute("SELECT id FROM tasks WHERE scope = ? AND session_id = ?", (scope, session_id))
    delete_tasks(connection, [int(str(row[0])) for row in found])
