"""The port `Vectors` on a connection: which way a search goes, vectors of records put and counted, and the cache of
embedded texts, which holds none: its keys are keyed hashes."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import apsw

from orca_core.model.llm import Vector
from orca_core.model.recall import VectorHit, Which
from orca_core.model.record_types import MEMORY, Kind, RecordType, Ref
from orca_core.operations.columns import to_json
from orca_core.store.ports import Unembedded
from orca_core.store.sqlite.engine.meta import count_of
from orca_core.store.sqlite.engine.scope import among, hasher
from orca_core.store.sqlite.index import vector_format, vector_index
from orca_core.store.sqlite.index.index_tables import MEMORY_TABLES, IndexTables, KindTables
from orca_core.store.sqlite.index.ram_index import RamIndex
from orca_core.store.sqlite.index.vector_index import Sought

MAX_CACHED = 50_000
TRIMMED_AT_ONCE = 500
"""The most cached vectors, and how many are trimmed at once. Chosen by hand; benchmarks/embedding_cache.py measures
the cache."""
RANDOM_SAMPLE = 400
"""How many vectors measure the noise. Chosen by hand."""
SPARE = 2
"""So many times as many memories are drawn first, for some have no vector yet. Chosen by hand."""


def forget_vectors(connection: apsw.Connection, texts: Iterable[str]) -> None:
    """Delete the vectors of these texts from the cache, whichever model made them."""
    key_of = hasher(connection)
    connection.executemany("DELETE FROM embedding_cache WHERE key = ?", [(key_of(text),) for text in texts])


class SQLiteVectors:
    """Vectors of the scopes that are read, the first of them the one that is written. The cache is common to all: it
    holds no text and no scope. Without `uses_index` a search compares every vector."""

    def __init__(
        self,
        connection: apsw.Connection,
        scopes: tuple[str, ...],
        ram_index: RamIndex,
        tables: KindTables,
        *,
        uses_index: bool = True,
    ) -> None:
        self._connection = connection
        self._scopes = scopes
        self._ram_index = ram_index
        self._tables = tables
        self._uses_index = uses_index

    def by_vector(
        self, model: str, vector: Vector, limit: int, *, which: Which = Which.LIVE, kind: Kind = MEMORY
    ) -> list[VectorHit]:
        sought = Sought(self._tables.of(kind), self._scopes, model, vector_format.unit(vector), limit, which)
        if not self._uses_index:
            return vector_index.nearest_exact(self._connection, sought)
        if (hits := self._ram_index.nearest(self._connection, sought)) is not None:
            return hits
        # The index knows what lives: what waits may stand behind all that is archived, and there is little of it.
        is_of_use = which is not Which.WAITING
        if is_of_use and not vector_index.is_stale(self._connection, sought.tables, model, len(sought.vector)):
            return vector_index.nearest(self._connection, sought)
        return vector_index.nearest_exact(self._connection, sought)

    def cosines(self, kind: Kind, model: str, vector: Vector, ids: Sequence[int]) -> dict[int, float]:
        rows = self._connection.execute(
            "SELECT v.id, v.vector FROM json_each(?) w CROSS JOIN vectors v"
            f" ON v.kind = ? AND v.id = w.value AND v.model = ? CROSS JOIN {self._tables.of(kind).rows} m"
            f" ON m.id = v.id AND {among('m.scope', self._scopes)}",
            (to_json(list(ids)), kind.name, model, *self._scopes),
        )
        return vector_format.cosines(dict(rows), vector_format.unit(vector))

    def random_cosines(self, model: str, pairs: int, seed: int) -> list[float]:
        tables = MEMORY_TABLES
        of_model = (tables.kind.name, model)
        # Indexes alone tell which, and rows are read of these. Only where few have a vector, all are looked at.
        for drawn in (SPARE * RANDOM_SAMPLE, -1):
            rows = self._connection.execute(
                "SELECT v.vector FROM (SELECT d.id, d.drawn FROM"
                f" (SELECT m.id, (m.id * 2654435761) % 4294967296 AS drawn FROM {tables.rows} m"
                f" WHERE {among('m.scope', self._scopes)} AND {tables.live} ORDER BY drawn LIMIT ?) d"
                " WHERE EXISTS (SELECT 1 FROM vectors h WHERE h.kind = ? AND h.id = d.id AND h.model = ?)"
                " ORDER BY d.drawn LIMIT ?) s"
                " CROSS JOIN vectors v ON v.kind = ? AND v.id = s.id AND v.model = ? ORDER BY s.drawn",
                (*self._scopes, drawn, *of_model, RANDOM_SAMPLE, *of_model),
            ).fetchall()
            if len(rows) == RANDOM_SAMPLE:
                break
        return vector_format.random_cosines([blob for (blob,) in rows if isinstance(blob, bytes)], pairs, seed)

    def drop(self, record_type: RecordType[Any], record_id: int) -> None:
        vector_index.drop_vectors(self._connection, [record_id], self._tables.of(record_type.kind))

    def forget(self, texts: Iterable[str]) -> None:
        forget_vectors(self._connection, texts)

    def set_live(self, ref: Ref, is_live: bool) -> None:
        vector_index.set_live(self._connection, ref.id, is_live, self._tables.of(ref.kind))

    def unembedded(self, model: str, limit: int) -> list[Unembedded]:
        waiting: list[Unembedded] = []
        for each in self._tables.all:
            rows = self._connection.execute(
                f"SELECT m.id, m.{each.text} FROM {each.rows} m WHERE m.scope = ?1 AND {each.embedded}"
                " AND NOT EXISTS (SELECT 1 FROM vectors v WHERE v.kind = ?2 AND v.id = m.id AND v.model = ?3)"
                " ORDER BY m.id DESC LIMIT ?4",
                (self._scopes[0], each.kind.name, model, limit - len(waiting)),
            )
            waiting += [Unembedded(Ref(each.kind, row_id), text) for row_id, text in rows]
        return waiting

    def progress(self, model: str) -> tuple[int, int]:
        have, whole = 0, 0
        for each in self._tables.all:
            row = self._connection.execute(
                f"SELECT count(v.id), count(*) FROM {each.rows} m LEFT JOIN vectors v"
                f" ON v.kind = ?1 AND v.id = m.id AND v.model = ?2 WHERE m.scope = ?3 AND {each.embedded}",
                (each.kind.name, model, self._scopes[0]),
            ).fetchone() or (0, 0)
            have, whole = have + row[0], whole + row[1]
        return have, whole

    def put(self, model: str, vectors: Sequence[tuple[Ref, str, Vector]]) -> None:
        for ref, text, given in vectors:
            vector, each = vector_format.unit(given), self._tables.of(ref.kind)
            row = self._connection.execute(
                f"SELECT {each.text} FROM {each.rows} WHERE scope = ? AND id = ?", (self._scopes[0], ref.id)
            ).fetchone()
            if row is None or row[0] != text:
                continue
            vector_index.check_width(self._connection, self._tables.names, model, len(vector))
            self._connection.execute(
                "INSERT OR REPLACE INTO vectors (kind, id, model, vector) VALUES (?, ?, ?, ?)",
                (ref.kind.name, ref.id, model, vector_format.to_blob(vector)),
            )
            if each.vectors and vector_index.holds(self._connection, each, ref.id, model, len(vector)):
                vector_index.put_vector(self._connection, each, ref.id, vector)

    def is_index_stale(self, model: str) -> bool:
        is_stale = self._uses_index and self._stale_index(model) is not None
        if is_stale:
            vector_format.load_numpy()
        return is_stale

    def fill_index(self, model: str) -> int:
        found = self._stale_index(model)
        return 0 if found is None else vector_index.fill_slice(self._connection, found[0], model, found[1])

    def _stale_index(self, model: str) -> tuple[IndexTables, int] | None:
        """Return a kind whose index is to be made for this model, and how many numbers its vectors have."""
        for each in self._tables.indexed:
            width = vector_index.width_of(self._connection, each, model)
            if width is not None and vector_index.is_stale(self._connection, each, model, width):
                return each, width
        return None

    def cached(self, model: str, texts: Sequence[str]) -> dict[str, Vector]:
        key_of = hasher(self._connection)
        query = "SELECT vector FROM embedding_cache WHERE key = ? AND model = ?"
        rows = {text: self._connection.execute(query, (key_of(text), model)).fetchone() for text in texts}
        return {text: vector_format.from_exact(row[0]) for text, row in rows.items() if row is not None}

    def cache(self, model: str, vectors: Mapping[str, Vector]) -> None:
        key_of = hasher(self._connection)
        self._connection.executemany(
            "INSERT OR REPLACE INTO embedding_cache (key, model, vector, used_at)"
            " VALUES (?, ?, ?, strftime('%Y-%m-%dT%H:%M:%fZ'))",
            [(key_of(text), model, vector_format.to_exact(vector)) for text, vector in vectors.items()],
        )
        if count_of(self._connection, "embedding_cache") > MAX_CACHED:
            self._connection.execute(
                "DELETE FROM embedding_cache WHERE rowid IN"
                " (SELECT rowid FROM embedding_cache ORDER BY used_at LIMIT ?)",
                (TRIMMED_AT_ONCE,),
            )
