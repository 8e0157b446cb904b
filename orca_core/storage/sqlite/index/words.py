"""The full-text index of a kind of record. Each word stands in it under its scope, so that how common a word is, and
what a search for it costs, is a matter of one profile and no other."""

from __future__ import annotations

from collections.abc import Iterable
from hashlib import blake2b

import apsw

from orca_core.storage.sqlite.index.tables import MEMORY_TABLES, IndexTables


def tag(scope: str) -> str:
    """What the scope's words begin with: letters and digits, which the tokenizer keeps in one with the word. Should two
    scopes share one, a search costs more and still finds its own records only."""
    return blake2b(scope.encode("utf-8", "replace"), digest_size=4).hexdigest() + "_"


def tagged(scope: str, tokens: Iterable[str]) -> str:
    """The scope's words as the index has them, separated by blanks."""
    own = tag(scope)
    return " ".join(own + token for token in tokens)


def put(
    connection: apsw.Connection, scope: str, record_id: int, tokens: str, tables: IndexTables = MEMORY_TABLES
) -> None:
    """Add a record's words, as its row has them."""
    connection.execute(
        f"INSERT INTO {tables.words} (rowid, tokens) VALUES (?, ?)", (record_id, tagged(scope, tokens.split()))
    )


def drop(connection: apsw.Connection, record_id: int, tables: IndexTables = MEMORY_TABLES) -> None:
    """Take a record's words out; its row must still hold them, and be in its scope."""
    row = connection.execute(f"SELECT scope, tokens FROM {tables.rows} WHERE id = ?", (record_id,)).fetchone()
    assert row is not None
    connection.execute(
        f"INSERT INTO {tables.words} ({tables.words}, rowid, tokens) VALUES ('delete', ?, ?)",
        (record_id, tagged(str(row[0]), str(row[1]).split())),
    )


def rebuild(connection: apsw.Connection, tables: IndexTables = MEMORY_TABLES) -> None:
    """Fill the index anew from the records."""
    connection.execute(f"INSERT INTO {tables.words} ({tables.words}) VALUES ('delete-all')")
    for record_id, scope, tokens in connection.execute(f"SELECT id, scope, tokens FROM {tables.rows}").fetchall():
        put(connection, str(scope), int(str(record_id)), str(tokens), tables)
