"""The index of cues: a row, words and a vector each. It follows from the `cues` of the memories."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

import apsw

from orca_core.domain.memories import CuesBy, Memory
from orca_core.domain.ports import Vector
from orca_core.domain.recall import CueHit, TokenStatistics, VectorHit
from orca_core.domain.refs import memory_ref
from orca_core.storage.sqlite.engine.rows import MEMORY_COLUMNS, memory_from_row, to_json
from orca_core.storage.sqlite.engine.scope import Scope
from orca_core.storage.sqlite.index import by_words, float16, vector_table, words
from orca_core.storage.sqlite.index.tables import CUE_TABLES
from orca_core.storage.sqlite.index.vector_index import Sought
from orca_core.storage.sqlite.index.vector_search import VectorSearch

CueTerms = Callable[[str], Sequence[str]]
"""The rule that chooses the words by which a cue is found (`rules.text.cues.cue_terms`)."""

CUES_A_MEMORY = 4
"""Of so many nearest cues for each memory that is wanted, several may be of one memory. Chosen by hand."""

_WAITING = f"""
    SELECT {MEMORY_COLUMNS} FROM long_term_memories m
    WHERE m.scope = ?1 AND m.state = 'live' AND m.cues_by IS NULL AND NOT EXISTS (
        SELECT 1 FROM memory_history h JOIN operations o ON o.id = h.operation
        WHERE h.memory_id = m.id AND h.kind = 'memory' AND o.action = 'cues' AND o.undone_by IS NOT NULL
    ) ORDER BY m.weight DESC, m.id LIMIT ?2
"""


def put_cues(
    connection: apsw.Connection, scope: str, memory_id: int, cues: Sequence[str], is_live: bool, cue_terms: CueTerms
) -> None:
    """Make these the cues of a memory; those that it had already keep their rows and vectors."""
    rows = connection.execute("SELECT id, cue FROM memory_cues WHERE memory_id = ?", (memory_id,)).fetchall()
    there = {str(cue): int(str(number)) for number, cue in rows}
    _drop(connection, [number for cue, number in there.items() if cue not in cues])
    for cue, number in there.items():
        if cue in cues:
            connection.execute("UPDATE memory_cues SET live = ? WHERE id = ?", (int(is_live), number))
            vector_table.set_live(connection, number, is_live, CUE_TABLES)
    for cue in cues:
        if cue not in there:
            tokens = " ".join(cue_terms(cue))
            connection.execute(
                "INSERT INTO memory_cues (scope, memory_id, cue, tokens, live) VALUES (?, ?, ?, ?, ?)",
                (scope, memory_id, cue, tokens, int(is_live)),
            )
            words.put_words(connection, scope, connection.last_insert_rowid(), tokens, CUE_TABLES)


def drop_cues(connection: apsw.Connection, memory_ids: Sequence[int]) -> None:
    """Drop all cues of memories that are deleted: rows, words and vectors."""
    rows = connection.execute(
        "SELECT id FROM memory_cues WHERE memory_id IN (SELECT value FROM json_each(?))", (to_json(list(memory_ids)),)
    )
    _drop(connection, [int(str(number)) for (number,) in rows.fetchall()])


def _drop(connection: apsw.Connection, numbers: Iterable[int]) -> None:
    for number in numbers:
        words.drop_words(connection, number, CUE_TABLES)
        vector_table.drop_vectors(connection, [number], CUE_TABLES)
        connection.execute("DELETE FROM memory_cues WHERE id = ?", (number,))


class SQLiteCues:
    """The cues of one scope, read with those of the scopes shared with it."""

    def __init__(self, scope: Scope, vectors: VectorSearch) -> None:
        self._scope = scope
        self._vectors = vectors

    async def waiting(self, limit: int) -> list[Memory]:
        def read(connection: apsw.Connection) -> list[Memory]:
            return [memory_from_row(row) for row in connection.execute(_WAITING, (self._scope.own, limit))]

        return await self._scope.read(read)

    async def by_tokens(self, tokens: Sequence[str], limit: int) -> list[CueHit]:
        def read(connection: apsw.Connection) -> list[CueHit]:
            hits = by_words.nearest(connection, CUE_TABLES, self._scope.all, tokens, limit, live_only=True)
            rows = connection.execute(
                "SELECT c.memory_id, c.tokens, m.cues_by = ? FROM json_each(?) wanted"
                " CROSS JOIN memory_cues c ON c.id = wanted.value JOIN long_term_memories m ON m.id = c.memory_id",
                (CuesBy.USER.value, to_json([hit.ref.id for hit in hits])),
            )
            return [CueHit(memory_ref(row[0]), frozenset(row[1].split()), bool(row[2])) for row in rows]

        return await self._scope.read(read) if tokens else []

    async def by_vector(self, model: str, vector: Vector, limit: int) -> list[VectorHit]:
        sought = Sought(CUE_TABLES, self._scope.all, model, float16.unit(vector), CUES_A_MEMORY * limit, live_only=True)

        def read(connection: apsw.Connection) -> list[VectorHit]:
            near = self._vectors.nearest(connection, sought)
            numbers = to_json([hit.ref.id for hit in near])
            owners = dict(
                connection.execute(
                    "SELECT id, memory_id FROM memory_cues WHERE id IN (SELECT value FROM json_each(?))", (numbers,)
                )
            )
            best: dict[int, float] = {}
            for hit in near:
                best.setdefault(owners[hit.ref.id], hit.cosine)
            return [VectorHit(memory_ref(owner), cosine) for owner, cosine in best.items()][:limit]

        found = await self._scope.read(read)
        self._vectors.after_a_search()
        return found

    async def statistics(self, tokens: Sequence[str]) -> TokenStatistics:
        def read(connection: apsw.Connection) -> TokenStatistics:
            # Counting the rows would cost a millisecond at 60,000; numbers are given upwards, so the last one is near.
            [cues] = connection.execute("SELECT coalesce(max(id), 0) FROM memory_cues").fetchone() or (0,)
            return TokenStatistics(cues, by_words.frequencies(connection, CUE_TABLES, self._scope.all, tokens))

        return await self._scope.read(read)
