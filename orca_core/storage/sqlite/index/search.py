"""Finding live records by words and by vectors."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta

import apsw

from orca_core.domain.learning import UndecidedPair
from orca_core.domain.ports import Vector
from orca_core.domain.recall import TextHit, TokenStatistics, VectorHit
from orca_core.domain.refs import MEMORY, Kind, Ref
from orca_core.domain.summaries import ShortTerm
from orca_core.domain.times import parse_timestamp, timestamp
from orca_core.storage.sqlite.engine.rows import to_json
from orca_core.storage.sqlite.engine.scope import Scope, among
from orca_core.storage.sqlite.index import float16, pairs, vector_index, words
from orca_core.storage.sqlite.index.tables import BUILT_IN_TABLES, MEMORY_TABLES, IndexTables, KindTables

MAX_TOKENS = 24
"""Chosen by hand."""
MAX_POSTINGS = 6_000
"""The most index entries that one search may read, for common words have many. Chosen by hand; benchmarks/stores.py
measures the search."""
RANDOM_SAMPLE = 400
"""How many vectors measure the noise. Chosen by hand."""


class SQLiteSearch:
    """Searches one scope. It only reads: without an index for the current model it compares all vectors."""

    def __init__(self, scope: Scope, *, vector_index: bool = True, tables: KindTables = BUILT_IN_TABLES) -> None:
        self._scope = scope
        self._uses_index = vector_index
        self._tables = tables

    async def by_vector(
        self, model: str, vector: Vector, limit: int, *, live_only: bool = True, kind: Kind = MEMORY
    ) -> list[VectorHit]:
        wanted = float16.unit(vector)
        tables = self._tables.of(kind)

        def read(connection: apsw.Connection) -> list[VectorHit]:
            is_indexed = self._uses_index and not vector_index.is_stale(connection, tables, model, len(wanted))
            find = vector_index.nearest if is_indexed else vector_index.nearest_exact
            return find(connection, tables, self._scope.all, model, wanted, limit, live_only=live_only)

        return await self._scope.read(read)

    async def by_tokens(
        self, tokens: Sequence[str], limit: int, *, live_only: bool = True, kind: Kind = MEMORY
    ) -> list[TextHit]:
        if not tokens:
            return []
        tables = self._tables.of(kind)
        asked = frozenset(tokens)

        def read(connection: apsw.Connection) -> list[TextHit]:
            telling = _telling(_frequencies(connection, tables, self._scope.all, tokens))
            if not telling:
                return []
            tags = [words.tag(scope) for scope in self._scope.all]
            expression = " OR ".join(f'"{tag}{token}"' for tag in tags for token in telling)
            rows = connection.execute(
                f"SELECT m.id, -bm25({tables.words}), m.tokens FROM {tables.words}"
                f" JOIN {tables.rows} m ON m.id = {tables.words}.rowid"
                f" WHERE {tables.words} MATCH ? AND {among('m.scope', self._scope.all)} AND ({tables.live} OR NOT ?)"
                f" ORDER BY bm25({tables.words}), m.id LIMIT ?",
                (expression, *self._scope.all, live_only, limit),
            )
            return [TextHit(Ref(kind, row[0]), row[1], asked.intersection(row[2].split())) for row in rows]

        return await self._scope.read(read)

    async def statistics(self, tokens: Sequence[str], *, kind: Kind = MEMORY) -> TokenStatistics:
        tables = self._tables.of(kind)

        def read(connection: apsw.Connection) -> TokenStatistics:
            [documents] = connection.execute(
                f"SELECT count(*) FROM {tables.rows} WHERE {among('scope', self._scope.all)}", self._scope.all
            ).fetchone() or (0,)
            return TokenStatistics(documents, _frequencies(connection, tables, self._scope.all, tokens))

        return await self._scope.read(read)

    async def random_cosines(self, model: str, pairs: int, seed: int) -> list[float]:
        tables = MEMORY_TABLES

        def read(connection: apsw.Connection) -> list[bytes]:
            rows = connection.execute(
                f"SELECT v.vector FROM vectors v JOIN {tables.rows} m ON m.id = v.id"
                f" WHERE v.kind = ? AND v.model = ? AND {among('m.scope', self._scope.all)} AND {tables.live}"
                " ORDER BY (v.id * 2654435761) % 4294967296 LIMIT ?",
                (tables.kind.name, model, *self._scope.all, RANDOM_SAMPLE),
            )
            return [blob for (blob,) in rows]

        return float16.random_cosines(await self._scope.read(read), pairs, seed)

    async def short_term(self, session_id: str, now: datetime, ttl_days: int, limit: int) -> list[ShortTerm]:
        oldest = timestamp(now - timedelta(days=ttl_days))

        def read(connection: apsw.Connection) -> list[ShortTerm]:
            rows = connection.execute(
                "SELECT id, session_id, round, content, question, trusted, tokens, created_at"
                " FROM short_term_memories WHERE scope = ? AND created_at >= ?"
                " ORDER BY session_id = ? DESC, id DESC LIMIT ?",
                (self._scope.own, oldest, session_id, limit),
            )
            return [
                ShortTerm(
                    row[0], row[1], row[2], row[3], row[4], bool(row[5]), frozenset(row[6].split()),
                    parse_timestamp(row[7]),
                )
                for row in rows
            ]  # fmt: skip

        return await self._scope.read(read)

    async def open_pairs(self, ids: Sequence[int]) -> list[UndecidedPair]:
        return await self._scope.read(lambda connection: pairs.open_among(connection, self._scope.all, ids))

    async def cosines(self, kind: Kind, model: str, vector: Vector, ids: Sequence[int]) -> dict[int, float]:
        wanted = float16.unit(vector)
        tables = self._tables.of(kind)

        def read(connection: apsw.Connection) -> dict[int, bytes]:
            return dict(
                connection.execute(
                    f"SELECT v.id, v.vector FROM vectors v JOIN {tables.rows} m ON m.id = v.id"
                    f" WHERE v.kind = ? AND v.model = ? AND {among('m.scope', self._scope.all)}"
                    " AND v.id IN (SELECT value FROM json_each(?))",
                    (kind.name, model, *self._scope.all, to_json(list(ids))),
                )
            )

        return float16.cosines(await self._scope.read(read), wanted)


def _frequencies(
    connection: apsw.Connection, tables: IndexTables, scopes: tuple[str, ...], tokens: Sequence[str]
) -> dict[str, int]:
    """How many of the scopes' records hold each token."""
    frequencies = dict.fromkeys(tokens, 0)
    for tag in map(words.tag, scopes):
        for token in frequencies:
            row = connection.execute(f"SELECT doc FROM {tables.vocabulary} WHERE term = ?", (tag + token,)).fetchone()
            frequencies[token] += row[0] if row else 0
    return frequencies


def live_ids_with(
    connection: apsw.Connection, tables: IndexTables, scope: str, tokens: Sequence[str], limit: int
) -> list[int]:
    """The live records of one scope that have some of these words, nearest first."""
    telling = _telling(_frequencies(connection, tables, (scope,), tokens)) if tokens else []
    if not telling:
        return []
    rows = connection.execute(
        f"SELECT m.id FROM {tables.words} JOIN {tables.rows} m ON m.id = {tables.words}.rowid"
        f" WHERE {tables.words} MATCH ? AND m.scope = ? AND {tables.live} ORDER BY bm25({tables.words}), m.id LIMIT ?",
        (" OR ".join(f'"{words.tag(scope)}{token}"' for token in telling), scope, limit),
    )
    return [int(str(number)) for (number,) in rows]


def _telling(frequencies: dict[str, int]) -> list[str]:
    """The rarest known tokens whose entries one search may read."""
    chosen: list[str] = []
    postings = 0
    for token, frequency in sorted(frequencies.items(), key=lambda pair: (pair[1], pair[0])):
        if frequency == 0:
            continue
        if len(chosen) == MAX_TOKENS or (chosen and postings + frequency > MAX_POSTINGS):
            break
        chosen.append(token)
        postings += frequency
    return chosen
