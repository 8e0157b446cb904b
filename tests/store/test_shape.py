"""A database has its tables where they are made of the same columns, keys and options, in whatever layout."""

from __future__ import annotations

import apsw
import pytest

from orca_core.store.sqlite.schema.migrations import tokens_of

TABLE = "CREATE TABLE a (id INTEGER PRIMARY KEY, b TEXT NOT NULL DEFAULT '') STRICT"
WORDS = """CREATE VIRTUAL TABLE w USING fts5 (t, content='', tokenize="unicode61 tokenchars '_'")"""


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (TABLE, "CREATE TABLE a (\n    id INTEGER PRIMARY KEY,\n    b TEXT NOT NULL DEFAULT ''\n) STRICT"),
        (TABLE, TABLE.replace("TABLE a", 'TABLE "a"')),
        (TABLE, TABLE.replace(", b", ", -- what it is, 'as said'\n b")),
        (TABLE, TABLE.replace(", b", ", /* b\n */ b")),
        (WORDS, WORDS.replace("fts5 (t, content='', ", "fts5(\n  t,\n  content = '',\n  ")),
    ],
)
def test_layout_makes_no_other_table(one: str, other: str) -> None:
    assert tokens_of(one) == tokens_of(other)


@pytest.mark.parametrize(
    ("sql", "what", "by"),
    [
        (TABLE, "INTEGER", "TEXT"),
        (TABLE, "PRIMARY KEY", ""),
        (TABLE, "NOT NULL", ""),
        (TABLE, "DEFAULT ''", "DEFAULT ' '"),
        (TABLE, "DEFAULT ''", "DEFAULT '--'"),
        (TABLE, "DEFAULT ''", "DEFAULT (load_extension('x'))"),
        (TABLE, "STRICT", ""),
        (TABLE, "b TEXT", "c TEXT"),
        (TABLE, ") STRICT", ", CHECK (b <> '/* */')) STRICT"),
        (WORDS, "content='', ", ""),
        (WORDS, "unicode61 ", "unicode61  remove_diacritics 0 "),
        (WORDS, "tokenchars '_'", "tokenchars '-'"),
    ],
)
def test_what_makes_another_table_is_seen(sql: str, what: str, by: str) -> None:
    assert tokens_of(sql) != tokens_of(sql.replace(what, by))


def test_a_renamed_table_is_the_same() -> None:
    connection = apsw.Connection(":memory:")
    connection.execute("CREATE TABLE old (id INTEGER PRIMARY KEY) STRICT; ALTER TABLE old RENAME TO a").fetchall()
    [sql] = connection.execute("SELECT sql FROM sqlite_schema").fetchone() or ("",)
    assert tokens_of(str(sql)) == tokens_of("CREATE TABLE a (id INTEGER PRIMARY KEY) STRICT")
