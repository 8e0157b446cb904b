"""Running summaries: claimed and folded like any other run of the memory agent."""

from __future__ import annotations

from datetime import datetime

import apsw

from orca_core.domain.learning import Batch, RunEnd, RunKind, RunState
from orca_core.domain.times import timestamp
from orca_core.rules.learning import backlog
from orca_core.storage.sqlite.engine.rows import Row
from orca_core.storage.sqlite.engine.scope import Scope
from orca_core.storage.sqlite.learning import runs

_OPEN_FOLD = """
    SELECT id, tries, state, next_at FROM extraction_runs
    WHERE scope = ? AND session_id = ? AND kind = 'summarize' AND state IN ('running', 'failed', 'unreadable')
    ORDER BY id DESC LIMIT 1
"""
_DUE = """
    SELECT DISTINCT session_id FROM extraction_runs
    WHERE scope = ? AND kind = 'summarize' AND (state = 'running' OR state IN ('failed', 'unreadable') AND next_at <= ?)
"""
_ROUNDS_BETWEEN = """
    SELECT id FROM rounds WHERE scope = ? AND session_id = ? AND number > ? AND number <= ? AND replaced_by IS NULL
    ORDER BY number
"""


def _waits(open_fold: Row, now: str) -> bool:
    """Whether a fold that failed is parked, or its time has not come."""
    _, _, state, next_at = open_fold
    return state != RunState.RUNNING.value and (next_at is None or next_at > now)


class SQLiteSummaries:
    """The summaries of one scope's sessions."""

    def __init__(self, scope: Scope) -> None:
        self._scope = scope

    async def summary(self, session_id: str) -> tuple[str, int]:
        return await self._scope.read(lambda connection: self._summary(connection, session_id))

    async def due(self, now: datetime) -> list[str]:
        def read(connection: apsw.Connection) -> list[str]:
            return [str(row[0]) for row in connection.execute(_DUE, (self._scope.own, timestamp(now)))]

        return await self._scope.read(read)

    async def claim(self, session_id: str, through: int, now: datetime) -> Batch | None:
        def write(connection: apsw.Connection) -> Batch | None:
            open_fold = connection.execute(_OPEN_FOLD, (self._scope.own, session_id)).fetchone()
            if open_fold is not None and _waits(open_fold, timestamp(now)):
                return None
            if open_fold is not None and backlog.is_spent(open_fold[1]):
                runs.park(connection, open_fold[0], open_fold[1], now)
                return None
            summary, covered = self._summary(connection, session_id)
            between = (self._scope.own, session_id, covered, through)
            ids = [row[0] for row in connection.execute(_ROUNDS_BETWEEN, between)]
            rounds = runs.rounds_of(connection, self._scope.own, ids)
            if not rounds:
                if open_fold is not None:
                    runs.end(connection, open_fold[0], RunState.NONE, RunEnd(now), error="its rounds are gone")
                return None
            if open_fold is None:
                run = runs.begin(connection, self._scope.own, session_id, RunKind.SUMMARIZE, ids, now)
                return Batch(run, RunKind.SUMMARIZE, session_id, rounds, 1, summary=summary)
            runs.begin_again(connection, open_fold[0], ids, now)
            return Batch(open_fold[0], RunKind.SUMMARIZE, session_id, rounds, open_fold[1] + 1, summary=summary)

        return await self._scope.write(write)

    async def fold(self, batch: Batch, summary: str, ended: RunEnd) -> bool:
        def write(connection: apsw.Connection) -> bool:
            before, _ = self._summary(connection, batch.session_id)
            ids = [each.id for each in batch.rounds]
            stands = before == batch.summary and len(runs.rounds_of(connection, self._scope.own, ids)) == len(ids)
            if stands:
                connection.execute(
                    "UPDATE sessions SET summary = ?, summary_through = ? WHERE scope = ? AND id = ?",
                    (summary, batch.rounds[-1].number, self._scope.own, batch.session_id),
                )
            if stands:
                runs.end(connection, batch.run, RunState.DONE, ended)
            else:  # its exchange may hold a summary of what was deleted
                error = "a round was replaced or deleted meanwhile"
                runs.end(connection, batch.run, RunState.NONE, RunEnd(ended.at), error=error)
            return stands

        return await self._scope.write(write)

    def _summary(self, connection: apsw.Connection, session_id: str) -> tuple[str, int]:
        row = connection.execute(
            "SELECT summary, summary_through FROM sessions WHERE scope = ? AND id = ?", (self._scope.own, session_id)
        ).fetchone()
        return ("", 0) if row is None or not row[0] else (str(row[0]), int(row[1]))
