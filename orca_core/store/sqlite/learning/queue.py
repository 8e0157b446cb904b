"""Counts what waits to be learnt."""

from __future__ import annotations

import apsw

from orca_core.model.learning import OPEN_STATES, Queue
from orca_core.model.records import parse_timestamp
from orca_core.operations.claims import Claims
from orca_core.operations.records import RecordTypes
from orca_core.settings import MemorySettings
from orca_core.store.sqlite.engine.rows import to_json
from orca_core.store.sqlite.engine.scope import Scope, SQLiteTransactions
from orca_core.store.sqlite.learning.runs import read_rounds

_OPEN = to_json([state.value for state in OPEN_STATES])
# Runs that ended are many: of them the latest alone is looked up.
_UNENDED = """
    SELECT count(*) FILTER (WHERE state = 'running'),
           count(*) FILTER (WHERE state <> 'running' AND next_at IS NOT NULL),
           count(*) FILTER (WHERE state <> 'running' AND next_at IS NULL AND again = 0), min(next_at)
    FROM extraction_runs WHERE scope = ?1 AND state IN (SELECT 'running' UNION ALL SELECT value FROM json_each(?2))
"""
_LAST_SUCCESS = """
    SELECT max(at) FROM (
        SELECT max(ended_at) AS at FROM extraction_runs WHERE scope = ?1 AND state = 'done'
        UNION ALL SELECT max(ended_at) FROM extraction_runs WHERE scope = ?1 AND state = 'none'
    )
"""
_LAST_ERROR = """
    SELECT error FROM extraction_runs WHERE scope = ? AND state IN (SELECT value FROM json_each(?))
    ORDER BY ended_at DESC LIMIT 1
"""


class SQLiteLearning(Claims):
    """Counts the queue of one scope. The journal claims from it."""

    def __init__(
        self, scope: Scope, transactions: SQLiteTransactions, types: RecordTypes, settings: MemorySettings
    ) -> None:
        super().__init__(transactions, types, settings, read_rounds)
        self._scope = scope

    async def queue(self) -> Queue:
        return await self._scope.read(self._queue)

    def _queue(self, connection: apsw.Connection) -> Queue:
        waiting = dict(
            connection.execute(
                "SELECT session_id, count(*) FROM dialogue_buffer WHERE scope = ? AND state = 'new'"
                " GROUP BY session_id ORDER BY min(id)",
                (self._scope.own,),
            )
        )
        unended = connection.execute(_UNENDED, (self._scope.own, _OPEN)).fetchone()
        assert unended is not None
        running, failing, parked, next_at = unended
        [last_success] = connection.execute(_LAST_SUCCESS, (self._scope.own,)).fetchone() or (None,)
        error = connection.execute(_LAST_ERROR, (self._scope.own, _OPEN)).fetchone()
        return Queue(
            waiting=waiting,
            running=running,
            failing=failing,
            parked=parked,
            next_at=parse_timestamp(next_at) if next_at else None,
            last_success=parse_timestamp(last_success) if last_success else None,
            last_error=str(error[0] or "") if error else "",
        )
