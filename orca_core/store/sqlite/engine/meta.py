"""Reads and writes what a database notes of itself in its table `meta`; counts rows."""

from __future__ import annotations

from typing import Any

import apsw


def meta(connection: apsw.Connection, key: str) -> str | None:
    """Return what the database notes under a key; None where it notes nothing."""
    row = connection.execute("SELECT value FROM meta WHERE key = ?", (key,)).fetchone()
    return None if row is None else str(row[0])


def set_meta(connection: apsw.Connection, key: str, value: str) -> None:
    connection.execute("INSERT OR REPLACE INTO meta (key, value) VALUES (?, ?)", (key, value))


def drop_meta(connection: apsw.Connection, *keys: str) -> None:
    connection.executemany("DELETE FROM meta WHERE key = ?", [(key,) for key in keys])


def count_of(connection: apsw.Connection, what: str, *bindings: Any) -> int:
    """Count rows: `what` is the statement from the table on."""
    [[count]] = connection.execute(f"SELECT count(*) FROM {what}", bindings).fetchall()
    return int(str(count))
