"""The index of cues: a row, words and a vector each. It follows from the `cues` of the memories."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

import apsw

from orca_core.domain.memories import Memory
from orca_core.storage.sqlite.engine.rows import MEMORY_COLUMNS, memory_from_row, to_json
from orca_core.storage.sqlite.engine.scope import Scope
from orca_core.storage.sqlite.index import vector_table, words
from orca_core.storage.sqlite.index.tables import CUE_TABLES

CueTerms = Callable[[str], Sequence[str]]
"""The rule that chooses the words by which a cue is found (`rules.text.cues.cue_terms`)."""

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


class SQLiteCueQueue:
    """Which memories of one scope wait for cues."""

    def __init__(self, scope: Scope) -> None:
        self._scope = scope

    async def waiting(self, limit: int) -> list[Memory]:
        def read(connection: apsw.Connection) -> list[Memory]:
            return [memory_from_row(row) for row in connection.execute(_WAITING, (self._scope.own, limit))]

        return await self._scope.read(read)
