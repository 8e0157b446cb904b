"""Finding records: looks at one moment, and what is asked without one."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime, timedelta
from typing import TypeVar

import apsw

from orca_core.model.memories import ShortTerm
from orca_core.model.records import parse_timestamp, timestamp
from orca_core.store.protocols.snapshot import Snapshot
from orca_core.store.sqlite.engine.scope import Scope, among
from orca_core.store.sqlite.index import float16
from orca_core.store.sqlite.index.snapshot import SQLiteSnapshot
from orca_core.store.sqlite.index.tables import BUILT_IN_TABLES, MEMORY_TABLES, KindTables
from orca_core.store.sqlite.index.vector_search import VectorSearch

T = TypeVar("T")

RANDOM_SAMPLE = 400
"""How many vectors measure the noise. Chosen by hand."""
SPARE = 2
"""So many times as many memories are drawn first, for some have no vector yet. Chosen by hand."""


class SQLiteSearch:
    """Searches one scope. It only reads."""

    def __init__(
        self,
        scope: Scope,
        vectors: VectorSearch,
        tables: KindTables = BUILT_IN_TABLES,
    ) -> None:
        self._scope = scope
        self._vectors = vectors
        self._tables = tables

    async def at_once(self, look: Callable[[Snapshot], T]) -> T:
        def read(connection: apsw.Connection) -> T:
            return look(SQLiteSnapshot(connection, self._scope.own, self._scope.all, self._vectors, self._tables))

        found = await self._scope.read(read)
        self._vectors.after_a_search()
        return found

    async def random_cosines(self, model: str, pairs: int, seed: int) -> list[float]:
        tables = MEMORY_TABLES
        of_model = (tables.kind.name, model)

        def read(connection: apsw.Connection) -> list[bytes]:
            # Indexes alone tell which, and rows are read of these. Only where few have a vector, all are looked at.
            for drawn in (SPARE * RANDOM_SAMPLE, -1):
                rows = connection.execute(
                    "SELECT v.vector FROM (SELECT d.id, d.drawn FROM"
                    f" (SELECT m.id, (m.id * 2654435761) % 4294967296 AS drawn FROM {tables.rows} m"
                    f" WHERE {among('m.scope', self._scope.all)} AND {tables.live} ORDER BY drawn LIMIT ?) d"
                    " WHERE EXISTS (SELECT 1 FROM vectors h WHERE h.kind = ? AND h.id = d.id AND h.model = ?)"
                    " ORDER BY d.drawn LIMIT ?) s"
                    " CROSS JOIN vectors v ON v.kind = ? AND v.id = s.id AND v.model = ? ORDER BY s.drawn",
                    (*self._scope.all, drawn, *of_model, RANDOM_SAMPLE, *of_model),
                ).fetchall()
                if len(rows) == RANDOM_SAMPLE:
                    break
            return [blob for (blob,) in rows if isinstance(blob, bytes)]

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
