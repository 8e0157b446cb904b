"""A scope at one moment: what a look asks, on the connection of one transaction that reads."""

from __future__ import annotations

from collections.abc import Sequence

import apsw

from orca_core.domain.memories import CuesBy
from orca_core.domain.ports import Vector
from orca_core.domain.recall import CueHit, Neighbours, TextHit, TokenStatistics, VectorHit, Which
from orca_core.domain.records import R, RecordType
from orca_core.domain.refs import MEMORY, Kind, memory_ref
from orca_core.storage.sql.tables import scopes_of
from orca_core.storage.sqlite.engine.rows import to_json
from orca_core.storage.sqlite.engine.scope import among
from orca_core.storage.sqlite.index import by_words, float16, surroundings
from orca_core.storage.sqlite.index.tables import CUE_TABLES, MEMORY_TABLES, IndexTables, KindTables
from orca_core.storage.sqlite.index.vector_index import Sought
from orca_core.storage.sqlite.index.vector_search import VectorSearch

CUES_A_MEMORY = 4
"""Of so many nearest cues for each memory that is wanted, several may be of one memory. Chosen by hand."""


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
        self.cues = SQLiteCueLook(connection, scopes, vectors)

    @property
    def is_partial(self) -> bool:
        return self.vectors.is_partial or self.cues.is_partial

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


class SQLiteCueLook:
    """Finds live memories by their cues."""

    def __init__(self, connection: apsw.Connection, scopes: tuple[str, ...], vectors: VectorSearch) -> None:
        self._connection = connection
        self._scopes = scopes
        self._vectors = vectors
        self._counts = by_words.Counts(connection, CUE_TABLES, scopes)
        self.is_partial = False

    def frequencies(self, tokens: Sequence[str]) -> dict[str, int]:
        return self._counts.frequencies(tokens)

    def by_tokens(self, tokens: Sequence[str], limit: int) -> list[CueHit]:
        if not tokens:
            return []
        tells = self._counts.tells(tokens)
        hits = by_words.nearest(self._connection, CUE_TABLES, self._scopes, tells, limit)
        rows = self._connection.execute(
            "SELECT c.memory_id, c.tokens, m.cues_by = ? FROM json_each(?) wanted"
            " CROSS JOIN memory_cues c ON c.id = wanted.value JOIN long_term_memories m ON m.id = c.memory_id",
            (CuesBy.USER.value, to_json([hit.ref.id for hit in hits])),
        )
        return [CueHit(memory_ref(row[0]), frozenset(row[1].split()), bool(row[2])) for row in rows]

    def by_vector(self, model: str, vector: Vector, limit: int) -> list[VectorHit]:
        wanted = CUES_A_MEMORY * limit
        sought = Sought(CUE_TABLES, self._scopes, model, float16.unit(vector), wanted)
        near, is_whole = self._vectors.nearest(self._connection, sought)
        self.is_partial = self.is_partial or not is_whole
        rows = self._connection.execute(
            "SELECT id, memory_id FROM memory_cues WHERE id IN (SELECT value FROM json_each(?))",
            (to_json([hit.ref.id for hit in near]),),
        )
        owners = dict(rows)
        best: dict[int, float] = {}
        for hit in near:
            best.setdefault(owners[hit.ref.id], hit.cosine)
        return [VectorHit(memory_ref(owner), cosine) for owner, cosine in best.items()][:limit]
