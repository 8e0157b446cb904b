"""Names the tables of a kind of record: its rows, its words, its vectors. The names follow from the record type."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import apsw
from msgspec import Struct

from orca_core.model.errors import StoreRefused
from orca_core.model.kinds import RECORD_TYPES
from orca_core.model.memories import MEMORIES
from orca_core.model.recall import Which
from orca_core.model.records import NO_DEFAULT, SUMMARY, Kind, RecordType, When


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
