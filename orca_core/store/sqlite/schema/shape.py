"""Checks that a database that came from elsewhere has the tables that Orca's steps make. SQL that stands in a file runs
when its rows are touched: triggers, views, defaults."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

import apsw

from orca_core.model.errors import StoreForeign
from orca_core.store.sqlite.engine.connection import load_vectors
from orca_core.store.sqlite.engine.failures import damaged
from orca_core.store.sqlite.schema.migrations import FIRST, STEPS, check_is_ours, version_of

_OBJECTS = "SELECT type, name, sql FROM sqlite_schema"
_THAT_RUN = frozenset({"trigger", "view"})

_TOKEN = re.compile(r"""(--[^\n]*|/\*.*?\*/)|'(?:[^']|'')*'|"(?:[^"]|"")*"|\w+|[^\w\s]""", re.DOTALL)
_QUOTED_NAME = re.compile(r'"([A-Za-z_]\w*)"')

Shape = dict[tuple[str, str], tuple[str, ...]]
"""What makes each table, index, trigger and view, by its type and name, in tokens."""


def check_shape(connection: apsw.Connection, path: Path) -> None:
    """Raises what `check_is_ours` does, StoreForeign for triggers and views that are none of Orca's, StoreDamaged where
    one of its own tables is not as its version has it. Tables of further kinds may be there."""
    check_is_ours(connection, path)
    there, own = _shape(connection), _made_by(version_of(connection))
    for (kind, name), sql in there.items():
        if kind in _THAT_RUN and own.get((kind, name)) != sql:
            raise StoreForeign(path=path, detail=f"it holds a {kind} that is none of Orca's: {name[:80]}")
    for (kind, name), sql in own.items():
        if there.get((kind, name)) != sql:
            what = "is missing" if (kind, name) not in there else "is another"
            raise damaged(path, f"its {kind} {name} {what}")


def tokens_of(sql: str) -> tuple[str, ...]:
    """Cut a statement into what SQLite reads in it, without blanks, comments, and the quotes round a plain name that
    ALTER TABLE adds."""
    tokens = (found[0] for found in _TOKEN.finditer(sql) if not found[1])
    return tuple(name[1] if (name := _QUOTED_NAME.fullmatch(each)) else each for each in tokens)


def _shape(connection: apsw.Connection) -> Shape:
    rows = connection.execute(_OBJECTS)
    return {(str(kind), str(name)): tokens_of(str(sql or "")) for kind, name, sql in rows}


@cache
def _made_by(version: int) -> Shape:
    """What the steps up to a version make. The first Orca's tables, before any of them, are looked for elsewhere."""
    if not version:
        return {}
    connection = apsw.Connection(":memory:")
    try:
        load_vectors(connection)
        for step in STEPS[: max(version, FIRST) - FIRST + 1]:
            step(connection)
        return _shape(connection)
    finally:
        connection.close()
