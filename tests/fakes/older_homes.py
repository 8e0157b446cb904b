"""Databases of before: the first Orca's, and one of the last schema before `schema.sql` with records of every kind."""

from __future__ import annotations

import lzma
from pathlib import Path

import apsw

from orca_core.store.sqlite.engine.connection import load_vectors

_TESTS = Path(__file__).parent.parent
V1 = (_TESTS / "store" / "fixtures" / "v1.sql").read_text(encoding="utf-8")
SCHEMA_16 = _TESTS / "data" / "home_of_schema_16.db.xz"
"""Made with commands and stores of the commit tagged schema-16: chats with the demo, tasks,
tools, acts, an import."""


def of_the_first_orca(path: Path) -> Path:
    connection = apsw.Connection(str(path))
    for _ in connection.execute(V1):
        pass
    connection.close()
    return path


def of_schema_16(path: Path) -> Path:
    path.write_bytes(lzma.decompress(SCHEMA_16.read_bytes()))
    return path


def connected(path: Path) -> apsw.Connection:
    """A look into it beside Orca."""
    connection = apsw.Connection(str(path))
    load_vectors(connection)
    return connection
