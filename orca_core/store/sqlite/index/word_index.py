"""The full-text index of a kind of record: puts words in, counts them, finds by them, joins its pieces. Each word is
indexed under its scope, so that word frequencies and the cost of a search depend on one profile only.

`word_counts` has how many records hold each word, as the index has it, behind the mark of its scope; the mark alone
counts the records. The index itself would read every entry of a word to count them."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from hashlib import blake2b
from typing import NamedTuple

import apsw

from orca_core.model.recall import TextHit, Which
from orca_core.model.record_types import Ref
from orca_core.operations.columns import to_json
from orca_core.store.ports import Row
from orca_core.store.sqlite.engine.meta import drop_meta, meta, set_meta
from orca_core.store.sqlite.engine.scope import among
from orca_core.store.sqlite.index.index_tables import MEMORY_TABLES, IndexTables, broken_index


def tag(scope: str) -> str:
    """The prefix of the scope's words: letters and digits, which the tokenizer does not split off. Two scopes with
    the same prefix cost time, but each still finds only its own records."""
    return blake2b(scope.encode("utf-8", "replace"), digest_size=4).hexdigest() + "_"


def tagged(scope: str, tokens: Iterable[str]) -> str:
    """The scope's words as they stand in the index, separated by blanks."""
    own = tag(scope)
    return " ".join(own + token for token in tokens)


_SPLIT_AT = (
    *range(0x19B0, 0x19C1), 0x19C8, 0x19C9, 0x1CF2, 0x1CF3,
    *range(0x3099, 0x309D), 0x30A0, 0x30FB, 0xFF65,
)  # fmt: skip
_FOLDED = str.maketrans("ſϐϵϑ\u1fbeϰµϖϱςϕẛ", "sβεθικμπρσφṡ") | dict.fromkeys(_SPLIT_AT, " ")
"""What the full-text index makes of letters that are small already: a word is counted as it stands there."""


def as_indexed(word: str) -> list[str]:
    """Return the word as the full-text index has it: some letters are others there, at some it is split."""
    return word.translate(_FOLDED).split()


class WordCounter:
    """Counts in how many records of a kind each word stands."""

    def __init__(self) -> None:
        self._spelt: dict[str, list[str]] = {}
        self._counts: Counter[str] = Counter()

    def add(self, scope: str, tokens: Iterable[str]) -> None:
        """Add a record."""
        mark = tag(scope)
        words = {mark}
        for token in tokens:
            marked = mark + token
            if (spelt := self._spelt.get(marked)) is None:
                spelt = self._spelt[marked] = as_indexed(marked)
            words.update(spelt)
        self._counts.update(words)

    def put(self, connection: apsw.Connection, tables: IndexTables) -> None:
        """Write what was counted to what stands there."""
        connection.executemany(
            "INSERT INTO word_counts (kind, word, records) VALUES (?, ?, ?)"
            " ON CONFLICT DO UPDATE SET records = records + excluded.records",
            [(tables.kind.name, word, records) for word, records in sorted(self._counts.items())],
        )

    def take(self, connection: apsw.Connection, tables: IndexTables) -> None:
        """Take it from what stands there. What nothing holds any more stands nowhere."""
        kind, words = tables.kind.name, to_json(list(self._counts))
        held = "kind = ? AND word IN (SELECT value FROM json_each(?))"
        connection.execute(f"UPDATE word_counts SET records = records - 1 WHERE {held}", (kind, words))
        connection.execute(f"DELETE FROM word_counts WHERE {held} AND records <= 0", (kind, words))


def put_words(
    connection: apsw.Connection, scope: str, record_id: int, tokens: str, tables: IndexTables = MEMORY_TABLES
) -> None:
    """Index and count the words of a record, as its row has them."""
    put_many(connection, tables, [(record_id, scope, tokens)])


def put_many(connection: apsw.Connection, tables: IndexTables, records: Iterable[tuple[int, str, str]]) -> None:
    """Index and count the words of records: number, scope, and its words as its row has them."""
    counter = WordCounter()

    def each() -> Iterator[tuple[int, str]]:
        for record_id, scope, tokens in records:
            said = tokens.split()
            counter.add(scope, said)
            yield record_id, tagged(scope, said)

    with broken_index():
        connection.executemany(f"INSERT INTO {tables.words} (rowid, tokens) VALUES (?, ?)", each())
    counter.put(connection, tables)


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
    counter = WordCounter()
    counter.add(scope, said)
    counter.take(connection, tables)


