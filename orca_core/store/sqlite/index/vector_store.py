"""Vectors of memories and summaries, and the cache of embedded texts: it holds none, its keys are keyed hashes."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Iterable, Mapping, Sequence

import apsw

from orca_core.model.llm import Vector
from orca_core.model.record_types import Ref
from orca_core.store.ports import Unembedded
from orca_core.store.sqlite.engine.scope import Scope, hasher
from orca_core.store.sqlite.index import vector_index
from orca_core.store.sqlite.index.index_tables import BUILT_IN_TABLES, IndexTables, KindTables
from orca_core.store.sqlite.index.vector_cache import VectorCache


def forget_vectors(connection: apsw.Connection, texts: Iterable[str]) -> None:
    """Delete the vectors of these texts from the cache, whichever model made them."""
    key_of = hasher(connection)
    connection.executemany("DELETE FROM embedding_cache WHERE key = ?", [(key_of(text),) for text in texts])


MAX_CACHED = 50_000
TRIMMED_AT_ONCE = 500
"""The most cached vectors, and how many are trimmed at once. Chosen by hand; benchmarks/embedding_cache.py measures
the cache."""

_CACHED = "SELECT vector FROM embedding_cache WHERE key = ? AND model = ?"


class SQLiteEmbeddings:
    """The vectors of one scope. The cache is common to all scopes, for it holds no text and no scope."""

    def __init__(
        self,
        scope: Scope,
        at_hand: VectorCache,
        *,
        vector_index: bool = True,
        tables: KindTables = BUILT_IN_TABLES,
    ) -> None:
        self._scope = scope
        self._at_hand = at_hand
        self._uses_index = vector_index
        self._tables = tables

    async def unembedded(self, model: str, limit: int) -> list[Unembedded]:
        def read(connection: apsw.Connection) -> list[Unembedded]:
            waiting: list[Unembedded] = []
            for each in self._tables.all:
                rows = connection.execute(
                    f"SELECT m.id, m.{each.text} FROM {each.rows} m WHERE m.scope = ?1 AND {each.embedded}"
                    " AND NOT EXISTS (SELECT 1 FROM vectors v WHERE v.kind = ?2 AND v.id = m.id AND v.model = ?3)"
                    " ORDER BY m.id DESC LIMIT ?4",
                    (self._scope.own, each.kind.name, model, limit - len(waiting)),
                )
                waiting += [Unembedded(Ref(each.kind, row_id), text) for row_id, text in rows]
            return waiting

        return await self._scope.on_reader(read)

    async def put(self, model: str, vectors: Sequence[tuple[Ref, str, Vector]]) -> None:
        units = [(ref, text, vector_index.unit(vector)) for ref, text, vector in vectors]

        def write(connection: apsw.Connection) -> None:
            for ref, text, vector in units:
                each = self._tables.of(ref.kind)
                row = connection.execute(
                    f"SELECT {each.text} FROM {each.rows} WHERE scope = ? AND id = ?", (self._scope.own, ref.id)
                ).fetchone()
                if row is None or row[0] != text:
                    continue
                vector_index.check_width(connection, self._tables.names, model, len(vector))
                connection.execute(
                    "INSERT OR REPLACE INTO vectors (kind, id, model, vector) VALUES (?, ?, ?, ?)",
                    (ref.kind.name, ref.id, model, vector_index.to_blob(vector)),
                )
                if each.vectors and vector_index.holds(connection, each, ref.id, model, len(vector)):
                    vector_index.put_vector(connection, each, ref.id, vector)

        await self._scope.on_writer(write)
        self._at_hand.wrote(len(units))

    async def refresh_index(self, model: str, tell: Callable[[int], None] | None = None) -> bool:
        def stale(connection: apsw.Connection) -> tuple[IndexTables, int] | None:
            for each in self._tables.indexed:
                width = vector_index.width_of(connection, each, model)
                if width is not None and vector_index.is_stale(connection, each, model, width):
                    return each, width
            return None

        def write(connection: apsw.Connection) -> int:
            found = stale(connection)
            if found is None:
                return 0
            tables, width = found
            return vector_index.rebuild_slice(connection, tables, model, width)

        is_refreshed, done = False, 0
        while self._uses_index and await self._scope.on_reader(stale) is not None:
            if not is_refreshed:
                await asyncio.to_thread(vector_index.make_ready)
            started = time.monotonic()
            done += await self._scope.on_writer(write)
            is_refreshed = True
            if tell is not None:
                tell(done)
            await asyncio.sleep(time.monotonic() - started)  # another process writes as long
        return is_refreshed

    async def progress(self, model: str) -> tuple[int, int]:
        def read(connection: apsw.Connection) -> tuple[int, int]:
            have, whole = 0, 0
            for each in self._tables.all:
                row = connection.execute(
                    f"SELECT count(v.id), count(*) FROM {each.rows} m LEFT JOIN vectors v"
                    f" ON v.kind = ?1 AND v.id = m.id AND v.model = ?2 WHERE m.scope = ?3 AND {each.embedded}",
                    (each.kind.name, model, self._scope.own),
                ).fetchone() or (0, 0)
                have, whole = have + row[0], whole + row[1]
            return have, whole

        return await self._scope.on_reader(read)

    async def cached(self, model: str, texts: Sequence[str]) -> dict[str, Vector]:
        def read(connection: apsw.Connection) -> dict[str, bytes]:
            key_of = hasher(connection)
            rows = {text: connection.execute(_CACHED, (key_of(text), model)).fetchone() for text in texts}
            return {text: row[0] for text, row in rows.items() if row is not None and isinstance(row[0], bytes)}

        blobs = await self._scope.on_reader(read)
        return {text: vector_index.vector_from_bytes(blob) for text, blob in blobs.items()}

    async def cache(self, model: str, vectors: Mapping[str, Vector]) -> None:
        blobs = {text: vector_index.to_exact(vector) for text, vector in vectors.items()}

        def write(connection: apsw.Connection) -> None:
            key_of = hasher(connection)
            for text, blob in blobs.items():
                connection.execute(
                    "INSERT OR REPLACE INTO embedding_cache (key, model, vector, used_at)"
                    " VALUES (?, ?, ?, strftime('%Y-%m-%dT%H:%M:%fZ'))",
                    (key_of(text), model, blob),
                )
            [count] = connection.execute("SELECT count(*) FROM embedding_cache").fetchone() or (0,)
            if count > MAX_CACHED:
                connection.execute(
                    "DELETE FROM embedding_cache WHERE rowid IN"
                    " (SELECT rowid FROM embedding_cache ORDER BY used_at LIMIT ?)",
                    (TRIMMED_AT_ONCE,),
                )

        await self._scope.on_writer(write)
