"""Reads memories by number, inside a transaction of the caller."""

from __future__ import annotations

from collections.abc import Sequence

import apsw

from orca_core.model.memories import Memory
from orca_core.store.sqlite.engine.rows import MEMORY_COLUMNS, memory_from_row, to_json
from orca_core.store.sqlite.engine.scope import among


def memories_there(connection: apsw.Connection, scope: str, ids: Sequence[int]) -> list[Memory]:
    """The memories of this scope that exist, in the order asked."""
    return memories_among(connection, (scope,), ids)


def memories_among(connection: apsw.Connection, scopes: tuple[str, ...], ids: Sequence[int]) -> list[Memory]:
    """The memories of any of the scopes that exist, in the order asked."""
    rows = connection.execute(
        f"SELECT {MEMORY_COLUMNS} FROM long_term_memories"
        f" WHERE {among('+scope', scopes)} AND id IN (SELECT value FROM json_each(?))",
        (*scopes, to_json(list(ids))),
    )
    by_id = {row[0]: memory_from_row(row) for row in rows}
    return [by_id[memory_id] for memory_id in ids if memory_id in by_id]
