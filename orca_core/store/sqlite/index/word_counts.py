"""How many records of a kind hold each word: the full-text index would read every entry of a word to count them.

A word stands here as in the index, behind the mark of its scope; the mark alone counts the records. Who writes many
words at once has them counted later, slice by slice: until then the index is asked.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Sequence

import apsw
from msgspec import Struct

from orca_core.operations.columns import to_json
from orca_core.store.ports import Row
from orca_core.store.sqlite.engine.meta import count_of, drop_meta, meta, set_meta
from orca_core.store.sqlite.engine.scope import among
from orca_core.store.sqlite.index.index_tables import IndexTables, broken_index

A_SLICE = 2_000
"""So many words are counted in one transaction: some milliseconds. Chosen by hand."""
WINDOWS, A_WINDOW = 20, 50
"""Beside the index so many runs of so many words are looked at: some milliseconds. Chosen by hand."""
ALL = "all"
"""In `meta` in the place of the last word that is counted; each of these begins with the mark of its scope."""

_SPLIT_AT = (
    *range(0x19B0, 0x19C1), 0x19C8, 0x19C9, 0x1CF2, 0x1CF3,
    *range(0x3099, 0x309D), 0x30A0, 0x30FB, 0xFF65,
)  # fmt: skip
_FOLDED = str.maketrans("ſϐϵϑ\u1fbeϰµϖϱςϕẛ", "sβεθικμπρσφṡ") | dict.fromkeys(_SPLIT_AT, " ")
"""What the full-text index makes of letters that are small already: a word is counted as it stands there."""

_NO_MARK = "substr({}, -1) <> '_'"
_MORE = "INSERT INTO word_counts (kind, word, records) VALUES (?, ?, 1) ON CONFLICT DO UPDATE SET records = records + 1"
_MANY_MORE = (
    "INSERT INTO word_counts (kind, word, records) VALUES (?, ?, ?)"
    " ON CONFLICT DO UPDATE SET records = records + excluded.records"
)
_LESS = (
    "UPDATE word_counts SET records = records - 1 WHERE kind = ? AND word IN (SELECT value FROM json_each(?))",
    "DELETE FROM word_counts WHERE kind = ? AND word IN (SELECT value FROM json_each(?)) AND records <= 0",
)
_BACK = (
    "UPDATE meta SET value ="
    " coalesce((SELECT max(c.word) FROM word_counts c WHERE c.kind = ?1 AND c.word < meta.value), '')"
    " WHERE key = ?2 AND meta.value IN (SELECT value FROM json_each(?3))"
    " AND NOT EXISTS (SELECT 1 FROM word_counts c WHERE c.kind = ?1 AND c.word = meta.value)"
)
"""Where the last word that was counted is gone, too: the one before it is still held by a record."""


def one_more(connection: apsw.Connection, tables: IndexTables, mark: str, tokens: Iterable[str]) -> None:
    """A record of the scope with this mark holds these words."""
    connection.executemany(_MORE, [(tables.kind.name, word) for word in _marked(mark, tokens)])


class Counting:
    """Counts the words of many records of the scope with this mark, and then puts them to what is counted."""

    def __init__(self, mark: str) -> None:
        self._mark = mark
        self._spelt: dict[str, list[str]] = {}
        self._counts: Counter[str] = Counter()

    def add(self, tokens: Iterable[str]) -> None:
        words = {self._mark}
        for token in tokens:
            spelt = self._spelt.get(token)
            if spelt is None:
                spelt = self._spelt[token] = as_indexed(self._mark + token)
            words.update(spelt)
        self._counts.update(words)

    def put(self, connection: apsw.Connection, tables: IndexTables) -> None:
        kind = tables.kind.name
        connection.executemany(_MANY_MORE, [(kind, word, records) for word, records in sorted(self._counts.items())])


def one_less(connection: apsw.Connection, tables: IndexTables, mark: str, tokens: Iterable[str]) -> None:
    """A record that held these words is gone. What nothing holds any more stands nowhere."""
    gone = to_json(_marked(mark, tokens))
    for statement in _LESS:
        connection.execute(statement, (tables.kind.name, gone))
    connection.execute(_BACK, (tables.kind.name, _key(tables), gone))


def frequencies(
    connection: apsw.Connection, tables: IndexTables, marks: Collection[str], tokens: Sequence[str]
) -> dict[str, int]:
    """How many records of the scopes with these marks hold each token."""
    counted = dict.fromkeys(tokens, 0)
    if is_counted(connection, tables):
        for mark in marks:
            spelt = {token: as_indexed(mark + token)[0] for token in counted}
            found = {str(word): int(str(records)) for word, records in _counts(connection, tables, spelt.values())}
            for token, word in spelt.items():
                counted[token] += found.get(word, 0)
        return counted
    for mark in marks:
        for token in counted:
            query = f"SELECT doc FROM {tables.vocabulary} WHERE term = ?"
            with broken_index():
                row = connection.execute(query, (as_indexed(mark + token)[0],)).fetchone()
            counted[token] += row[0] if row else 0
    return counted


def documents(connection: apsw.Connection, tables: IndexTables, scopes: tuple[str, ...], marks: Collection[str]) -> int:
    """How many records the scopes hold."""
    if is_counted(connection, tables):
        return sum(int(str(records)) for _word, records in _counts(connection, tables, marks))
    return count_of(connection, f"{tables.rows} WHERE {among('scope', scopes)}", *scopes)


def as_indexed(word: str) -> list[str]:
    """The word as the full-text index has it: some letters are others there, at some it is split."""
    return word.translate(_FOLDED).split()


def is_counted(connection: apsw.Connection, tables: IndexTables) -> bool:
    """Whether every word is; else the background counts them still."""
    return _last_counted(connection, tables) == ALL


def count_later(connection: apsw.Connection, tables: IndexTables) -> None:
    """Have all words counted anew, slice by slice."""
    drop_meta(connection, _key(tables))


def count_slice(connection: apsw.Connection, tables: IndexTables, mark_of: Callable[[str], str], there: str) -> None:
    """Count the next words of a kind, and at last its records, as far as the condition `there` holds.

    What comes or goes between two slices is added to what was counted, and to what was not, which is counted after."""
    after = _last_counted(connection, tables)
    query = f"SELECT term, doc FROM {tables.vocabulary} WHERE term > ? ORDER BY term LIMIT ?"
    with broken_index():
        found: Sequence[Row] = connection.execute(query, (after, A_SLICE)).fetchall()
    is_last = len(found) < A_SLICE
    kind, last = tables.kind.name, ALL if is_last else str(found[-1][0])
    connection.execute(
        "DELETE FROM word_counts WHERE kind = ? AND word > ? AND (? OR word <= ?)", (kind, after, is_last, last)
    )
    _put(connection, kind, found)
    if is_last:
        _put(connection, kind, _records(connection, tables, mark_of, there))
    set_meta(connection, _key(tables), last)


class Compared(Struct, frozen=True):
    """Of so many words that are counted some were looked at, of which some stand with another number in the index."""

    words: int = 0
    looked_at: int = 0
    wrong: int = 0


def compared(connection: apsw.Connection, tables: IndexTables) -> Compared:
    """Compare the counts with the index, of many words a sample: the index reads every entry of a word to count them.
    None while they are counted."""
    if not is_counted(connection, tables):
        return Compared()
    name = tables.kind.name
    count = count_of(connection, f"word_counts WHERE kind = ? AND {_NO_MARK.format('word')}", name)
    if count <= WINDOWS * A_WINDOW:
        looked_at, wrong = _compared(connection, tables, "", count + A_WINDOW)
        return Compared(count, looked_at, wrong)
    query = f"SELECT word FROM word_counts WHERE kind = ? AND {_NO_MARK.format('word')} AND random() % ? = 0"
    starts: Sequence[Row] = connection.execute(query, (name, count // WINDOWS)).fetchall()
    windows = [_compared(connection, tables, str(start), A_WINDOW) for (start,) in starts]
    return Compared(count, sum(each[0] for each in windows), sum(each[1] for each in windows))


def _compared(connection: apsw.Connection, tables: IndexTables, start: str, most: int) -> tuple[int, int]:
    """How many of the words from this one on were looked at, here and in the index, and how many have two numbers."""
    query = (
        f"SELECT term, doc FROM {tables.vocabulary} WHERE term >= ? AND {_NO_MARK.format('term')} ORDER BY term LIMIT ?"
    )
    index = {str(term): int(str(doc)) for term, doc in connection.execute(query, (start, most))}
    of_words = _NO_MARK.format("word")
    query = f"SELECT word, records FROM word_counts WHERE kind = ? AND word >= ? AND {of_words} ORDER BY word LIMIT ?"
    rows = connection.execute(query, (tables.kind.name, start, most))
    counted = {str(word): int(str(records)) for word, records in rows}
    last = min((max(each) for each in (index, counted) if len(each) == most), default=None)
    words = [word for word in index.keys() | counted.keys() if last is None or word <= last]
    return len(words), sum(index.get(word) != counted.get(word) for word in words)


def _records(
    connection: apsw.Connection, tables: IndexTables, mark_of: Callable[[str], str], there: str
) -> list[tuple[str, int]]:
    """How many records there are, by the marks of their scopes: two scopes may have one."""
    rows: Sequence[Row] = connection.execute(
        f"SELECT scope, count(*) FROM {tables.rows} WHERE {there} GROUP BY scope"
    ).fetchall()
    counted: Counter[str] = Counter()
    for scope, count in rows:
        counted[mark_of(scope)] += count
    return list(counted.items())


def _put(connection: apsw.Connection, kind: str, counts: Sequence[Row]) -> None:
    connection.executemany(
        "INSERT OR REPLACE INTO word_counts (kind, word, records) VALUES (?, ?, ?)",
        [(kind, word, records) for word, records in counts],
    )


def _counts(connection: apsw.Connection, tables: IndexTables, words: Iterable[str]) -> Sequence[Row]:
    return connection.execute(
        "SELECT c.word, c.records FROM json_each(?) w CROSS JOIN word_counts c ON c.kind = ? AND c.word = w.value",
        (to_json(list(words)), tables.kind.name),
    ).fetchall()


def _marked(mark: str, tokens: Iterable[str]) -> list[str]:
    """The mark stands for each of them: once, though a token may leave nothing but it in the index."""
    return list(dict.fromkeys((mark, *(word for token in tokens for word in as_indexed(mark + token)))))


def _last_counted(connection: apsw.Connection, tables: IndexTables) -> str:
    return meta(connection, _key(tables)) or ""


def _key(tables: IndexTables) -> str:
    return f"word_counts {tables.kind.name}"
