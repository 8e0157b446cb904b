"""How SQLite carries out what is asked of a connection: by which indexes, walking through what, sorting what."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any

import apsw
from msgspec import Struct

from orca_core.operations.stores import Stores
from orca_core.store.sqlite.engine.database import Database, Work

_READS = ("SELECT", "WITH")


class Plan(Struct, frozen=True):
    """The steps of all statements that read."""

    steps: tuple[str, ...]

    @property
    def walks(self) -> list[str]:
        """Steps that read a table or an index from its beginning to its end; values that were given do not count."""
        scans = [each for each in self.steps if each.startswith("SCAN") and each != "SCAN CONSTANT ROW"]
        return [each for each in scans if "VIRTUAL TABLE" not in each]

    @property
    def sorts(self) -> list[str]:
        """Steps that read all before the first row comes out."""
        return [each for each in self.steps if "TEMP B-TREE FOR ORDER BY" in each]

    def uses(self, index: str) -> bool:
        return any(f"INDEX {index} " in f"{each} " for each in self.steps)


def plan_of(connection: apsw.Connection, work: Callable[[], object]) -> Plan:
    """The plan of what the work asks of this connection."""
    said: list[tuple[str, Any]] = []

    def note(_cursor: apsw.Cursor, text: str, bindings: Any) -> bool:
        said.append((text, bindings))
        return True

    connection.exec_trace = note
    try:
        work()
    finally:
        connection.exec_trace = None
    steps = [
        str(row[3])
        for text, bindings in said
        if text.lstrip().upper().startswith(_READS)
        for row in connection.execute(f"EXPLAIN QUERY PLAN {text}", bindings)
    ]
    assert steps, "nothing was asked"
    return Plan(tuple(steps))


async def plan_of_reads(stores: Stores, ask: Callable[[], Awaitable[object]]) -> Plan:
    """The plan of what stores read on the database while they are asked."""
    database = stores.upkeep._scope._database  # type: ignore[attr-defined]
    assert isinstance(database, Database)
    read, steps = database.read, []

    async def noted(work: Work[Any]) -> object:
        def followed(connection: apsw.Connection) -> object:
            came: list[object] = []
            steps.extend(plan_of(connection, lambda: came.append(work(connection))).steps)
            return came[0]

        return await read(followed)

    database.read = noted  # type: ignore[method-assign, assignment]
    try:
        await ask()
    finally:
        database.read = read  # type: ignore[method-assign]
    return Plan(tuple(steps))
