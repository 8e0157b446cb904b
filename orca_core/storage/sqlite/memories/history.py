"""Operations and what they changed; undo and redo."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime

import apsw

from orca_core.domain.errors import InvalidInput, NotFound
from orca_core.domain.memories import Actor, Change, Memory, Operation, OperationHeader, Undone
from orca_core.domain.stores import PlanUndo
from orca_core.domain.times import parse_timestamp
from orca_core.rules.keeping import undo
from orca_core.storage.sqlite.engine.rows import Row, fields_from_json, to_json
from orca_core.storage.sqlite.engine.scope import Scope, among
from orca_core.storage.sqlite.memories import changes

OPERATIONS = "SELECT id, actor, action, at, session_id, round, undoes, undone_by FROM operations WHERE scope = ?"
CHANGES_OF_ALL = (
    "SELECT h.operation, h.memory_id, o.at, o.actor, o.action, h.before, h.after"
    " FROM memory_history h JOIN operations o ON o.id = h.operation"
    " JOIN long_term_memories m ON m.id = h.memory_id AND m.scope = o.scope WHERE {}"
)
CHANGES = CHANGES_OF_ALL.format("o.scope = ?")
_BY = " AND actor IN (SELECT value FROM json_each(?))"
_UNDOABLE = _BY + " AND action <> 'delete' AND undoes IS NULL AND undone_by IS NULL"
_DELETES = _BY + " AND action = 'delete'"
_REDOABLE = _BY + " AND undoes IS NOT NULL AND undone_by IS NULL AND action = 'undo'"
_OWN = to_json([actor.value for actor in undo.OWN_ACTORS])
_MACHINES = to_json([actor.value for actor in undo.MACHINES])


class SQLiteHistory:
    """The operations of one scope."""

    def __init__(self, scope: Scope) -> None:
        self._scope = scope

    async def history(self, memory_id: int) -> list[Change]:
        def read(connection: apsw.Connection) -> list[Change]:
            if not changes.memories_among(connection, self._scope.all, [memory_id]):
                raise NotFound(what="memory", id=memory_id)
            rows = connection.execute(
                CHANGES_OF_ALL.format(among("o.scope", self._scope.all)) + " AND h.memory_id = ? ORDER BY h.id",
                (*self._scope.all, memory_id),
            )
            return [change_from_row(row) for row in rows]

        return await self._scope.read(read)

    async def operations(self, limit: int) -> list[Operation]:
        def read(connection: apsw.Connection) -> list[Operation]:
            rows = connection.execute(OPERATIONS + " ORDER BY id DESC LIMIT ?", (self._scope.own, limit))
            return [operation_from_row(row) for row in rows]

        return await self._scope.read(read)

    async def changes_of(self, operations: Sequence[int]) -> list[Change]:
        def read(connection: apsw.Connection) -> list[Change]:
            rows = connection.execute(
                CHANGES + " AND h.operation IN (SELECT value FROM json_each(?)) ORDER BY h.id",
                (self._scope.own, to_json(list(operations))),
            )
            return [change_from_row(row) for row in rows]

        return await self._scope.read(read)

    async def undo(self, operation: int | None, at: datetime, plan: PlanUndo) -> Undone:
        def write(connection: apsw.Connection) -> Undone:
            target = self._find(connection, operation, _UNDOABLE)
            if target.header.action == "delete":
                raise InvalidInput(template="operation {id} is a delete, which is for good", id=target.id)
            if target.undone_by is not None:
                raise InvalidInput(
                    template="operation {id} was taken back already, by operation {by}",
                    hint="orca memory redo brings it again",
                    id=target.id,
                    by=target.undone_by,
                )
            undone = take_back(connection, self._scope.own, target.id, OperationHeader(Actor.USER, "undo", at), plan)
            if operation is not None:
                return undone
            return replace(
                undone,
                offered=self._latest(connection, _UNDOABLE, _MACHINES, target.id),
                passed_over=self._latest(connection, _DELETES, _OWN, target.id),
            )

        return await self._scope.write(write)

    async def redo(self, operation: int | None, at: datetime, plan: PlanUndo) -> Undone:
        def write(connection: apsw.Connection) -> Undone:
            target = self._find(connection, operation, _REDOABLE)
            if target.header.action != "undo":
                raise InvalidInput(template="operation {id} is no undo", id=target.id)
            if target.undone_by is not None:
                raise InvalidInput(template="operation {id} was done again already", id=target.id)
            return take_back(connection, self._scope.own, target.id, OperationHeader(Actor.USER, "redo", at), plan)

        return await self._scope.write(write)

    def _find(self, connection: apsw.Connection, operation: int | None, which: str) -> Operation:
        if operation is not None:
            row = connection.execute(OPERATIONS + " AND id = ?", (self._scope.own, operation)).fetchone()
            if row is None:
                raise NotFound(what="operation", id=operation)
            return operation_from_row(row)
        if found := self._latest(connection, which, _OWN):
            return found
        machine = self._latest(connection, _UNDOABLE, _MACHINES) if which is _UNDOABLE else None
        if machine is not None:
            raise NotFound(
                template="there is nothing of yours to take back",
                hint="orca memory undo {id} takes back what Orca did itself: {action}",
                what="operation",
                id=machine.id,
                action=machine.header.action,
            )
        raise NotFound(template="there is nothing to take back", what="operation", id="")

    def _latest(self, connection: apsw.Connection, which: str, actors: str, after: int = 0) -> Operation | None:
        row = connection.execute(
            OPERATIONS + which + " AND id > ? ORDER BY id DESC LIMIT 1", (self._scope.own, actors, after)
        ).fetchone()
        return None if row is None else operation_from_row(row)


def take_back(
    connection: apsw.Connection, scope: str, operation: int, header: OperationHeader, plan: PlanUndo
) -> Undone:
    """Undo one operation as another one, inside the caller's transaction."""
    target = operation_from_row(connection.execute(OPERATIONS + " AND id = ?", (scope, operation)).fetchone())
    made = changes_of(connection, scope, operation)
    current = {memory.id: memory for memory in memories_of(connection, scope, operation)}
    planned = plan(made, current)
    number, memories = changes.apply_changes(connection, scope, header, planned.restore, undoes=operation)
    if number is None:
        number = changes.new_operation(connection, scope, header, undoes=operation)
    _mark_taken_back(connection, operation, number)
    later = _later(connection, scope, operation, number)
    return Undone(number, target, tuple(memories), planned.conflicts, later)


