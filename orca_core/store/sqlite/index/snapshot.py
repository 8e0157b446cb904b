"""A scope at one moment: what a look asks, on the connection of one transaction that reads."""

from __future__ import annotations

from collections.abc import Sequence

import apsw

from orca_core.model.llm import Vector
from orca_core.model.recall import Neighbours, TextHit, TokenStatistics, VectorHit, Which
from orca_core.model.records import MEMORY, Kind, R, RecordType
from orca_core.store.sql.rows import scopes_of
from orca_core.store.sqlite.engine.rows import to_json
from orca_core.store.sqlite.engine.scope import among
from orca_core.store.sqlite.index import by_words, float16, surroundings
from orca_core.store.sqlite.index.tables import MEMORY_TABLES, IndexTables, KindTables
from orca_core.store.sqlite.index.vector_index import Sought
from orca_core.store.sqlite.index.vector_search import VectorSearch


class SQLiteSnapshot:
    """Its parts share the connection, and what was counted."""

    def __init__(
        self,
        connection: apsw.Connection,
        own: str,
        scopes: tuple[str, ...],
        vectors: VectorSearch,
        tables: KindTables,
    ) -> None:
        self._connection = connection
        self._own = own
        self._scopes = scopes
        self.words = SQLiteWords(connection, scopes, tables)
        self.vectors = SQLiteVectorLook(connection, scopes, vectors, tables)

    @property
    def is_partial(self) -> bool:
        return self.vectors.is_partial

    def get(self, record_type: RecordType[R], ids: Sequence[int]) -> list[R]:
        scopes = scopes_of(record_type.table, self._own, self._scopes)
        # The number is looked up, not the scope: an index of that would be walked.
        rows = self._connection.execute(
            f"SELECT {', '.join(record_type.names)} FROM {record_type.table}"
            f" WHERE {among('+scope', scopes)} AND id IN (SELECT value FROM json_each(?))",
            (*scopes, to_json(list(ids))),
        )
        there = {row[0]: record_type.from_row(row) for row in rows}
        return [there[number] for number in ids if number in there]

    def neighbours(self, ids: Sequence[int], *, live_only: bool = True) -> dict[int, Neighbours]:
        return surroundings.neighbours(self._connection, self._scopes, ids, live_only=live_only)


class SQLiteWords:
    """Finds records by words."""

    def __init__(self, connection: apsw.Connection, scopes: tuple[str, ...], tables: KindTables) -> None:
        self._connection = connection
        self._scopes = scopes
        self._tables = tables
        self._counts: dict[Kind, by_words.Counts] = {}

    def statistics(self, tokens: Sequence[str], *, kind: Kind = MEMORY) -> TokenStatistics:
        counts = self._counts_of(self._tables.of(kind))
        return TokenStatistics(counts.documents, counts.frequencies(tokens))

    def by_tokens(
        self, tokens: Sequence[str], limit: int, *, which: Which = Which.LIVE, kind: Kind = MEMORY
    ) -> list[TextHit]:
        if not tokens:
            return []
        tables = self._tables.of(kind)
        tells = self._counts_of(tables).tells(tokens)
        return by_words.nearest(self._connection, tables, self._scopes, tells, limit, which)

    def words_of(self, kind: Kind, ids: Sequence[int]) -> dict[int, list[str]]:
        rows = self._connection.execute(
            "SELECT m.id, m.tokens FROM json_each(?) wanted"
            f" CROSS JOIN {self._tables.of(kind).rows} m ON m.id = wanted.value WHERE {among('m.scope', self._scopes)}",
            (to_json(list(ids)), *self._scopes),
        )
        return {row[0]: row[1].split() for row in rows}

    def vocabulary(self, sought: Sequence[tuple[str, range]]) -> frozenset[str]:
        return by_words.vocabulary(self._connection, MEMORY_TABLES, self._scopes, sought)

    def live_words(self, tokens: Sequence[str]) -> frozenset[str]:
        return by_words.live_words(self._connection, MEMORY_TABLES, self._scopes, tokens)

    def _counts_of(self, tables: IndexTables) -> by_words.Counts:
        if tables.kind not in self._counts:
            self._counts[tables.kind] = by_words.Counts(self._connection, tables, self._scopes)
        return self._counts[tables.kind]


class SQLiteVectorLook:
    """Finds records by vectors, and measures those that were found otherwise."""

    def __init__(
        self, connection: apsw.Connection, scopes: tuple[str, ...], vectors: VectorSearch, tables: KindTables
    ) -> None:
        self._connection = connection
        self._scopes = scopes
        self._vectors = vectors
        self._tables = tables
        self.is_partial = False

    def by_vector(
        self, model: str, vector: Vector, limit: int, *, which: Which = Which.LIVE, kind: Kind = MEMORY
    ) -> list[VectorHit]:
        sought = Sought(self._tables.of(kind), self._scopes, model, float16.unit(vector), limit, which)
        hits, is_whole = self._vectors.nearest(self._connection, sought)
        self.is_partial = self.is_partial or not is_whole
        return hits

    def cosines(self, kind: Kind, model: str, vector: Vector, ids: Sequence[int]) -> dict[int, float]:
        rows = self._connection.execute(
            "SELECT v.id, v.vector FROM json_each(?) w CROSS JOIN vectors v"
            f" ON v.kind = ? AND v.id = w.value AND v.model = ? CROSS JOIN {self._tables.of(kind).rows} m"
            f" ON m.id = v.id AND {among('m.scope', self._scopes)}",
            (to_json(list(ids)), kind.name, model, *self._scopes),
        )
        return float16.cosines(dict(rows), float16.unit(vector))
