"""Rows on a connection of SQLite, for a test that holds one; no vector is searched by them."""

from __future__ import annotations

import apsw

from orca_core.operations.records import RecordTypes
from orca_core.store.sqlite.engine.scope import SQLiteRows
from orca_core.store.sqlite.index.full_text import SQLiteFullText
from orca_core.store.sqlite.index.index_tables import KindTables
from orca_core.store.sqlite.index.ram_index import RamIndex
from orca_core.store.sqlite.index.vector_search import SQLiteVectors
from orca_core.store.sqlite.lists import SQLiteLists


def rows_on(connection: apsw.Connection, scope: str = "me") -> SQLiteRows:
    tables, read = KindTables(RecordTypes()), (scope,)
    parts = (
        SQLiteFullText(connection, scope, read, tables),
        SQLiteVectors(connection, read, RamIndex(connection.filename), tables),
        SQLiteLists(connection, scope, read),
    )
    return SQLiteRows(connection, scope, read, "", parts)
