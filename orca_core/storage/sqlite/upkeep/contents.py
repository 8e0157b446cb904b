"""What a database file holds, of whatever schema: all its rows to compare, and the records that people know."""

from __future__ import annotations

from collections.abc import Mapping

import apsw

from orca_core.storage.sqlite.memories.gone import IS_GONE

_TABLES = "SELECT name FROM sqlite_schema WHERE type = 'table' AND rootpage > 0 ORDER BY name"
_COUNTED: Mapping[str, tuple[str, str]] = {
    "sessions": ("sessions", ""),
    "rounds": ("rounds", " AND replaced_by IS NULL"),
    "memories": ("long_term_memories", ""),
    "episodes": ("episodes", ""),
    "knowledge": ("knowledge", ""),
    "guides": ("guides", ""),
    "tasks": ("tasks", ""),
    "actions": ("actions", ""),
    "tool_calls": ("tool_calls", ""),
}
"""Kinds in every profile, with their table and a further condition."""


def rows_of_all(connection: apsw.Connection) -> dict[str, int]:
    """How many rows stand in each table that has pages of its own."""
    tables = [str(name) for (name,) in connection.execute(_TABLES).fetchall()]
    return {table: _count(connection, f'SELECT count(*) FROM "{table}"') for table in tables}


def counts(connection: apsw.Connection) -> dict[str, int]:
    """How many records of each kind there are that nobody deleted; of kinds that this schema knows."""
    there = {str(name) for (name,) in connection.execute(_TABLES).fetchall()}
    return {
        kind: _count(connection, f"SELECT count(*) FROM {table} WHERE NOT ({IS_GONE}){further}")
        for kind, (table, further) in _COUNTED.items()
        if table in there
    }


def _count(connection: apsw.Connection, query: str) -> int:
    [number] = connection.execute(query).fetchone() or (0,)
    return int(str(number))
