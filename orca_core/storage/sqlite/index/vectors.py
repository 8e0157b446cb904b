"""Vectors of memories and summaries, and the cache of embedded texts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import apsw

from orca_core.domain.ports import Vector
from orca_core.domain.refs import MEMORY, SUMMARY, Ref
from orca_core.domain.stores.index import Unembedded
from orca_core.storage.sqlite.engine.scope import Scope
from orca_core.storage.sqlite.index import float16, text_keys, vector_index

MAX_CACHED = 50_000
TRIMMED_AT_ONCE = 500

_WAITING_LONG = (
    "SELECT m.id, m.content FROM long_term_memories m WHERE m.scope = ?1"
    " AND m.state IN ('live', 'candidate')"
    " AND NOT EXISTS (SELECT 1 FROM vectors v WHERE v.kind = 'memory' AND v.id = m.id AND v.model = ?2)"
    " ORDER BY m.id DESC LIMIT ?3"
)
_WAITING_SHORT = (
    "SELECT s.id, s.content FROM short_term_memories s WHERE s.scope = ?1"
    " AND NOT EXISTS (SELECT 1 FROM vectors v WHERE v.kind = 'summary' AND v.id = s.id AND v.model = ?2)"
    " ORDER BY s.id DESC LIMIT ?3"
)
_CACHED = "SELECT vector FROM embedding_cache WHERE key = ? AND model = ?"
_CURRENT_TEXT = {
    MEMORY: "SELECT content FROM long_term_memories WHERE scope = ? AND id = ?",
    SUMMARY: "SELECT content FROM short_term_memories WHERE scope = ? AND id = ?",
}


class SQLiteVectors:
    """The vectors of one scope; the cache is everyone's, for it holds no text and a vector says nothing of who
    asked."""

    def __init__(self, scope: Scope, *, vector_index: bool = True) -> None:
        self._scope = scope
        self._uses_index = vector_index

    async def unembedded(self, model: str, limit: int) -> list[Unembedded]:
        def read(connection: apsw.Connection) -> list[Unembedded]:
            waiting: list[Unembedded] = []
            for kind, query in ((MEMORY, _WAITING_LONG), (SUMMARY, _WAITING_SHORT)):
                rows = connection.execute(query, (self._scope.own, model, limit - len(waiting)))
                waiting += [Unembedded(Ref(kind, row_id), text) for row_id, text in rows]
            return waiting

        return await self._scope.read(read)

    async def put(self, model: str, vectors: Sequence[tuple[Ref, str, Vector]]) -> None:
        units = [(ref, text, float16.unit(vector)) for ref, text, vector in vectors]

        def write(connection: apsw.Connection) -> None:
            for ref, text, vector in units:
                row = connection.execute(_CURRENT_TEXT[ref.kind], (self._scope.own, ref.id)).fetchone()
                if row is None or row[0] != text:
                    continue
                vector_index.check_width(connection, model, len(vector))
                connection.execute(
                    "INSERT OR REPLACE INTO vectors (kind, id, model, vector) VALUES (?, ?, ?, ?)",
                    (ref.kind.name, ref.id, model, float16.to_blob(vector)),
                )
                if ref.kind == MEMORY and not vector_index.is_stale(connection, model, len(vector)):
                    vector_index.put(connection, ref.id, vector)

        await self._scope.write(write)

    async def refresh_index(self, model: str) -> bool:
        def wanted_width(connection: apsw.Connection) -> int | None:
            width = vector_index.width_of(connection, model)
            return None if width is None or not vector_index.is_stale(connection, model, width) else width

        def write(connection: apsw.Connection) -> bool:
            if (width := wanted_width(connection)) is not None:
                vector_index.rebuild(connection, model, width)
            return width is not None

        if not self._uses_index or await self._scope.read(wanted_width) is None:
            return False
        return await self._scope.write(write)

    async def progress(self, model: str) -> tuple[int, int]:
        def read(connection: apsw.Connection) -> tuple[int, int]:
            have, whole = 0, 0
            for query, bindings in (
                (
                    "SELECT count(v.id), count(*) FROM long_term_memories m LEFT JOIN vectors v"
                    " ON v.kind = 'memory' AND v.id = m.id AND v.model = ?1"
                    " WHERE m.scope = ?2 AND m.state IN ('live', 'candidate')",
                    (model, self._scope.own),
                ),
                (
                    "SELECT count(v.id), count(*) FROM short_term_memories s LEFT JOIN vectors v"
                    " ON v.kind = 'summary' AND v.id = s.id AND v.model = ?1 WHERE s.scope = ?2",
                    (model, self._scope.own),
                ),
            ):
                row = connection.execute(query, bindings).fetchone() or (0, 0)
                have, whole = have + row[0], whole + row[1]
            return have, whole

        return await self._scope.read(read)

    async def cached(self, model: str, texts: Sequence[str]) -> dict[str, Vector]:
        def read(connection: apsw.Connection) -> dict[str, bytes]:
            key_of = text_keys.hasher(connection)
            rows = {text: connection.execute(_CACHED, (key_of(text), model)).fetchone() for text in texts}
            return {text: row[0] for text, row in rows.items() if row is not None and isinstance(row[0], bytes)}

        blobs = await self._scope.read(read)
        return {text: float16.from_exact(blob) for text, blob in blobs.items()}

    async def cache(self, model: str, vectors: Mapping[str, Vector]) -> None:
        blobs = {text: float16.to_exact(vector) for text, vector in vectors.items()}

        def write(connection: apsw.Connection) -> None:
            key_of = text_keys.hasher(connection)
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

        await self._scope.write(write)