def changes_of(connection: apsw.Connection, scope: str, operation: int) -> list[Change]:
    """What the operation did to the memories that are there."""
    rows = connection.execute(CHANGES + " AND h.operation = ? ORDER BY h.id", (scope, operation))
    return [change_from_row(row) for row in rows]


def _later(connection: apsw.Connection, scope: str, operation: int, before: int) -> tuple[Operation, ...]:
    """What touched the same memories after the operation, and stands."""
    rows = connection.execute(
        OPERATIONS + " AND id > ? AND id < ? AND undone_by IS NULL AND undoes IS NULL AND id IN"
        " (SELECT h.operation FROM memory_history h WHERE h.memory_id IN"
        "  (SELECT memory_id FROM memory_history WHERE operation = ?)) ORDER BY id",
        (scope, operation, before, operation),
    )
    return tuple(operation_from_row(row) for row in rows)


def _mark_taken_back(connection: apsw.Connection, operation: int, by: int) -> None:
    """Note who took the operation back. What it had itself taken back stands again, and so on down the line."""
    below: int | None = operation
    is_taken_back = True
    while below is not None:
        connection.execute("UPDATE operations SET undone_by = ? WHERE id = ?", (by if is_taken_back else None, below))
        [undoes] = connection.execute("SELECT undoes FROM operations WHERE id = ?", (below,)).fetchone() or (None,)
        by, below = below, undoes
        is_taken_back = not is_taken_back


def memories_of(connection: apsw.Connection, scope: str, operation: int) -> list[Memory]:
    """The memories that an operation changed, as they are now."""
    ids = [
        memory_id
        for (memory_id,) in connection.execute(
            "SELECT memory_id FROM memory_history WHERE operation = ? ORDER BY id", (operation,)
        )
    ]
    return changes.memories_there(connection, scope, ids)


def operation_from_row(row: Row | None) -> Operation:
    assert row is not None
    header = OperationHeader(Actor(row[1]), row[2], parse_timestamp(row[3]), row[4], row[5])
    return Operation(row[0], header, row[6], row[7])


def change_from_row(row: Row) -> Change:
    before = None if row[5] is None else fields_from_json(row[5])
    return Change(row[0], row[1], parse_timestamp(row[2]), Actor(row[3]), row[4], before, fields_from_json(row[6]))
