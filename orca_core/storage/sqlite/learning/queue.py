"""Counts what waits to be learnt."""

from __future__ import annotations

import apsw

from orca_core.domain.learning import OPEN_STATES, Queue
from orca_core.domain.times import parse_timestamp
from orca_core.journal.claims import Claims
from orca_core.journal.records import JournalRules, RecordTypes
from orca_core.storage.sqlite.engine.rows import to_json
from orca_core.storage.sqlite.engine.scope import Scope
from orca_core.storage.sqlite.engine.transactions import SQLiteTransactions
from orca_core.storage.sqlite.learning.runs import read_rounds

_OPEN = to_json([state.value for state in OPEN_STATES])


class SQLiteLearning(Claims):
    """Counts the queue of one scope. The journal claims from it."""

    def __init__(self, scope: Scope, transactions: SQLiteTransactions, types: RecordTypes, rules: JournalRules) -> None:
        super().__init__(transactions, types, rules, read_rounds)
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
        row = connection.execute(
            "SELECT count(*) FILTER (WHERE state = 'running'),"
            " count(*) FILTER (WHERE state IN (SELECT value FROM json_each(?2)) AND next_at IS NOT NULL),"
            " count(*) FILTER (WHERE state IN (SELECT value FROM json_each(?2)) AND next_at IS NULL AND again = 0),"
            " min(next_at), max(ended_at) FILTER (WHERE state IN ('done', 'none'))"
            " FROM extraction_runs WHERE scope = ?1",
            (self._scope.own, _OPEN),
        ).fetchone()
        assert row is not None
        error = connection.execute(
            "SELECT error FROM extraction_runs WHERE scope = ? AND state IN (SELECT value FROM json_each(?))"
            " ORDER BY ended_at DESC LIMIT 1",
            (self._scope.own, _OPEN),
        ).fetchone()
        return Queue(
            waiting=waiting,
            running=row[0],
            failing=row[1],
            parked=row[2],
            next_at=parse_timestamp(row[3]) if row[3] else None,
            last_success=parse_timestamp(row[4]) if row[4] else None,
            last_error=str(error[0] or "") if error else "",
        )
