"""The one moment in which an import happens: its rows move into the database in one transaction. What was done to them
is there before it."""

from __future__ import annotations

import apsw

from orca_core.domain.exchange import AMONG_THEMSELVES, COMPARED_TO, TRAVELLING, Arrival
from orca_core.domain.journal import OperationHeader
from orca_core.domain.refs import MEMORY
from orca_core.domain.times import timestamp
from orca_core.storage.sqlite.engine.writing import writing
from orca_core.storage.sqlite.exchange.building import CUES, HISTORY, IMPORTED
from orca_core.storage.sqlite.exchange.deleted_here import lift
from orca_core.storage.sqlite.index import words
from orca_core.storage.sqlite.index.tables import CUE_TABLES, IndexTables, tables_of
from orca_core.storage.sqlite.memories import ahead
from orca_core.storage.sqlite.memories.ahead import Numbers, forget_note

_OPERATIONS = """
    INSERT INTO main.operations (id, scope, actor, action, at, session_id, round)
    SELECT o.id, ?, o.actor, o.action, o.at, o.session_id, o.round
    FROM spool.operations o WHERE o.id IS NOT NULL ORDER BY o.id
"""
# Once all are there: SQLite counts what refers to a row that comes later beside what was there ahead of its operation.
_TAKEN_BACK = """
    UPDATE main.operations AS done SET
        undoes = (SELECT u.id FROM spool.operations u WHERE u.number = o.undoes),
        undone_by = (SELECT u.id FROM spool.operations u WHERE u.number = o.undone_by)
    FROM spool.operations o WHERE done.id = o.id AND (o.undoes IS NOT NULL OR o.undone_by IS NOT NULL)
"""
INDEXED = (*(tables_of(each) for each in TRAVELLING.values() if each.is_indexed), CUE_TABLES)
_IMPORT = "INSERT INTO main.operations (id, scope, actor, action, at) VALUES (?, ?, ?, ?, ?)"
_TO_COMPARE = "INSERT OR REPLACE INTO main.meta (key, value) VALUES (?, ?)"
_ANY_LIVES = "SELECT 1 FROM main.long_term_memories WHERE scope = ? AND state = 'live' LIMIT 1"
_ANY_UNCOMPARED = f"""
    SELECT 1 FROM spool.arriving
    WHERE kind = '{MEMORY.name}' AND arrival = '{Arrival.NEW.value}' AND NOT is_compared LIMIT 1
"""
# What waits for a person says nothing of what is here.
_PAIRS = f"""
    INSERT OR IGNORE INTO main.undecided_pairs (scope, newer, older, why, at, settled)
    SELECT ?, a.number, b.number, p.why, p.at, p.settled FROM spool.pairs p JOIN spool.arriving a ON a.n = p.owner
    JOIN spool.arriving b ON b.kind = a.kind AND b.uid = p.older
    WHERE a.number IS NOT NULL AND b.number IS NOT NULL
    AND ('{Arrival.NEW.value}' IN (a.arrival, b.arrival)
         OR a.arrival = '{Arrival.CANDIDATE.value}' AND b.arrival = a.arrival)
"""
_PAST = f"""
    INSERT INTO main.memory_history (operation, kind, memory_id, before, after)
    SELECT operation, kind, memory_id, before, after FROM spool.new_{HISTORY}
    WHERE rowid > ? AND rowid <= ? ORDER BY rowid
"""
_MADE = f"""
    INSERT INTO main.memory_history (operation, kind, memory_id, before, after)
    SELECT ?, kind, memory_id, NULL, after FROM spool.new_{IMPORTED} WHERE rowid > ? AND rowid <= ? ORDER BY rowid
"""


def put_ahead(connection: apsw.Connection, numbers: Numbers, after: int) -> int | None:
    """Put a slice of the history into the database, after so many of its rows: first the past, then what the import
    does. Returns where to go on, None at the end."""
    past, made = _rows(connection, HISTORY), _rows(connection, IMPORTED)
    until = after + ahead.SLICE
    # The operations follow. Inside a transaction the pragma does nothing.
    connection.execute("PRAGMA foreign_keys=OFF").fetchall()
    try:
        with writing(connection):
            connection.execute(_PAST, (after, until))
            connection.execute(_MADE, (numbers.last, max(0, after - past), max(0, until - past)))
    finally:
        connection.execute("PRAGMA foreign_keys=ON").fetchall()
    return until if until < past + made else None


def publish(connection: apsw.Connection, scope: str, header: OperationHeader, numbers: Numbers) -> int:
    """Inside the caller's transaction; the history is there. Returns the import's operation."""
    to_compare = _to_compare(connection, scope)
    connection.execute(_OPERATIONS, (scope,))
    connection.execute(_TAKEN_BACK)
    for record_type in TRAVELLING.values():
        _move(connection, record_type.table)
    _move(connection, CUES)
    for tables in INDEXED:
        _index_later(connection, tables)
    connection.execute(_PAIRS, (scope,))
    lift(connection, scope)
    connection.execute(_IMPORT, (numbers.last, scope, header.actor.value, header.action, timestamp(header.at)))
    forget_note(connection, numbers)
    if to_compare is not None:
        connection.execute(_TO_COMPARE, (f"{COMPARED_TO}{numbers.last}", to_compare))
    return numbers.last


def _to_compare(connection: apsw.Connection, scope: str) -> str | None:
    """What is noted of comparing what comes with what lives here; None where there is nothing to compare."""
    if connection.execute(_ANY_UNCOMPARED).fetchone():
        return "0"
    return f"0 {AMONG_THEMSELVES}" if connection.execute(_ANY_LIVES, (scope,)).fetchone() else None


def _move(connection: apsw.Connection, table: str) -> None:
    """A call that a program reported meanwhile is here already: it is left."""
    rows = connection.execute("SELECT name FROM pragma_table_info(?, 'main')", (table,))
    names = ", ".join(f'"{name}"' for (name,) in rows)
    ignoring = " OR IGNORE" if table == "tool_calls" else ""
    connection.execute(
        f"INSERT{ignoring} INTO main.{table} ({names}) SELECT {names} FROM spool.new_{table} ORDER BY id"
    )


def _index_later(connection: apsw.Connection, tables: IndexTables) -> None:
    """The words come afterwards, in slices: nothing else takes so long of what was done here."""
    [first] = connection.execute(f"SELECT min(id) FROM spool.new_{tables.rows}").fetchone() or (None,)
    if first is not None:
        words.fill_later(connection, tables, int(str(first)) - 1)


def _rows(connection: apsw.Connection, table: str) -> int:
    [last] = connection.execute(f"SELECT coalesce(max(rowid), 0) FROM spool.new_{table}").fetchone() or (0,)
    return int(str(last))
