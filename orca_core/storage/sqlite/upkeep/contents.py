"""What a database file holds, of whatever schema: how many rows, and of the records that people know."""

from __future__ import annotations

import apsw

from orca_core.storage.sqlite.memories.gone import IS_GONE
from orca_core.storage.sqlite.upkeep.differing import KINDS

_TABLES = "SELECT name FROM sqlite_schema WHERE type = 'table' AND rootpage > 0 ORDER BY name"


def rows_of_all(connection: apsw.Connection) -> dict[str, int]:
    """How many rows stand in each table that has pages of its own."""
    tables = [str(name) for (name,) in connection.execute(_TABLES).fetchall()]
    return {table: _count(connection, f'SELECT count(*) FROM "{table}"') for table in tables}


def counts(connection: apsw.Connection) -> dict[str, int]:
    """How many records of each kind there are that nobody deleted; of kinds that this schema knows."""
    there = {str(name) for (name,) in connection.execute(_TABLES).fetchall()}
    return {
        kind: _count(connection, f"SELECT count(*) FROM {each.table} WHERE NOT ({IS_GONE}) AND {each.where}")
        for kind, each in KINDS.items()
        if each.table in there
    }


def _count(connection: apsw.Connection, query: str) -> int:
    [number] = connection.execute(query).fetchone() or (0,)
    return int(str(number))


def newest_round(connection: apsw.Connection) -> str | None:
    """When the newest round began."""
    row = connection.execute(f"SELECT max(started_at) FROM rounds WHERE NOT ({IS_GONE})").fetchone()
    return None if row is None or row[0] is None else str(row[0])
