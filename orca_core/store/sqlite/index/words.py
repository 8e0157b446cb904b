"""The full-text index of a kind of record. Each word is indexed under its scope, so that word frequencies and the
cost of a search depend on one profile only."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from hashlib import blake2b

import apsw

from orca_core.store.sqlite.index import word_counts
from orca_core.store.sqlite.index.damage import broken_index
from orca_core.store.sqlite.index.tables import MEMORY_TABLES, IndexTables


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


def put_many(connection: apsw.Connection, scope: str, tables: IndexTables, records: Iterable[tuple[int, str]]) -> None:
    """The same of many records that came at once: each with its words, as its row has them."""
    counting = word_counts.Counting(tag(scope))

    def each() -> Iterator[tuple[int, str]]:
        for record_id, tokens in records:
            said = tokens.split()
            counting.add(said)
            yield record_id, tagged(scope, said)

    with broken_index():
        connection.executemany(f"INSERT INTO {tables.words} (rowid, tokens) VALUES (?, ?)", each())
    counting.put(connection, tables)


def drop_words(connection: apsw.Connection, record_id: int, tables: IndexTables = MEMORY_TABLES) -> None:
    """Remove the words of a record; its row must still hold them and be in its scope."""
    if filled_upto(connection, tables) is not None and not _is_indexed(connection, record_id, tables):
        return
    row = connection.execute(f"SELECT scope, tokens FROM {tables.rows} WHERE id = ?", (record_id,)).fetchone()
    assert row is not None
    scope, said = str(row[0]), str(row[1]).split()
    with broken_index():
        connection.execute(
            f"INSERT INTO {tables.words} ({tables.words}, rowid, tokens) VALUES ('delete', ?, ?)",
            (record_id, tagged(scope, said)),
        )
    word_counts.one_less(connection, tables, tag(scope), said)


def filled_upto(connection: apsw.Connection, tables: IndexTables) -> int | None:
    """Up to which record the index was filled, while it is; None where it is not. Beyond it holds what came since."""
    row = connection.execute("SELECT value FROM meta WHERE key = ?", (_filling(tables),)).fetchone()
    return None if row is None else int(str(row[0]))


def fill_later(connection: apsw.Connection, tables: IndexTables) -> None:
    """Have all records indexed, slice by slice, and then all words counted."""
    _note_filled(connection, tables, 0)
    word_counts.count_later(connection, tables)


def fill_slice(connection: apsw.Connection, tables: IndexTables, most: int, without: str) -> int:
    """Index so many of the records that wait, but for those of which a condition holds; returns how many these were,
    0 once none waits."""
    upto = filled_upto(connection, tables)
    if upto is None:
        return 0
    rows = connection.execute(
        f"SELECT m.id, m.scope, m.tokens FROM {tables.rows} m WHERE m.id > ? AND NOT ({without})"
        f" AND NOT EXISTS (SELECT 1 FROM {tables.words}_docsize d WHERE d.id = m.id) ORDER BY m.id LIMIT ?",
        (upto, most),
    ).fetchall()
    for record_id, scope, tokens in rows:
        _index(connection, str(scope), int(str(record_id)), str(tokens).split(), tables)
    if rows:
        _note_filled(connection, tables, int(str(rows[-1][0])))
    else:
        connection.execute("DELETE FROM meta WHERE key = ?", (_filling(tables),))
    return len(rows)


def _filling(tables: IndexTables) -> str:
    return f"{tables.words} filling"


def _note_filled(connection: apsw.Connection, tables: IndexTables, upto: int) -> None:
    connection.execute("INSERT OR REPLACE INTO meta (key, value) VALUES (?, ?)", (_filling(tables), str(upto)))


def _is_indexed(connection: apsw.Connection, record_id: int, tables: IndexTables) -> bool:
    query = f"SELECT 1 FROM {tables.words}_docsize WHERE id = ?"
    return connection.execute(query, (record_id,)).fetchone() is not None


def _index(connection: apsw.Connection, scope: str, record_id: int, said: Iterable[str], tables: IndexTables) -> None:
    with broken_index():
        connection.execute(
            f"INSERT INTO {tables.words} (rowid, tokens) VALUES (?, ?)", (record_id, tagged(scope, said))
        )
