"""Operations and what they changed, as rows; and how far an undo is that is under way."""

from __future__ import annotations

import json
from collections.abc import Container, Sequence
from typing import Any

from msgspec import Struct
from msgspec.structs import asdict, replace

from orca_core.model.errors import NotFound
from orca_core.model.memories import Memory
from orca_core.model.operations import Actor, Change, Conflict, Operation, OperationHeader, UnderWay
from orca_core.model.record_types import MEMORY, Kinds, Ref, parse_timestamp
from orca_core.operations.columns import fields_from_json, to_json
from orca_core.operations.records import RecordTypes, memories_there, records_there
from orca_core.store.ports import Condition, Row, Rows, is_, is_not

UNDER_WAY = is_not("under_way", None)
"""An operation that is done in slices, and not to its end yet."""
MOST_NAMED = 100
"""So many conflicts, and so many later operations, are kept to be named. Chosen by hand."""


class Progress(Struct, frozen=True):
    """It is at a step, behind a record of its kind. `owner` is the process that carries it on."""

    owner: str
    whole: int
    done: int = 0
    step: int = 0
    after: int = 0
    compared: int = 0
    leaves_ends: bool = False
    """Whether tasks and episodes stay as they are, for the end of one has moved on."""
    conflicts: tuple[Conflict, ...] = ()
    unnamed: int = 0
    later: tuple[int, ...] = ()
    """The newest operations that touched the same records since."""

    def with_conflicts(self, found: Sequence[Conflict]) -> Progress:
        named = (*self.conflicts, *found)
        unnamed = self.unnamed + max(0, len(named) - MOST_NAMED)
        return replace(self, conflicts=named[:MOST_NAMED], unnamed=unnamed)

    def with_later(self, operations: Sequence[int]) -> Progress:
        return replace(self, later=tuple(sorted({*self.later, *operations})[-MOST_NAMED:]))


def progress_to_column(progress: Progress) -> str:
    conflicts = [[each.ref.kind.name, each.ref.id, each.field, each.wanted, each.found] for each in progress.conflicts]
    return to_json({**asdict(progress), "conflicts": conflicts})


def progress_from_column(text: str, kinds: Kinds) -> Progress:
    fields: dict[str, Any] = json.loads(text)
    conflicts = tuple(Conflict(Ref(kinds.named(kind), number), *rest) for kind, number, *rest in fields["conflicts"])
    return Progress(**{**fields, "conflicts": conflicts, "later": tuple(fields["later"])})


def under_way_of(text: str | None) -> UnderWay | None:
    """How far the operation of this column is; None where it is done."""
    if text is None:
        return None
    fields = json.loads(text)
    return UnderWay(fields["done"], fields["whole"])


OPERATION = ("id", "actor", "action", "at", "session_id", "round", "undoes", "undone_by", "under_way")


def operation_of(rows: Rows, operation: int) -> Operation:
    """Raises NotFound."""
    found = rows.select("operations", OPERATION, is_("id", operation))
    if not found:
        raise NotFound(what="operation", id=operation)
    return operation_from_row(found[0])


def changes_of(
    rows: Rows, types: RecordTypes, operation: Operation, there: Container[Ref], among: Sequence[Condition] = ()
) -> list[Change]:
    """The changes of the operation to records that still exist; only rows `among` which these conditions hold are
    read."""
    columns = ("kind", "memory_id", "before", "after")
    made = rows.select("memory_history", columns, is_("operation", operation.id), *among, order=("id",))
    header = operation.header
    return [
        Change(
            operation.id,
            ref,
            header.at,
            header.actor,
            header.action,
            None if before is None else fields_from_json(before),
            fields_from_json(after),
        )
        for kind, number, before, after in made
        if (ref := Ref(types.named(kind), number)) in there
    ]


def touched_by(rows: Rows, types: RecordTypes, operation: int, most: int | None = None) -> list[Ref]:
    """The records that an operation changed, in its order, also deleted ones; the first so many."""
    changed = is_("operation", operation)
    touched = rows.select("memory_history", ("kind", "memory_id"), changed, order=("id",), limit=most)
    return [Ref(types.named(kind), number) for kind, number in touched]


def records_of(rows: Rows, types: RecordTypes, refs: Sequence[Ref]) -> dict[Ref, Any]:
    """The records that still exist, in the order asked, as they are now. Records of an unknown kind are skipped."""
    found: dict[Ref, Any] = {}
    for kind in dict.fromkeys(ref.kind for ref in refs if ref.kind in types):
        record_type = types.of(kind)
        there = records_there(rows, record_type, [ref.id for ref in refs if ref.kind == kind])
        found.update((record_type.ref(record), record) for record in there)
    return {ref: found[ref] for ref in refs if ref in found}


def memories_of(rows: Rows, types: RecordTypes, operation: int) -> list[Memory]:
    """The memories that an operation changed, as they are now."""
    return memories_there(rows, [ref.id for ref in touched_by(rows, types, operation) if ref.kind == MEMORY])


def operation_from_row(row: Row) -> Operation:
    """From the columns `OPERATION`."""
    header = OperationHeader(Actor(row[1]), row[2], parse_timestamp(row[3]), row[4], row[5])
    return Operation(row[0], header, row[6], row[7], under_way_of(row[8]))
