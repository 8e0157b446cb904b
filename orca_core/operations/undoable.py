"""Finds the latest operation that can be taken back, and what was done since and can not."""

from __future__ import annotations

from collections.abc import Collection
from typing import NoReturn

from orca_core.model.backups import RESTORED, kept_note
from orca_core.model.errors import InvalidInput, NotFound
from orca_core.model.operations import Actor, Operation, PassedOver
from orca_core.model.record_types import Kind, Ref
from orca_core.operations.operation_log import OPERATION, UNDER_WAY, operation_from_row, operation_of, records_of
from orca_core.operations.records import STANDS, RecordTypes
from orca_core.rules.memory import undo_rules
from orca_core.store.ports import Condition, Rows, above, any_of, below, is_, is_not

MOST_NAMED = 3
"""So many of those that were passed over are named, the newest ones."""
_AT_ONCE = 50
_DELETE = "delete"
_UNDOABLE = (is_not("action", _DELETE), *STANDS)


def latest_undoable(rows: Rows, types: RecordTypes) -> tuple[Operation, Operation | None, tuple[PassedOver, ...]]:
    """The latest act of a person of which something can be taken back, a machine's that came after it, and what was
    passed over. Raises NotFound; InvalidInput where there is nothing else than what is being taken back."""
    found, empty = _latest(rows, types, undo_rules.OWN_ACTORS)
    if found is None:
        _check_none_is_under_way(rows)
        _refuse(rows, types, empty)
    machines, _ = _latest(rows, types, undo_rules.MACHINES, found.id)
    passed = _passed(rows, found.id, empty)
    return found, machines, tuple(PassedOver(each, _kept(rows, each)) for each in passed[:MOST_NAMED])


def is_act_after(rows: Rows, types: RecordTypes, operation: int) -> bool:
    """Tell whether a person did something after the operation that can be taken back."""
    return _latest(rows, types, undo_rules.OWN_ACTORS, operation)[0] is not None


def _passed(rows: Rows, after: int, empty: list[Operation]) -> list[Operation]:
    """Newest first. Where a delete is named, what it left nothing of is not."""
    by = any_of("actor", [actor.value for actor in undo_rules.OWN_ACTORS])
    which = (by, is_("action", _DELETE), above("id", after))
    deletes = [operation_from_row(row) for row in rows.select("operations", OPERATION, *which, order=("-id",), limit=1)]
    deleted = max((each.id for each in deletes), default=0)
    unexplained = [each for each in empty if each.id > deleted or each.header.action == RESTORED]
    return sorted([*unexplained, *deletes], key=lambda each: each.id, reverse=True)


def check_is_done(operation: Operation) -> None:
    """Raises InvalidInput."""
    if operation.under_way is not None:
        raise InvalidInput(
            template="operation {id} is under way ({percent} %)",
            hint="it goes on by itself: wait until it is done",
            id=operation.id,
            percent=operation.under_way.percent,
        )


def _check_none_is_under_way(rows: Rows) -> None:
    """Raises InvalidInput."""
    for row in rows.select("operations", OPERATION, UNDER_WAY, order=("-id",), limit=1):
        check_is_done(operation_from_row(row))


def check_can_be_undone(rows: Rows, operation: Operation) -> None:
    """Raises InvalidInput."""
    if operation.header.action == "delete":
        raise InvalidInput(template="operation {id} is a delete, which is for good", id=operation.id)
    check_is_done(operation)
    if operation.undone_by is not None:
        check_is_done(operation_of(rows, operation.undone_by))
        raise InvalidInput(
            template="operation {id} was taken back already, by operation {by}",
            hint="orca memory redo brings it again",
            id=operation.id,
            by=operation.undone_by,
        )
    _check_touched(rows, operation)


