"""Rows on a connection of SQLite, for a test that holds one; no vector is searched by them."""

from __future__ import annotations

import apsw

from orca_core.operations.records import RecordTypes
from orca_core.store.sqlite.engine.scope import SQLiteRows
from orca_core.store.sqlite.index.full_text import SQLiteFullText
from orca_core.store.sqlite.index.index_tables import KindTables
from orca_core.store.sqlite.index.read_snapshot import SQLiteVectors
from orca_core.store.sqlite.lists import SQLiteRecordLists


def rows_on(connection: apsw.Connection, scope: str = "me") -> SQLiteRows:
    tables, read, no_search = KindTables(RecordTypes()), (scope,), None
    parts = (
        SQLiteFullText(connection, scope, read, tables),
        SQLiteVectors(connection, read, no_search, tables),
        SQLiteRecordLists(connection, scope, read),
    )
    return SQLiteRows(connection, scope, read, "", parts)
