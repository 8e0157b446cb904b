"""Vectors and lists of records, in one transaction."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime, timedelta
from typing import Any

import apsw

from orca_core.model.llm import Vector
from orca_core.model.memories import ShortTerm
from orca_core.model.recall import Neighbours, VectorHit, Which
from orca_core.model.record_types import MEMORY, Kind, R, RecordType, Ref, parse_timestamp, timestamp
from orca_core.operations.columns import to_json
from orca_core.store.ports import Row
from orca_core.store.sql.rows import scopes_of
from orca_core.store.sqlite.engine.scope import among
from orca_core.store.sqlite.index import vector_index
from orca_core.store.sqlite.index.index_tables import MEMORY_TABLES, KindTables
from orca_core.store.sqlite.index.vector_cache import VectorSearch
from orca_core.store.sqlite.index.vector_index import Sought
from orca_core.store.sqlite.index.vector_store import forget_vectors

_ROUND = "coalesce(json_extract(m.origin_rounds, '$[0]'), 0)"
"""As the index `memories_of_session` has it."""
_BEFORE, _AFTER = 3, 2
"""So far around a memory stands what is beside it, and what is beside that."""


def _next(than: str, way: str, count: int) -> str:
    """The numbers of what stands next to the memory `a` in its conversation, nearest first, separated by commas."""
    round_of_a = _ROUND.replace("m.", "a.")
    return (
        "(SELECT group_concat(id) FROM (SELECT m.id AS id FROM long_term_memories m"
        " WHERE m.scope = a.scope AND m.origin_session = a.origin_session AND m.origin_session IS NOT NULL"
        f" AND {_ROUND} {than}= {round_of_a} AND ({_ROUND} {than} {round_of_a} OR m.id {than} a.id)"
        f" AND ({MEMORY_TABLES.live} OR NOT ?1) ORDER BY {_ROUND} {way}, m.id {way} LIMIT {count}))"
    )


_WITH_NEIGHBOURS = (
    f"SELECT a.id, {_next('<', 'DESC', _BEFORE)}, {_next('>', 'ASC', _AFTER)}"
    " FROM (SELECT value FROM json_each(?2)) w CROSS JOIN long_term_memories a ON a.id = w.value"
    f" WHERE a.origin_session IS NOT NULL AND ({MEMORY_TABLES.live.replace('m.', 'a.')} OR NOT ?1)"
    " AND a.scope IN (SELECT value FROM json_each(?3)) ORDER BY a.id"
)


def neighbours(
    connection: apsw.Connection, scopes: tuple[str, ...], ids: Sequence[int], *, live_only: bool
) -> dict[int, Neighbours]:
    """The neighbours of each of these memories that comes from a conversation, and of those beside it. However long the
    conversation is, only what stands around them is read."""
    found: dict[int, Neighbours] = {}
    rows: Sequence[Row] = connection.execute(
        _WITH_NEIGHBOURS, (live_only, to_json(list(ids)), to_json(list(scopes)))
    ).fetchall()
    for number, earlier, later in rows:
        before = _numbers(earlier)[::-1]
        window, at = [*before, number, *_numbers(later)], len(before)
        found |= {window[near]: _beside(window, near) for near in range(max(0, at - 1), min(at + 2, len(window)))}
    return found


def _numbers(joined: str | None) -> list[int]:
    return [int(each) for each in joined.split(",")] if joined else []


def _beside(said: Sequence[int], at: int) -> Neighbours:
    return Neighbours(
        before=said[at - 1] if at >= 1 else None,
        after=said[at + 1] if at + 1 < len(said) else None,
        before_that=said[at - 2] if at >= 2 else None,
    )


class SQLiteLists:
    """The port `Lists` on a connection."""

    def __init__(self, connection: apsw.Connection, own: str, scopes: tuple[str, ...]) -> None:
        self._connection = connection
        self._own = own
        self._scopes = scopes

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
        return neighbours(self._connection, self._scopes, ids, live_only=live_only)

    def short_term(self, session_id: str, now: datetime, ttl_days: int, limit: int) -> list[ShortTerm]:
        rows = self._connection.execute(
            "SELECT id, session_id, round, content, question, trusted, tokens, created_at"
            " FROM short_term_memories WHERE scope = ? AND created_at >= ?"
            " ORDER BY session_id = ? DESC, id DESC LIMIT ?",
            (self._own, timestamp(now - timedelta(days=ttl_days)), session_id, limit),
        )
        return [
            ShortTerm(
                row[0], row[1], row[2], row[3], row[4], bool(row[5]), frozenset(row[6].split()),
                parse_timestamp(row[7]),
            )
            for row in rows
        ]  # fmt: skip


RANDOM_SAMPLE = 400
"""How many vectors measure the noise. Chosen by hand."""
SPARE = 2
"""So many times as many memories are drawn first, for some have no vector yet. Chosen by hand."""


class SQLiteVectors:
    """The port `Vectors` on a connection."""

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
        sought = Sought(self._tables.of(kind), self._scopes, model, vector_index.unit(vector), limit, which)
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
        return vector_index.cosines(dict(rows), vector_index.unit(vector))

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
        return vector_index.random_cosines([blob for (blob,) in rows if isinstance(blob, bytes)], pairs, seed)

    def drop(self, record_type: RecordType[Any], record_id: int) -> None:
        vector_index.drop_vectors(self._connection, [record_id], self._tables.of(record_type.kind))

    def forget(self, texts: Iterable[str]) -> None:
        forget_vectors(self._connection, texts)

    def set_live(self, ref: Ref, is_live: bool) -> None:
        vector_index.set_live(self._connection, ref.id, is_live, self._tables.of(ref.kind))