def check_can_be_taken_back(rows: Rows, types: RecordTypes, operation: int) -> None:
    """Raises InvalidInput where nothing could be restored of a record: nothing is marked as taken back then."""
    if (unknown := _of_unknown_kind(rows, types, operation)) is not None:
        raise InvalidInput(
            template="operation {id} changed {ref}, and this Orca knows no records of the kind {what}",
            id=operation,
            ref=unknown,
            what=unknown.kind.name,
        )
    for record_type in types:
        if record_type.unmade is not None:
            continue
        lasting = _first_there(rows, types, operation, record_type.kind, is_("before", None))
        if lasting is not None:
            raise InvalidInput(
                template="operation {id} made {ref}, and the making of this kind can't be taken back: {what}",
                hint="delete it where it is to go",
                id=operation,
                ref=lasting,
                what=lasting.kind.name,
            )


def _check_touched(rows: Rows, operation: Operation) -> None:
    """Raises InvalidInput where nothing is left that an operation, named by its number, changed."""
    if rows.count("memory_history", is_("operation", operation.id)):
        return
    if operation.header.action == RESTORED:
        kept = _kept(rows, operation)
        raise InvalidInput(
            template="operation {id} restored a backup, which an undo can't take back",
            hint="orca restore {kept} does" if kept else "orca backup list names them",
            id=operation.id,
            kept=kept,
        )
    raise InvalidInput(template="operation {id} changed nothing that is still there", id=operation.id)


def _refuse(rows: Rows, types: RecordTypes, empty: list[Operation]) -> NoReturn:
    machine, _ = _latest(rows, types, undo_rules.MACHINES)
    if machine is not None:
        raise NotFound(
            template="there is nothing of yours to take back",
            hint="orca memory undo {id} takes back what Orca did itself: {action}",
            what="operation",
            id=machine.id,
            action=machine.header.action,
        )
    kept = next((kept for each in empty if (kept := _kept(rows, each))), "")
    raise NotFound(
        template="there is nothing to take back",
        hint="orca restore {kept} brings back what stood before you restored a backup" if kept else "",
        what="operation",
        id="",
        kept=kept,
    )


def _latest(
    rows: Rows, types: RecordTypes, actors: Collection[Actor], after: int = 0
) -> tuple[Operation | None, list[Operation]]:
    """The latest of which something is left, and the newest of those after it of which nothing is."""
    by = any_of("actor", [actor.value for actor in actors])
    empty: list[Operation] = []
    before: tuple[Condition, ...] = ()
    while found := rows.select(
        "operations", OPERATION, by, *_UNDOABLE, above("id", after), *before, order=("-id",), limit=_AT_ONCE
    ):
        for operation in map(operation_from_row, found):
            if _is_left(rows, types, operation.id):
                return operation, empty
            if len(empty) < MOST_NAMED:
                empty.append(operation)
        before = (below("id", found[-1][0]),)
    return None, empty


def _is_left(rows: Rows, types: RecordTypes, operation: int) -> bool:
    """Whether a record that it changed is there still, or is of a kind that this Orca does not know."""
    if _of_unknown_kind(rows, types, operation) is not None:
        return True
    return any(_first_there(rows, types, operation, each.kind) is not None for each in types)


def _of_unknown_kind(rows: Rows, types: RecordTypes, operation: int) -> Ref | None:
    """A record that the operation changed, of a kind that this Orca does not know."""
    unknown = (is_not("kind", each.kind.name) for each in types)
    found = rows.select("memory_history", ("kind", "memory_id"), is_("operation", operation), *unknown, limit=1)
    return next((Ref(types.named(kind), number) for kind, number in found), None)


def _first_there(rows: Rows, types: RecordTypes, operation: int, kind: Kind, *changed_so: Condition) -> Ref | None:
    """The first record of a kind, of those that the operation changed so, that is there still."""
    of_kind = (is_("operation", operation), is_("kind", kind.name), *changed_so)
    last = 0
    while found := rows.select(
        "memory_history", ("memory_id",), *of_kind, above("memory_id", last), order=("memory_id",), limit=_AT_ONCE
    ):
        there = records_of(rows, types, [Ref(kind, number) for (number,) in found])
        if there:
            return next(iter(there))
        [last] = found[-1]
    return None


def _kept(rows: Rows, operation: Operation) -> str:
    if operation.header.action != RESTORED:
        return ""
    found = rows.select("meta", ("value",), is_("key", kept_note(operation.id)), limit=1)
    return str(found[0][0]) if found else ""
