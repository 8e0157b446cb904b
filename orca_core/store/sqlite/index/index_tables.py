"""The tables of each kind of record: rows, words and vectors. The last two are made from rows, also where they are
damaged."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import apsw
from msgspec import Struct

from orca_core.model.errors import StoreRefused
from orca_core.model.kinds import RECORD_TYPES
from orca_core.model.memories import MEMORIES
from orca_core.model.recall import Which
from orca_core.model.record_types import NO_DEFAULT, SUMMARY, Kind, RecordType, When
from orca_core.store.sqlite.engine.failures import BrokenIndex
from orca_core.store.sqlite.engine.meta import meta


class IndexTables(Struct, frozen=True):
    """`live`, `waiting` and `embedded` are conditions on its row `m`: what a search finds, what waits to be found, and
    what gets a vector, which is both. A kind without `words` is not found by words, one without `vectors` is compared
    one by one."""

    kind: Kind
    rows: str
    text: str
    words: str = ""
    vocabulary: str = ""
    vectors: str = ""
    live: str = "1"
    waiting: str = "0"
    embedded: str = "1"

    @property
    def meta_key(self) -> str:
        """The key in `meta` of the model that made the vectors."""
        return f"vector_index {self.vectors}"

    def found(self, which: Which) -> str:
        """The condition on a row of which records may be found."""
        return {Which.LIVE: self.live, Which.WAITING: self.waiting, Which.ALL: "1"}[which]


def tables_of(record_type: RecordType[Any]) -> IndexTables:
    if not record_type.is_indexed:
        return IndexTables(record_type.kind, record_type.table, record_type.text_column)
    return IndexTables(
        kind=record_type.kind,
        rows=record_type.table,
        text=record_type.text_column,
        words=f"{record_type.index_name}_text",
        vocabulary=f"{record_type.index_name}_vocabulary",
        vectors=f"vec_{record_type.table}",
        live=_condition(record_type.live),
        waiting=_waiting(record_type.live, record_type.embedded),
        embedded=_condition(record_type.embedded),
    )


def _condition(when: When | None) -> str:
    if when is None:
        return "1"
    column, values = when
    return f"m.{column} IN ({', '.join(repr(str(value)) for value in values)})"


def _waiting(live: When | None, embedded: When | None) -> str:
    """What has a vector and does not live; of one column its values, so that an index is of use."""
    if live is None:
        return "0"
    if embedded is None or embedded[0] != live[0]:
        return f"{_condition(embedded)} AND NOT {_condition(live)}"
    column, values = embedded
    return _condition((column, tuple(value for value in values if value not in live[1])))


MEMORY_TABLES = tables_of(MEMORIES)
SUMMARY_TABLES = IndexTables(SUMMARY, "short_term_memories", "content")


class KindTables:
    """The tables of every kind that has an index."""

    def __init__(self, types: Iterable[RecordType[Any]] = RECORD_TYPES) -> None:
        found = (each for each in types if each.is_indexed)
        self.all = (*map(tables_of, found), SUMMARY_TABLES)
        self.indexed = tuple(each for each in self.all if each.vectors)
        self.names = tuple(each.kind.name for each in self.all)
        self._by_kind = {each.kind: each for each in self.all}

    def of(self, kind: Kind) -> IndexTables:
        return self._by_kind[kind]


BUILT_IN_TABLES = KindTables()


def make_tables(connection: apsw.Connection, record_type: RecordType[Any]) -> None:
    """Make the table and the word index of a kind, where they do not exist, and add the columns of fields that are new.
    Migrations make the built-in ones. Raises StoreRefused for a new field without a default."""
    tables = tables_of(record_type)
    columns = ", ".join(
        f"{column.name} {column.sql_type}{'' if column.is_optional else ' NOT NULL'}"
        for column in record_type.columns
        if column.name != "id"
    )
    connection.execute(
        f"CREATE TABLE IF NOT EXISTS {tables.rows} (id INTEGER PRIMARY KEY AUTOINCREMENT, scope TEXT NOT NULL,"
        f" {columns}, tokens TEXT NOT NULL DEFAULT '') STRICT"
    )
    _add_columns(connection, record_type)
    if not record_type.is_indexed:
        return
    if connection.execute("SELECT 1 FROM sqlite_schema WHERE name = ?", (tables.words,)).fetchone() is None:
        make_words(connection, tables)


def make_words(connection: apsw.Connection, tables: IndexTables) -> None:
    """Make the word index of a kind, empty."""
    connection.execute(
        f"CREATE VIRTUAL TABLE {tables.words} USING fts5 (tokens, content='',"
        " tokenize=\"unicode61 remove_diacritics 0 tokenchars '_'\")"
    )
    connection.execute(f"INSERT INTO {tables.words} ({tables.words}, rank) VALUES ('secure-delete', 1)")
    connection.execute(f"CREATE VIRTUAL TABLE IF NOT EXISTS {tables.vocabulary} USING fts5vocab ({tables.words}, row)")


def _add_columns(connection: apsw.Connection, record_type: RecordType[Any]) -> None:
    """The columns of fields that a kind has gained since its table was made. Records made before have the default."""
    rows = connection.execute("SELECT name FROM pragma_table_info(?)", (record_type.table,))
    there = {name for (name,) in rows}
    missing = [column for column in record_type.columns if column.name not in there]
    for column in missing:
        if column.default is NO_DEFAULT:
            raise StoreRefused(
                template="the table {table} has no column {column}, and the new field has no default",
                hint="give the field a default: records made before will have it",
                table=record_type.table,
                column=column.name,
            )
    for column in missing:
        rule = "" if column.is_optional else " NOT NULL"
        connection.execute(
            f"ALTER TABLE {record_type.table} ADD COLUMN {column.name} {column.sql_type}{rule}"
            f" DEFAULT {apsw.format_sql_value(column.default)}"
        )


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
    made_for = meta(connection, tables.meta_key)
    if made_for is None:
        return False
    name, bits = tables.vectors, -(-int(made_for.rpartition(" ")[2]) // 8) * 8
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
