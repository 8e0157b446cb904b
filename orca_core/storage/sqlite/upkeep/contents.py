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


_NAMES: Mapping[str, str] = {
    "sessions": "scope, id, created_at",
    "rounds": "scope, session_id, number, attempt, started_at",
    "tool_calls": "scope, identity",
}
"""What is the same in two databases; where nothing is said, a record's `uid`."""


def compared(connection: apsw.Connection, attached: str) -> dict[str, tuple[int, int]]:
    """How many records of each kind stand in the attached database alone, and in the main one alone; of kinds that both
    know."""
    return {
        kind: (_only_in(connection, attached, "main", kind), _only_in(connection, "main", attached, kind))
        for kind, (table, _further) in _COUNTED.items()
        if all(_knows(connection, schema, table) for schema in ("main", attached))
    }


def newest_round(connection: apsw.Connection) -> str | None:
    """When the newest round began."""
    row = connection.execute(f"SELECT max(started_at) FROM rounds WHERE NOT ({IS_GONE})").fetchone()
    return None if row is None or row[0] is None else str(row[0])


def _only_in(connection: apsw.Connection, one: str, other: str, kind: str) -> int:
    table, further = _COUNTED[kind]
    names = _NAMES.get(kind, "scope, uid")
    first, second = (f"SELECT {names} FROM {schema}.{table} WHERE NOT ({IS_GONE}){further}" for schema in (one, other))
    return _count(connection, f"SELECT count(*) FROM ({first} EXCEPT {second})")


def _knows(connection: apsw.Connection, schema: str, table: str) -> bool:
    there = connection.execute(f"SELECT 1 FROM {schema}.sqlite_schema WHERE type = 'table' AND name = ?", (table,))
    return there.fetchone() is not None
