"""Whether a database that came from elsewhere has the tables that Orca's steps make. SQL that stands in a file runs
when its rows are touched: triggers, views, defaults."""

from __future__ import annotations

from pathlib import Path

import apsw

from orca_core.domain.errors import StoreForeign
from orca_core.storage.sqlite.engine.connection import load_vectors
from orca_core.storage.sqlite.engine.failures import damaged
from orca_core.storage.sqlite.schema.migrations import STEPS, check_is_ours, version_of

_OBJECTS = "SELECT type, name, sql FROM sqlite_schema"
_THAT_RUN = frozenset({"trigger", "view"})

Shape = dict[tuple[str, str], str | None]
"""What makes each table, index, trigger and view, by its type and name."""


def check_shape(connection: apsw.Connection, path: Path) -> None:
    """Raises StoreForeign and SchemaTooNew, as `check_is_ours` does, and for triggers and views that are none of
    Orca's; StoreDamaged where one of its own tables is not as its version has it. Tables of further kinds may be
    there."""
    check_is_ours(connection, path)
    there, own = _shape(connection), _made_by(version_of(connection))
    for (kind, name), sql in there.items():
        if kind in _THAT_RUN and own.get((kind, name)) != sql:
            raise StoreForeign(path=path, detail=f"it holds a {kind} that is none of Orca's: {name[:80]}")
    for (kind, name), sql in own.items():
        if there.get((kind, name)) != sql:
            what = "is missing" if (kind, name) not in there else "is another"
            raise damaged(path, f"its {kind} {name} {what}")


def _shape(connection: apsw.Connection) -> Shape:
    rows = connection.execute(_OBJECTS)
    return {(str(kind), str(name)): None if sql is None else str(sql) for kind, name, sql in rows}


def _made_by(version: int) -> Shape:
    """What the steps up to a version make. The first Orca's tables, before any of them, are looked for elsewhere."""
    connection = apsw.Connection(":memory:")
    try:
        load_vectors(connection)
        for step in STEPS[: max(version, 0)]:
            step(connection)
        return _shape(connection)
    finally:
        connection.close()
