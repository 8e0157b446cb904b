"""Deletes for good, second part: wipes what deleted rows left in other places, in transactions short enough for
other writers. The rows themselves (`gone`) say what is to be done, so that any process can go on."""

from __future__ import annotations

import time

import apsw
from msgspec.structs import replace

from orca_core.model.errors import StoreBusy
from orca_core.model.record_types import MEMORY
from orca_core.operations.columns import fields_from_json
from orca_core.store.sqlite import deleted_rows
from orca_core.store.sqlite.engine.database import until_done
from orca_core.store.sqlite.engine.scope import Scope
from orca_core.store.sqlite.index import message_index, vector_index
from orca_core.store.sqlite.index.vector_search import forget_vectors

PIECES_A_SLICE = 16
"""Pieces in one transaction. A piece is an exchange or a round, some ten thousand bytes (docs/decisions/0007,
measured by benchmarks/deletion.py)."""
SLICE_S = 0.02
"""So long pieces are begun: a message's words may take some milliseconds (`benchmarks/message_search.py`)."""
ROWS_A_PIECE = 50
"""Small rows, of which a memory may have thousands. Chosen by hand."""


async def wipe_all(scope: Scope) -> bool:
    """Wipe everything that waits, also from the WAL. False where another process blocks it: the rest waits."""
    try:
        if await scope.on_reader(deleted_rows.is_anything):
            await until_done(lambda: scope.on_writer(wipe_slice))
        return await _empty_journal(scope)
    except StoreBusy:
        return False


async def _empty_journal(scope: Scope) -> bool:
    """Clear deleted text from the WAL, and the note that this was to be done; False where that was not possible."""
    if not await scope.checkpoint():
        return False
    await scope.on_writer(deleted_rows.forget_note)
    return await scope.checkpoint()


def wipe_slice(connection: apsw.Connection) -> bool:
    """Wipe some pieces in the caller's transaction; returns whether there may be more."""
    until = time.monotonic() + SLICE_S
    for _ in range(PIECES_A_SLICE):
        if not (_wipe_of_memory(connection) or _wipe_of_round(connection) or _wipe_of_session(connection)):
            return False
        if time.monotonic() > until:
            break
    return True


def _wipe_of_memory(connection: apsw.Connection) -> bool:
    """Wipe a piece of a deleted memory, its row last; False where there is none."""
    memory_id = _one(connection, f"SELECT id FROM long_term_memories WHERE {deleted_rows.IS_GONE} LIMIT 1")
    if memory_id is None:
        return False
    if (run := _one(connection, "SELECT run FROM run_memories WHERE memory_id = ? LIMIT 1", memory_id)) is not None:
        clear_run(connection, run)
    elif not (_wipe_uses(connection, memory_id) or _wipe_history(connection, memory_id)):
        rows = connection.execute("SELECT content FROM long_term_memories WHERE id = ?", (memory_id,)).fetchall()
        forget_vectors(connection, [str(content) for (content,) in rows])
        vector_index.drop_vectors(connection, [memory_id])
        connection.execute("DELETE FROM long_term_memories WHERE id = ?", (memory_id,))
    return True


def _wipe_uses(connection: apsw.Connection, memory_id: int) -> bool:
    """Wipe the usage log of the memory; False where nothing is left."""
    connection.execute(
        "DELETE FROM memory_usage_log WHERE id IN"
        " (SELECT id FROM memory_usage_log WHERE memory_id = ? AND kind = ? LIMIT ?)",
        (memory_id, MEMORY.name, ROWS_A_PIECE),
    )
    return connection.changes() > 0


def _wipe_history(connection: apsw.Connection, memory_id: int) -> bool:
    """Wipe the history of the memory and the cached vectors of its texts; False where nothing is left."""
    rows = connection.execute(
        "SELECT id, before, after FROM memory_history WHERE memory_id = ? AND kind = ? LIMIT ?",
        (memory_id, MEMORY.name, ROWS_A_PIECE),
    ).fetchall()
    changed = [fields_from_json(str(fields)) for _, *both in rows for fields in both if fields is not None]
    forget_vectors(connection, {str(fields["content"]) for fields in changed if "content" in fields})
    connection.executemany("DELETE FROM memory_history WHERE id = ?", [(row[0],) for row in rows])
    return bool(rows)


def _wipe_of_round(connection: apsw.Connection) -> bool:
    """Wipe a piece of a deleted round, its row last. Older attempts first, for each points to its replacement."""
    round_id = _one(
        connection,
        f"SELECT id FROM rounds WHERE {deleted_rows.IS_GONE} ORDER BY scope, session_id, number, attempt LIMIT 1",
    )
    if round_id is None:
        return False
    rows = connection.execute(
        "SELECT content FROM main_messages WHERE round_id = ?1 AND role = 'user'"
        " UNION SELECT content FROM short_term_memories WHERE round_id = ?1",
        (round_id,),
    )
    forget_vectors(connection, [str(text) for (text,) in rows])
    said = message_index.of_round(connection, round_id)
    message_index.drop(connection, [replace(each, scope=deleted_rows.was_in(each.scope)) for each in said])
    connection.execute("DELETE FROM rounds WHERE id = ?", (round_id,))
    return True


def _wipe_of_session(connection: apsw.Connection) -> bool:
    """Wipe a piece of a deleted session without rounds: its runs with their exchanges, then its row."""
    row = connection.execute(f"SELECT rowid, scope, id FROM sessions WHERE {deleted_rows.IS_GONE} LIMIT 1").fetchone()
    if row is None:
        return False
    rowid, scope, session_id = row
    run = _one(
        connection, "SELECT id FROM extraction_runs WHERE scope = ? AND session_id = ? LIMIT 1", scope, session_id
    )
    if run is not None:
        connection.execute("DELETE FROM extraction_runs WHERE id = ?", (run,))
    else:
        connection.execute("DELETE FROM sessions WHERE rowid = ?", (rowid,))
    return True


def _one(connection: apsw.Connection, query: str, *bindings: object) -> int | None:
    row = connection.execute(query, bindings).fetchone()
    return None if row is None else int(str(row[0]))


def clear_run(connection: apsw.Connection, run: int) -> None:
    """Wipe every text of a run: its exchange, refused facts, errors. What it was shown stays noted: a run that has not
    ended must not bring it back."""
    connection.execute("DELETE FROM subagent_messages WHERE run = ?", (run,))
    connection.execute("DELETE FROM run_memories WHERE run = ?", (run,))
    connection.execute(
        "UPDATE extraction_runs SET error = NULL,"
        " result = CASE WHEN result IS NULL THEN NULL ELSE json_set(json_replace(result, '$.verification.error', ''),"
        " '$.dropped', json('[]')) END,"
        " target = CASE WHEN state IN ('done', 'none') THEN '' ELSE target END WHERE id = ?",
        (run,),
    )
