"""Tells an index that is damaged from a database that is: an index holds nothing that is not made anew from records."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

import apsw

from orca_core.store.sqlite.engine.failures import BrokenIndex
from orca_core.store.sqlite.index.tables import IndexTables

BROKEN = (apsw.CorruptError, apsw.SQLError, apsw.ConstraintError)
"""What SQLite raises where the tables of an index are damaged or missing."""
SOUND = ("ok",)
FEW = 100
"""So many findings of SQLite's check are read. Chosen by hand."""
_WORD_PARTS = ("data", "idx", "docsize", "config")
_VECTOR_PARTS = ("info", "chunks", "rowids", "vector_chunks00", "metadatachunks00")


@contextmanager
def broken_index() -> Iterator[None]:
    """Around statements on indexes alone: what they raise where tables of an index are damaged or missing says so."""
    try:
        yield
    except (apsw.SQLError, apsw.ConstraintError) as error:
        raise BrokenIndex(str(error)) from error


def damaged_pages(connection: apsw.Connection) -> tuple[str, ...]:
    """What is wrong with the pages of the file; what is wrong within indexes is left out."""
    indexes = _virtual_tables(connection)
    for name in indexes:
        _remembered(connection, name)
    try:
        found = _checked(connection)
    except apsw.SQLError:  # an index that can't even be opened
        found = tuple(line for name in _tables(connection) for line in _checked(connection, name))
    if found == SOUND:
        return ()
    of_indexes = {line for name in indexes for line in damage_of(connection, name)}
    return tuple(line for line in found if line not in of_indexes and line not in SOUND)


def damaged_indexes(connection: apsw.Connection) -> tuple[str, ...]:
    """What is wrong within the full-text indexes of the file."""
    return tuple(line for name in _virtual_tables(connection) for line in damage_of(connection, name))


def damage_of(connection: apsw.Connection, name: str) -> tuple[str, ...]:
    """What is wrong within one full-text index."""
    try:
        _remembered(connection, name)
        found = _checked(connection, name)
    except BROKEN as error:
        return (str(error),)
    return () if found == SOUND else found


def damaged_table(connection: apsw.Connection, tables: IndexTables) -> str:
    """The index of a kind that can't be searched, its words or its vectors; empty where both can."""
    if tables.words and damage_of(connection, tables.words):
        return tables.words
    return tables.vectors if tables.vectors and _are_vectors_damaged(connection, tables) else ""


def forget_word_table(connection: apsw.Connection, name: str) -> None:
    """Drop a full-text index with all its parts, whatever is left of it."""
    if _exists(connection, name):  # FTS5 drops only what it can open
        connection.execute(f"CREATE TABLE IF NOT EXISTS {name}_config (k PRIMARY KEY, v) WITHOUT ROWID")
        connection.execute(f"INSERT OR REPLACE INTO {name}_config (k, v) VALUES ('version', 4)")
    connection.execute(f"DROP TABLE IF EXISTS {name}")
    for part in _WORD_PARTS:
        connection.execute(f"DROP TABLE IF EXISTS {name}_{part}")


def forget_vector_table(connection: apsw.Connection, name: str) -> None:
    """Drop a vector index with all its parts, whatever is left of it."""
    if _exists(connection, name):  # vec0 drops only what is whole
        for part in _VECTOR_PARTS:
            connection.execute(f"CREATE TABLE IF NOT EXISTS {name}_{part} (k)")
    connection.execute(f"DROP TABLE IF EXISTS {name}")
    for part in _VECTOR_PARTS:
        connection.execute(f"DROP TABLE IF EXISTS {name}_{part}")


def _are_vectors_damaged(connection: apsw.Connection, tables: IndexTables) -> bool:
    """vec0 has no check of its own: each of its partitions is searched once."""
    row = connection.execute("SELECT value FROM meta WHERE key = ?", (tables.meta_key,)).fetchone()
    if row is None:
        return False
    name, bits = tables.vectors, -(-int(str(row[0]).rpartition(" ")[2]) // 8) * 8
    apart = f"{name}_rowids r WHERE NOT EXISTS (SELECT 1 FROM {name}_chunks c WHERE c.chunk_id = r.chunk_id)"
    try:
        for (scope,) in connection.execute(f"SELECT DISTINCT partition00 FROM {name}_chunks").fetchall():
            query = f"SELECT id FROM {name} WHERE code MATCH vec_bit(?) AND k = 1 AND scope = ?"
            connection.execute(query, (bytes(bits // 8), scope)).fetchall()
        return connection.execute(f"SELECT 1 FROM {apart} LIMIT 1").fetchone() is not None
    except BROKEN:
        return True


def _checked(connection: apsw.Connection, table: str = "") -> tuple[str, ...]:
    asked = f"PRAGMA quick_check('{table}')" if table else f"PRAGMA quick_check({FEW})"
    return tuple(str(line) for (line,) in connection.execute(asked).fetchall())


def _remembered(connection: apsw.Connection, name: str) -> None:
    """Ask a full-text index for a word. The check compares a table with what its connection knew of it when it last
    asked: one that another connection has written since would pass for damaged (SQLite 3.54)."""
    try:
        connection.execute(f"SELECT rowid FROM {name} WHERE {name} MATCH '\"orca\"' LIMIT 1").fetchall()
    except BROKEN:  # the check says of it what is wrong
        return


def _virtual_tables(connection: apsw.Connection) -> Sequence[str]:
    rows = connection.execute("SELECT name FROM sqlite_schema WHERE sql LIKE 'CREATE VIRTUAL TABLE % USING fts5 (%'")
    return [str(name) for (name,) in rows.fetchall()]


def _tables(connection: apsw.Connection) -> Sequence[str]:
    rows = connection.execute("SELECT name FROM sqlite_schema WHERE type = 'table' AND rootpage > 0")
    return [str(name) for (name,) in rows.fetchall()]


def _exists(connection: apsw.Connection, name: str) -> bool:
    return connection.execute("SELECT 1 FROM sqlite_schema WHERE name = ?", (name,)).fetchone() is not None
