"""The full-text index of a kind of record. Each word is indexed under its scope, so that word frequencies and the
cost of a search depend on one profile only."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from hashlib import blake2b

import apsw

from orca_core.storage.sqlite.index import word_counts
from orca_core.storage.sqlite.index.damage import broken_index
from orca_core.storage.sqlite.index.tables import MEMORY_TABLES, IndexTables

TOLD_EVERY = 50
"""Records. Chosen by hand."""


def tag(scope: str) -> str:
    """The prefix of the scope's words: letters and digits, which the tokenizer does not split off. Two scopes with
    the same prefix cost time, but each still finds only its own records."""
    return blake2b(scope.encode("utf-8", "replace"), digest_size=4).hexdigest() + "_"


def tagged(scope: str, tokens: Iterable[str]) -> str:
    """The scope's words as they stand in the index, separated by blanks."""
    own = tag(scope)
    return " ".join(own + token for token in tokens)


def put_words(
    connection: apsw.Connection, scope: str, record_id: int, tokens: str, tables: IndexTables = MEMORY_TABLES
) -> None:
    """Index and count the words of a record, as its row has them."""
    said = tokens.split()
    _index(connection, scope, record_id, said, tables)
    word_counts.one_more(connection, tables, tag(scope), said)


def drop_words(connection: apsw.Connection, record_id: int, tables: IndexTables = MEMORY_TABLES) -> None:
    """Remove the words of a record; its row must still hold them and be in its scope."""
    row = connection.execute(f"SELECT scope, tokens FROM {tables.rows} WHERE id = ?", (record_id,)).fetchone()
    assert row is not None
    scope, said = str(row[0]), str(row[1]).split()
    with broken_index():
        connection.execute(
            f"INSERT INTO {tables.words} ({tables.words}, rowid, tokens) VALUES ('delete', ?, ?)",
            (record_id, tagged(scope, said)),
        )
    word_counts.one_less(connection, tables, tag(scope), said)


def rebuild(
    connection: apsw.Connection,
    tables: IndexTables = MEMORY_TABLES,
    *,
    without: str = "0",
    tell: Callable[[int], None] | None = None,
) -> None:
    """Rebuild the index from the records, but for those of which a condition holds; the words are counted later. `tell`
    hears now and then how many records are in it."""
    connection.execute(f"INSERT INTO {tables.words} ({tables.words}) VALUES ('delete-all')")
    rows = connection.execute(f"SELECT id, scope, tokens FROM {tables.rows} WHERE NOT ({without})").fetchall()
    for count, (record_id, scope, tokens) in enumerate(rows):
        if tell is not None and count % TOLD_EVERY == 0:
            tell(count)
        _index(connection, str(scope), int(str(record_id)), str(tokens).split(), tables)
    word_counts.count_later(connection, tables)


def _index(connection: apsw.Connection, scope: str, record_id: int, said: Iterable[str], tables: IndexTables) -> None:
    with broken_index():
        connection.execute(
            f"INSERT INTO {tables.words} (rowid, tokens) VALUES (?, ?)", (record_id, tagged(scope, said))
        )
