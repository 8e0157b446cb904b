"""Keeps the vector index in step with the rows of its records."""

from __future__ import annotations

from collections.abc import Sequence

import apsw

from orca_core.store.sqlite.index.damage import broken_index
from orca_core.store.sqlite.index.tables import MEMORY_TABLES, IndexTables

KEPT_CHANGES = 20_000
"""As the triggers on `vectors` have it."""


def drop_vectors(connection: apsw.Connection, ids: Sequence[int], tables: IndexTables = MEMORY_TABLES) -> None:
    """Drop the vector of a record whose text changed."""
    for record_id in ids:
        connection.execute("DELETE FROM vectors WHERE kind = ? AND id = ?", (tables.kind.name, record_id))
        if has_vector_index(connection, tables):
            with broken_index():
                connection.execute(f"DELETE FROM {tables.vectors} WHERE id = ?", (record_id,))


def set_live(connection: apsw.Connection, record_id: int, is_live: bool, tables: IndexTables = MEMORY_TABLES) -> None:
    if has_vector_index(connection, tables):
        with broken_index():
            connection.execute(f"UPDATE {tables.vectors} SET live = ? WHERE id = ?", (int(is_live), record_id))
    connection.execute("INSERT INTO vector_changes (kind, id) VALUES (?, ?)", (tables.kind.name, record_id))
    connection.execute("DELETE FROM vector_changes WHERE seq <= last_insert_rowid() - ?", (KEPT_CHANGES,))


def has_vector_index(connection: apsw.Connection, tables: IndexTables = MEMORY_TABLES) -> bool:
    return connection.execute("SELECT 1 FROM sqlite_schema WHERE name = ?", (tables.vectors,)).fetchone() is not None
