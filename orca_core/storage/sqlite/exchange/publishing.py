"""The one moment in which an import happens: its rows move into the database in one transaction. What was done to them
is there before it."""

from __future__ import annotations

import apsw

from orca_core.domain.exchange import COMPARED_TO, TRAVELLING
from orca_core.domain.journal import OperationHeader
from orca_core.domain.times import timestamp
from orca_core.storage.sqlite.engine.side import writing
from orca_core.storage.sqlite.exchange.building import CUES, HISTORY, IMPORTED
from orca_core.storage.sqlite.exchange.deleted_here import lift
from orca_core.storage.sqlite.index import word_counts, words
from orca_core.storage.sqlite.index.tables import CUE_TABLES, IndexTables, tables_of
from orca_core.storage.sqlite.memories import ahead
from orca_core.storage.sqlite.memories.ahead import Numbers, forget_note

_OPERATIONS = """
    INSERT INTO main.operations (id, scope, actor, action, at, session_id, round, undoes, undone_by)
    SELECT o.id, ?, o.actor, o.action, o.at, o.session_id, o.round,
           (SELECT u.id FROM spool.operations u WHERE u.number = o.undoes),
           (SELECT u.id FROM spool.operations u WHERE u.number = o.undone_by)
    FROM spool.operations o WHERE o.id IS NOT NULL ORDER BY o.id
"""
_IMPORT = "INSERT INTO main.operations (id, scope, actor, action, at) VALUES (?, ?, ?, ?, ?)"
_TO_COMPARE = "INSERT OR REPLACE INTO main.meta (key, value) VALUES (?, '0')"
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
    connection.execute(_OPERATIONS, (scope,))
    for record_type in TRAVELLING.values():
        _move(connection, record_type.table)
        if record_type.is_indexed:
            _index(connection, scope, tables_of(record_type))
    _move(connection, CUES)
    _index(connection, scope, CUE_TABLES)
    lift(connection, scope)
    connection.execute(_IMPORT, (numbers.last, scope, header.actor.value, header.action, timestamp(header.at)))
    forget_note(connection, numbers)
    connection.execute(_TO_COMPARE, (f"{COMPARED_TO}{numbers.last}",))
    return numbers.last


def _move(connection: apsw.Connection, table: str) -> None:
    """A call that a program reported meanwhile is here already: it is left."""
    rows = connection.execute("SELECT name FROM pragma_table_info(?, 'main')", (table,))
    names = ", ".join(f'"{name}"' for (name,) in rows)
    ignoring = " OR IGNORE" if table == "tool_calls" else ""
    connection.execute(
        f"INSERT{ignoring} INTO main.{table} ({names}) SELECT {names} FROM spool.new_{table} ORDER BY id"
    )


def _index(connection: apsw.Connection, scope: str, tables: IndexTables) -> None:
    """The words, as `words.put_words` would put them one by one; they are counted later."""
    word_counts.count_later(connection, tables)
    tag = words.tag(scope)
    connection.execute(
        f"INSERT INTO main.{tables.words} (rowid, tokens)"
        f" SELECT id, iif(tokens = '', '', ? || replace(tokens, ' ', ' ' || ?))"
        f" FROM spool.new_{tables.rows} ORDER BY id",
        (tag, tag),
    )


def _rows(connection: apsw.Connection, table: str) -> int:
    [last] = connection.execute(f"SELECT coalesce(max(rowid), 0) FROM spool.new_{table}").fetchone() or (0,)
    return int(str(last))