def filled_upto(connection: apsw.Connection, tables: IndexTables) -> int | None:
    """Up to which record the index was filled, while it is; None where it is not. Beyond it holds what came since."""
    upto = meta(connection, _filling(tables))
    return None if upto is None else int(upto)


def fill_later(connection: apsw.Connection, tables: IndexTables) -> None:
    """Have all records indexed and their words counted, slice by slice; the index is empty."""
    connection.execute("DELETE FROM word_counts WHERE kind = ?", (tables.kind.name,))
    set_meta(connection, _filling(tables), "0")


def fill_slice(connection: apsw.Connection, tables: IndexTables, most: int, without: str) -> int:
    """Index so many of the records that wait, but for those of which a condition holds; returns how many these were,
    0 once none waits."""
    upto = filled_upto(connection, tables)
    if upto is None:
        return 0
    rows: Sequence[Row] = connection.execute(
        f"SELECT m.id, m.scope, m.tokens FROM {tables.rows} m WHERE m.id > ? AND NOT ({without})"
        f" AND NOT EXISTS (SELECT 1 FROM {tables.words}_docsize d WHERE d.id = m.id) ORDER BY m.id LIMIT ?",
        (upto, most),
    ).fetchall()
    if rows:
        put_many(connection, tables, [(number, scope, tokens) for number, scope, tokens in rows])
        set_meta(connection, _filling(tables), str(rows[-1][0]))
    else:
        drop_meta(connection, _filling(tables))
    return len(rows)


def _filling(tables: IndexTables) -> str:
    return f"{tables.words} filling"


def _is_indexed(connection: apsw.Connection, record_id: int, tables: IndexTables) -> bool:
    query = f"SELECT 1 FROM {tables.words}_docsize WHERE id = ?"
    return connection.execute(query, (record_id,)).fetchone() is not None


SPARES = (2, 16)
"""So many times the hits that are wanted are read before those are left out that live no longer; at last all are.
Chosen by hand."""
_EVERY = -1
_NONE = 0
"""No record has this number."""


class ComingWords(NamedTuple):
    """The words of a record that is not written yet, as the index of its scope will have them."""

    number: int
    words: tuple[str, ...]

    @classmethod
    def of(cls, scope: str, number: int, tokens: str) -> ComingWords:
        return cls(number, tuple(as_indexed(tagged(scope, tokens.split()))))

    def holds(self, token: str) -> bool:
        """Whether the index will find it by this token of its scope, which may be several words there."""
        sought = as_indexed(token)
        return any(list(self.words[at : at + len(sought)]) == sought for at in range(len(self.words)))


class Counts:
    """How many records of some scopes there are, and how many hold each word: each is counted once; with them one that
    is `coming`."""

    def __init__(
        self,
        connection: apsw.Connection,
        tables: IndexTables,
        scopes: tuple[str, ...],
        coming: ComingWords | None = None,
    ) -> None:
        self._connection = connection
        self._tables = tables
        self._scopes = scopes
        self._marks = frozenset(map(tag, scopes))
        self._coming = None if coming is None else frozenset(coming.words)
        self._documents: int | None = None
        self._held: dict[str, int] = {}

    @property
    def documents(self) -> int:
        if self._documents is None:
            there = sum(_counted(self._connection, self._tables, self._marks).values())
            self._documents = there + (self._coming is not None)
        return self._documents

    def frequencies(self, tokens: Sequence[str]) -> dict[str, int]:
        """How many records hold each token."""
        unknown = [token for token in tokens if token not in self._held]
        if unknown:
            spelt = {token: [as_indexed(mark + token)[0] for mark in self._marks] for token in unknown}
            every = (word for words in spelt.values() for word in words)
            there = _counted(self._connection, self._tables, every)
            self._held |= {
                token: sum(there.get(word, 0) for word in words) + self._in_what_comes(token)
                for token, words in spelt.items()
            }
        return {token: self._held[token] for token in tokens}

    def _in_what_comes(self, token: str) -> int:
        if self._coming is None:
            return 0
        return sum(as_indexed(mark + token)[0] in self._coming for mark in self._marks)

    def tells(self, tokens: Sequence[str]) -> dict[str, float]:
        """How much each word tells, as BM25 weighs words: one that every record holds tells next to nothing."""
        every = self.documents
        held = self.frequencies(tokens)
        return {token: math.log1p(max(0, every - count + 0.5) / (count + 0.5)) for token, count in held.items()}


