"""The full-text index of a kind of record: puts words in, finds by them, joins its pieces. Each word is indexed under
its scope, so that word frequencies and the cost of a search depend on one profile only."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from hashlib import blake2b
from typing import NamedTuple

import apsw

from orca_core.model.recall import TextHit, Which
from orca_core.model.record_types import Ref
from orca_core.operations.columns import to_json
from orca_core.store.sqlite.engine.meta import drop_meta, meta, set_meta
from orca_core.store.sqlite.engine.scope import among
from orca_core.store.sqlite.index import word_counts
from orca_core.store.sqlite.index.index_tables import MEMORY_TABLES, IndexTables, broken_index


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
    upto = meta(connection, _filling(tables))
    return None if upto is None else int(upto)


def fill_later(connection: apsw.Connection, tables: IndexTables) -> None:
    """Have all records indexed, slice by slice, and then all words counted."""
    set_meta(connection, _filling(tables), "0")
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
        set_meta(connection, _filling(tables), str(rows[-1][0]))
    else:
        drop_meta(connection, _filling(tables))
    return len(rows)


def _filling(tables: IndexTables) -> str:
    return f"{tables.words} filling"


def _is_indexed(connection: apsw.Connection, record_id: int, tables: IndexTables) -> bool:
    query = f"SELECT 1 FROM {tables.words}_docsize WHERE id = ?"
    return connection.execute(query, (record_id,)).fetchone() is not None


def _index(connection: apsw.Connection, scope: str, record_id: int, said: Iterable[str], tables: IndexTables) -> None:
    with broken_index():
        connection.execute(
            f"INSERT INTO {tables.words} (rowid, tokens) VALUES (?, ?)", (record_id, tagged(scope, said))
        )


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
        return cls(number, tuple(word_counts.as_indexed(tagged(scope, tokens.split()))))

    def holds(self, token: str) -> bool:
        """Whether the index will find it by this token of its scope, which may be several words there."""
        sought = word_counts.as_indexed(token)
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
            there = word_counts.documents(self._connection, self._tables, self._scopes, self._marks)
            self._documents = there + (self._coming is not None)
        return self._documents

    def frequencies(self, tokens: Sequence[str]) -> dict[str, int]:
        """How many records hold each token."""
        unknown = [token for token in tokens if token not in self._held]
        if unknown:
            there = word_counts.frequencies(self._connection, self._tables, self._marks, unknown)
            self._held |= {token: count + self._in_what_comes(token) for token, count in there.items()}
        return {token: self._held[token] for token in tokens}

    def _in_what_comes(self, token: str) -> int:
        if self._coming is None:
            return 0
        return sum(word_counts.as_indexed(mark + token)[0] in self._coming for mark in self._marks)

    def tells(self, tokens: Sequence[str]) -> dict[str, float]:
        """How much each word tells, as BM25 weighs words: one that every record holds tells next to nothing."""
        every = self.documents
        held = self.frequencies(tokens)
        return {token: math.log1p(max(0, every - count + 0.5) / (count + 0.5)) for token, count in held.items()}


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
