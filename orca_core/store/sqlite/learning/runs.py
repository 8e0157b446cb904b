"""Lists runs of the memory agent, and reads rounds with their messages."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping

import apsw
import msgspec

from orca_core.model.errors import NotFound
from orca_core.model.learning import AgentMessage, Run, RunKind, RunResult, RunState
from orca_core.model.llm import Usage
from orca_core.model.records import parse_timestamp
from orca_core.model.sessions import Round
from orca_core.operations.columns import role_from_column
from orca_core.store.ports import Rows
from orca_core.store.sqlite.engine.rows import ROUND_COLUMNS, Row, round_from_row, to_json
from orca_core.store.sqlite.engine.scope import Scope, SQLiteRows
from orca_core.store.sqlite.memories import gone

_ROUNDS_BY_ID = f"""
    SELECT {ROUND_COLUMNS}
    FROM json_each(?) wanted
    JOIN rounds r ON r.id = wanted.value
    LEFT JOIN main_messages u ON u.round_id = r.id AND u.role = 'user'
    LEFT JOIN main_messages a ON a.round_id = r.id AND a.role = 'assistant'
    WHERE +r.scope = ? AND +r.replaced_by IS NULL ORDER BY r.number
"""
_OWN_KINDS: Mapping[str, str] = {each.value: each for each in RunKind}
RUN_COLUMNS = """
    x.id, x.kind, x.session_id, x.state, x.tries, x.started_at, x.ended_at, x.next_at, x.operation, x.error, x.result,
    (SELECT json_group_array(r.number) FROM json_each(x.rounds) e JOIN rounds r ON r.id = e.value), x.target, x.episodes
"""


class SQLiteRunRecord:
    """The runs of one scope, to be looked at."""

    def __init__(self, scope: Scope) -> None:
        self._scope = scope

    async def runs(self, limit: int) -> list[Run]:
        def read(connection: apsw.Connection) -> list[Run]:
            rows = connection.execute(
                f"SELECT {RUN_COLUMNS} FROM extraction_runs x WHERE x.scope = ? ORDER BY x.id DESC LIMIT ?",
                (self._scope.own, limit),
            )
            return [run_from_row(row) for row in rows]

        return await self._scope.read(read)

    async def run(self, run_id: int) -> tuple[Run, list[AgentMessage]]:
        def read(connection: apsw.Connection) -> tuple[Run, list[AgentMessage]]:
            row = connection.execute(
                f"SELECT {RUN_COLUMNS} FROM extraction_runs x WHERE x.scope = ? AND x.id = ?", (self._scope.own, run_id)
            ).fetchone()
            if row is None:
                raise NotFound(what="run", id=run_id)
            return run_from_row(row), exchange_of(connection, run_id)

        return await self._scope.read(read)


def read_rounds(rows: Rows, round_ids: Iterable[int]) -> tuple[Round, ...]:
    """The rounds that still exist and are not replaced, in order."""
    assert isinstance(rows, SQLiteRows)
    found = rows.connection.execute(_ROUNDS_BY_ID, (to_json(list(round_ids)), rows.own))
    return tuple(round_from_row(row) for row in found)


def exchange_of(connection: apsw.Connection, run: int) -> list[AgentMessage]:
    rows = connection.execute(
        "SELECT role, content, at, model, usage FROM subagent_messages WHERE run = ?1 AND NOT EXISTS"
        " (SELECT 1 FROM run_memories n JOIN long_term_memories m ON m.id = n.memory_id"
        f"  WHERE n.run = ?1 AND {gone.IS_GONE}) ORDER BY id",
        (run,),
    )
    return [_message(*row) for row in rows]


def _message(role: str, content: str, at: str, model: str, usage: str | None) -> AgentMessage:
    speaker, in_verification = role_from_column(role)
    used = msgspec.json.decode(usage, type=Usage) if usage else None
    return AgentMessage(speaker, content, parse_timestamp(at), model, used, in_verification)


def run_from_row(row: Row) -> Run:
    """A run from `RUN_COLUMNS`."""
    return Run(
        id=row[0],
        kind=_OWN_KINDS.get(row[1], row[1]),
        session_id=row[2],
        state=RunState(row[3]),
        tries=row[4],
        started_at=parse_timestamp(row[5]),
        ended_at=parse_timestamp(row[6]) if row[6] else None,
        next_at=parse_timestamp(row[7]) if row[7] else None,
        operation=row[8],
        error=row[9] or "",
        result=msgspec.json.decode(row[10], type=RunResult) if row[10] else None,
        rounds=tuple(json.loads(row[11])),
        target=row[12],
        episodes=tuple(json.loads(row[13])),
    )
