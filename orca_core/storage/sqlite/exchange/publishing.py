"""The one moment in which an import happens: its rows move into the database in one transaction."""

from __future__ import annotations

import apsw

from orca_core.domain.exchange import TRAVELLING
from orca_core.domain.journal import OperationHeader
from orca_core.domain.times import timestamp
from orca_core.storage.sqlite.exchange.building import CUES, HISTORY, IMPORTED
from orca_core.storage.sqlite.exchange.deleted_here import lift
from orca_core.storage.sqlite.index import words
from orca_core.storage.sqlite.index.tables import CUE_TABLES, IndexTables, tables_of

_OPERATIONS = """
    INSERT INTO main.operations (id, scope, actor, action, at, session_id, round, undoes, undone_by)
    SELECT o.id, ?, o.actor, o.action, o.at, o.session_id, o.round,
           (SELECT u.id FROM spool.operations u WHERE u.number = o.undoes),
           (SELECT u.id FROM spool.operations u WHERE u.number = o.undone_by)
    FROM spool.operations o WHERE o.id IS NOT NULL ORDER BY o.id
"""
_IMPORT = "INSERT INTO main.operations (scope, actor, action, at) VALUES (?, ?, ?, ?)"
_PAST = f"""
    INSERT INTO main.memory_history (operation, kind, memory_id, before, after)
    SELECT operation, kind, memory_id, before, after FROM spool.new_{HISTORY} ORDER BY rowid
"""
_MADE = f"""
    INSERT INTO main.memory_history (operation, kind, memory_id, before, after)
    SELECT ?, kind, memory_id, NULL, after FROM spool.new_{IMPORTED} ORDER BY rowid
"""


def publish(connection: apsw.Connection, scope: str, header: OperationHeader) -> int:
    """Inside the caller's transaction. Returns the import's operation."""
    connection.execute(_OPERATIONS, (scope,))
    for record_type in TRAVELLING.values():
        _move(connection, record_type.table)
        if record_type.is_indexed:
            _index(connection, scope, tables_of(record_type))
    _move(connection, CUES)
    _index(connection, scope, CUE_TABLES)
    connection.execute(_PAST)
    lift(connection, scope)
    connection.execute(_IMPORT, (scope, header.actor.value, header.action, timestamp(header.at)))
    operation = connection.last_insert_rowid()
    connection.execute(_MADE, (operation,))
    return operation


def _move(connection: apsw.Connection, table: str) -> None:
    """A call that a program reported meanwhile is here already: it is left."""
    rows = connection.execute("SELECT name FROM pragma_table_info(?, 'main')", (table,))
    names = ", ".join(f'"{name}"' for (name,) in rows)
    ignoring = " OR IGNORE" if table == "tool_calls" else ""
    connection.execute(
        f"INSERT{ignoring} INTO main.{table} ({names}) SELECT {names} FROM spool.new_{table} ORDER BY id"
    )


def _index(connection: apsw.Connection, scope: str, tables: IndexTables) -> None:
    """The words, as `words.put_words` would put them one by one."""
    tag = words.tag(scope)
    connection.execute(
        f"INSERT INTO main.{tables.words} (rowid, tokens)"
        f" SELECT id, iif(tokens = '', '', ? || replace(tokens, ' ', ' ' || ?))"
        f" FROM spool.new_{tables.rows} ORDER BY id",
        (tag, tag),
    )
