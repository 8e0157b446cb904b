"""vec_long_term_memories beside the rows that it is an index of: what a change of a memory means for it."""

from __future__ import annotations

from collections.abc import Sequence

import apsw


def drop_vectors(connection: apsw.Connection, ids: Sequence[int]) -> None:
    """What was embedded is no longer what the memory says."""
    for memory_id in ids:
        connection.execute("DELETE FROM vectors WHERE kind = 'memory' AND id = ?", (memory_id,))
        if has_vector_index(connection):
            connection.execute("DELETE FROM vec_long_term_memories WHERE id = ?", (memory_id,))


def set_live(connection: apsw.Connection, memory_id: int, is_live: bool) -> None:
    if has_vector_index(connection):
        connection.execute("UPDATE vec_long_term_memories SET live = ? WHERE id = ?", (int(is_live), memory_id))


def has_vector_index(connection: apsw.Connection) -> bool:
    row = connection.execute("SELECT 1 FROM sqlite_schema WHERE name = 'vec_long_term_memories'").fetchone()
    return row is not None
