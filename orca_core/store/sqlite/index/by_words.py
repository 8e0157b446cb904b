"""Finding records by words, through the full-text index."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import NamedTuple

import apsw

from orca_core.model.recall import TextHit, Which
from orca_core.model.records import Ref
from orca_core.store.ports import Telling
from orca_core.store.sqlite.engine.rows import to_json
from orca_core.store.sqlite.engine.scope import among
from orca_core.store.sqlite.index import word_counts, words
from orca_core.store.sqlite.index.damage import broken_index
from orca_core.store.sqlite.index.tables import IndexTables

MAX_VOCABULARY = 500
"""So many words with one beginning and of a fitting length are looked at for a misspelt one. Chosen by hand."""
SPARES = (2, 16)
"""So many times the hits that are wanted are read before those are left out that live no longer; at last all are.
Chosen by hand."""
_EVERY = -1
_NONE = 0
"""No record has this number."""


class Said(NamedTuple):
    """The words of a record that is not written yet, as the index of its scope will have them."""

    number: int
    words: tuple[str, ...]

    @classmethod
    def of(cls, scope: str, number: int, tokens: str) -> Said:
        return cls(number, tuple(word_counts.as_indexed(words.tagged(scope, tokens.split()))))

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
        coming: Said | None = None,
    ) -> None:
        self._connection = connection
        self._tables = tables
        self._scopes = scopes
        self._marks = frozenset(map(words.tag, scopes))
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
    coming: Said | None = None,
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
    said = [(mark + token, weight) for token, weight in tells.items() for mark in map(words.tag, scopes)]
    asked = to_json([(f'"{each}"', weight, coming is not None and coming.holds(each)) for each, weight in said])
    for ranked in (*(limit * spare for spare in SPARES), _EVERY):
        with broken_index():
            rows = connection.execute(query, (asked, *(scopes if listed else ()), ranked, *scopes)).fetchall()
        hits = [TextHit(Ref(tables.kind, int(str(number)))) for number, is_wanted in rows if is_wanted]
        if len(hits) >= limit or len(rows) != ranked:
            break
    return hits[:limit]


def vocabulary(
    connection: apsw.Connection, tables: IndexTables, scopes: tuple[str, ...], sought: Sequence[tuple[str, range]]
) -> frozenset[str]:
    """The scopes' words with one of these beginnings and lengths, in the order of the index, at most `MAX_VOCABULARY`
    of each."""
    found: set[str] = set()
    for tag in map(words.tag, scopes):
        for beginning, lengths in sought:
            rows = connection.execute(
                f"SELECT term FROM {tables.vocabulary} WHERE term >= ? AND term < ?"
                " AND length(term) BETWEEN ? AND ? LIMIT ?",
                (
                    tag + beginning, f"{tag}{beginning}\U0010ffff",
                    len(tag) + lengths.start, len(tag) + lengths.stop - 1, MAX_VOCABULARY,
                ),
            )  # fmt: skip
            found.update(str(term).removeprefix(tag) for (term,) in rows)
    return frozenset(found)


def live_words(
    connection: apsw.Connection, tables: IndexTables, scopes: tuple[str, ...], tokens: Sequence[str]
) -> frozenset[str]:
    """Those of these words that a live record of the scopes holds."""
    query = (
        f"SELECT 1 FROM {tables.words} hit CROSS JOIN {tables.rows} m ON m.id = hit.rowid"
        f" WHERE {tables.words} MATCH ? AND {among('m.scope', scopes)} AND {tables.live} LIMIT 1"
    )
    held: set[str] = set()
    for token in tokens:
        expression = " OR ".join(f'"{words.tag(scope)}{token}"' for scope in scopes)
        if connection.execute(query, (expression, *scopes)).fetchone():
            held.add(token)
    return frozenset(held)


def live_ids_near(
    connection: apsw.Connection,
    tables: IndexTables,
    scope: str,
    tokens: Sequence[str],
    limit: int,
    telling: Telling,
    coming: Said | None = None,
) -> list[int]:
    """The live records of one scope that share the most telling of an indexed record's words, nearest first, itself
    among them; and one that is `coming`, as if it were there."""
    counts = Counts(connection, tables, (scope,), coming)
    tells = counts.tells(telling(counts.frequencies(tokens)))
    return [hit.ref.id for hit in nearest(connection, tables, (scope,), tells, limit, coming=coming)]