def _counted(connection: apsw.Connection, tables: IndexTables, words: Iterable[str]) -> dict[str, int]:
    """Return how many records hold each of these words, as the index has them; not those that none holds."""
    rows: Sequence[Row] = connection.execute(
        "SELECT c.word, c.records FROM json_each(?) w CROSS JOIN word_counts c ON c.kind = ? AND c.word = w.value",
        (to_json(list(words)), tables.kind.name),
    ).fetchall()
    return {str(word): int(records) for word, records in rows}


def nearest(
    connection: apsw.Connection,
    tables: IndexTables,
    scopes: tuple[str, ...],
    tells: Mapping[str, float],
    limit: int,
    which: Which = Which.LIVE,
    coming: ComingWords | None = None,
) -> list[TextHit]:
    """The records that hold the most telling of these words, best first; of equal ones the latest. One that is `coming`
    is ranked with them.

    The index is asked alone, and rows are read of the best only; where too few of these are wanted, more are."""
    of_scopes = f"{among('m.scope', scopes)} AND {tables.found(which)}"
    # What waits is little: it is listed first, for all that lives may hold these words, too.
    listed = f" AND +t.rowid IN (SELECT m.id FROM {tables.rows} m WHERE {of_scopes})" if which is Which.WAITING else ""
    # FTS5's own rank would count each word anew, and weigh how often a record says it: that takes three times as long.
    also = "" if coming is None else f" UNION ALL SELECT {coming.number}, tells FROM asked WHERE comes"
    query = (
        "WITH asked AS MATERIALIZED"
        " (SELECT value->>0 AS word, value->>1 AS tells, value->>2 AS comes FROM json_each(?)),"
        f" held AS (SELECT t.rowid AS id, asked.tells FROM asked CROSS JOIN {tables.words} t"
        f" WHERE t.{tables.words} MATCH asked.word{listed}{also}),"
        " hit AS (SELECT id, sum(tells) AS told FROM held GROUP BY id ORDER BY told DESC, id DESC LIMIT ?)"
        f" SELECT hit.id, m.id IS NOT NULL OR hit.id = {_NONE if coming is None else coming.number}"
        f" FROM hit LEFT JOIN {tables.rows} m"
        f" ON m.id = hit.id AND {of_scopes} ORDER BY told DESC, hit.id DESC"
    )
    said = [(mark + token, weight) for token, weight in tells.items() for mark in map(tag, scopes)]
    asked = to_json([(f'"{each}"', weight, coming is not None and coming.holds(each)) for each, weight in said])
    for ranked in (*(limit * spare for spare in SPARES), _EVERY):
        with broken_index():
            rows = connection.execute(query, (asked, *(scopes if listed else ()), ranked, *scopes)).fetchall()
        hits = [TextHit(Ref(tables.kind, int(str(number)))) for number, is_wanted in rows if is_wanted]
        if len(hits) >= limit or len(rows) != ranked:
            break
    return hits[:limit]


FEW_PIECES = 4
"""So many are left as they are: the next writes make as many. `benchmarks/find_speed.py`: 17 words are looked up in 0.4
ms in nine pieces, in 0.06 in one."""
PAGES_A_PART = 4
"""So many pages are written for each part of a slice. Chosen by hand: a slice is measured and takes more or fewer."""


def has_many_pieces(connection: apsw.Connection, words: str) -> bool:
    """Whether this index has more pieces than a few."""
    return _count(connection, words) > FEW_PIECES


def join_pieces(connection: apsw.Connection, words: str, parts: int, *, is_begun: bool) -> bool:
    """Write some pages of what is to be one piece; whether more is to be joined. The index itself knows how far it is.

    What is written after the beginning is a piece of its own: to begin again would give up what is joined so far."""
    pages = PAGES_A_PART * parts
    before = connection.total_changes()
    with broken_index():
        # A negative number begins: all pieces that there are become one. A positive one goes on.
        connection.execute(f"INSERT INTO {words} ({words}, rank) VALUES ('merge', ?)", (pages if is_begun else -pages,))
    return connection.total_changes() - before > 1  # one change is the command itself


def _count(connection: apsw.Connection, words: str) -> int:
    """How many pieces there are: the least of each is looked up, for an index has thousands of pages."""
    with broken_index():
        rows = connection.execute(
            f"WITH RECURSIVE piece (id) AS (SELECT min(segid) FROM {words}_idx UNION ALL"
            f" SELECT (SELECT min(segid) FROM {words}_idx WHERE segid > piece.id) FROM piece WHERE id IS NOT NULL)"
            " SELECT count(id) FROM piece"
        )
        [[count]] = rows.fetchall()
    return int(str(count))
