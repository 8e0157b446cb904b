"""Runs of the memory agent as rows: begun, ended, and what was said in them. The functions work inside their caller's
transaction."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from datetime import datetime

import apsw
import msgspec

from orca_core.domain.dialogues import Round
from orca_core.domain.errors import NotFound
from orca_core.domain.learning import AgentMessage, Run, RunEnd, RunKind, RunResult, RunState
from orca_core.domain.messages import Usage
from orca_core.domain.times import parse_timestamp, timestamp
from orca_core.storage.sqlite.engine.rows import ROUND_COLUMNS, Row, round_from_row, to_json
from orca_core.storage.sqlite.engine.scope import Scope
from orca_core.storage.sqlite.memories import gone

ROUNDS_BY_ID = f"""
    SELECT {ROUND_COLUMNS}
    FROM json_each(?) wanted
    JOIN rounds r ON r.id = wanted.value
    LEFT JOIN main_messages u ON u.round_id = r.id AND u.role = 'user'
    LEFT JOIN main_messages a ON a.round_id = r.id AND a.role = 'assistant'
    WHERE r.scope = ? AND r.replaced_by IS NULL ORDER BY r.number
"""
_ALL_ROUNDS_ARE_THERE = """
    SELECT NOT EXISTS (SELECT 1 FROM json_each(x.rounds) wanted LEFT JOIN rounds r
                       ON r.id = wanted.value AND r.scope = x.scope WHERE r.id IS NULL)
    FROM extraction_runs x WHERE x.id = ?
"""
_SAYS_JUST_THAT = """
    SELECT m.id FROM extraction_runs x JOIN long_term_memories m ON m.scope = x.scope
    WHERE x.id = ? AND m.content = ?
"""
RUN_COLUMNS = """
    x.id, x.kind, x.session_id, x.state, x.tries, x.started_at, x.ended_at, x.next_at, x.operation, x.error, x.result,
    (SELECT json_group_array(r.number) FROM json_each(x.rounds) e JOIN rounds r ON r.id = e.value)
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


def rounds_of(connection: apsw.Connection, scope: str, round_ids: Iterable[int]) -> tuple[Round, ...]:
    """Those of the rounds that are still there and are not replaced, in their order."""
    rows = connection.execute(ROUNDS_BY_ID, (to_json(list(round_ids)), scope))
    return tuple(round_from_row(row) for row in rows)


def begin(
    connection: apsw.Connection,
    scope: str,
    session_id: str,
    kind: RunKind,
    round_ids: Sequence[int],
    now: datetime,
    *,
    again: bool = False,
) -> int:
    connection.execute(
        "INSERT INTO extraction_runs (scope, session_id, kind, state, started_at, rounds, again, tries)"
        " VALUES (?, ?, ?, ?, ?, ?, ?, 1)",
        (scope, session_id, kind.value, RunState.RUNNING.value, timestamp(now), to_json(list(round_ids)), int(again)),
    )
    return connection.last_insert_rowid()


def begin_again(connection: apsw.Connection, run: int, round_ids: Sequence[int], now: datetime) -> None:
    """Another try at a run, with what is left of its rounds. It counts from now on, however it ends."""
    connection.execute(
        "UPDATE extraction_runs SET state = ?, started_at = ?, ended_at = NULL, next_at = NULL, rounds = ?,"
        " tries = tries + 1 WHERE id = ?",
        (RunState.RUNNING.value, timestamp(now), to_json(list(round_ids)), run),
    )


def end(
    connection: apsw.Connection,
    run: int,
    state: RunState,
    ended: RunEnd,
    *,
    error: str | None = None,
    next_at: datetime | None = None,
    operation: int | None = None,
    result: RunResult | None = None,
) -> None:
    connection.execute(
        "UPDATE extraction_runs SET state = ?, ended_at = ?, error = ?, next_at = ?, operation = ?, result = ?"
        " WHERE id = ?",
        (
            state.value, timestamp(ended.at), error, timestamp(next_at) if next_at else None, operation,
            to_json(result) if result else None, run,
        ),
    )  # fmt: skip
    if not _may_be_kept(connection, run):
        return
    _note_memories(connection, run, ended, result)
    for message in ended.exchange:
        connection.execute(
            "INSERT INTO subagent_messages (run, role, content, model, usage, at) VALUES (?, ?, ?, ?, ?, ?)",
            (
                run, message.role, message.content, message.model,
                to_json(message.usage) if message.usage else None, timestamp(message.at),
            ),
        )  # fmt: skip


def _may_be_kept(connection: apsw.Connection, run: int) -> bool:
    """Whether all that a run read is there yet. What was deleted while it read must not come back with its exchange."""
    return connection.execute(_ALL_ROUNDS_ARE_THERE, (run,)).fetchone() == (1,)


def _note_memories(connection: apsw.Connection, run: int, ended: RunEnd, result: RunResult | None) -> None:
    """Which memories stand in the exchange, shown or found: deleting one of them takes the exchange along."""
    named = set(ended.shown)
    if result is not None:
        named.update(result.stored, result.confirmed, result.candidates)
        named.update(memory_id for pair in result.replaced for memory_id in pair)
        for dropped in result.dropped:
            rows = connection.execute(_SAYS_JUST_THAT, (run, dropped.content))
            named.update(int(str(memory_id)) for (memory_id,) in rows)
    connection.executemany(
        "INSERT OR IGNORE INTO run_memories (memory_id, run) VALUES (?, ?)", [(each, run) for each in sorted(named)]
    )


def give_back(connection: apsw.Connection, run: int) -> None:
    """A try that was begun and left without a fault of its own: the run waits as if it had not been begun."""
    connection.execute(
        "UPDATE extraction_runs SET tries = max(0, tries - 1) WHERE id = ? AND state = ?",
        (run, RunState.RUNNING.value),
    )


def park(connection: apsw.Connection, run: int, tries: int, now: datetime) -> None:
    """A run that was begun as often as it may be, and whose last try never came to an end."""
    error = f"cut short in the middle, and begun {tries} times by now"
    end(connection, run, RunState.FAILED, RunEnd(now), error=error)


def exchange_of(connection: apsw.Connection, run: int) -> list[AgentMessage]:
    rows = connection.execute(
        "SELECT role, content, at, model, usage FROM subagent_messages WHERE run = ?1 AND NOT EXISTS"
        " (SELECT 1 FROM run_memories n JOIN long_term_memories m ON m.id = n.memory_id"
        f"  WHERE n.run = ?1 AND {gone.IS_GONE}) ORDER BY id",
        (run,),
    )
    return [
        AgentMessage(
            row[0], row[1], parse_timestamp(row[2]), row[3], msgspec.json.decode(row[4], type=Usage) if row[4] else None
        )
        for row in rows
    ]


def run_from_row(row: Row) -> Run:
    """A run from `RUN_COLUMNS`."""
    return Run(
        id=row[0],
        kind=RunKind(row[1]),
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
    )
