"""Keyed hashes of the texts of deleted memories: a text can be recognised by them, and not read."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime

import apsw

from orca_core.domain.times import timestamp
from orca_core.storage.sqlite.index import text_keys


def lay(connection: apsw.Connection, scope: str, statements: Iterable[str], at: datetime) -> None:
    """Store the hashes of deleted statements. They are folded before; the latest time counts."""
    key_of = text_keys.hasher(connection)
    connection.executemany(
        "INSERT OR REPLACE INTO tombstones (scope, digest, at) VALUES (?, ?, ?)",
        [(scope, key_of(statement), timestamp(at)) for statement in statements],
    )


def is_laid(connection: apsw.Connection, scope: str, statement: str) -> bool:
    """Whether it was deleted in this scope, in these words or in others that fold to the same."""
    digest = text_keys.hasher(connection)(statement)
    row = connection.execute("SELECT 1 FROM tombstones WHERE scope = ? AND digest = ?", (scope, digest)).fetchone()
    return row is not None
