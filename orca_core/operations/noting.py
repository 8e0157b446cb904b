"""The history rows of one operation: one a record, however often it changes the record."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from orca_core.model.memories import Fields
from orca_core.model.records import Ref
from orca_core.operations.columns import fields_from_json, to_json
from orca_core.store.ports import Condition, Rows, any_of, is_

_TABLE = "memory_history"
_COLUMNS = ("operation", "kind", "memory_id", "before", "after")

Noting = tuple[Ref, Mapping[str, Any] | None, Fields]
"""A record, the fields that changed as they were, None for a new record, and as they are."""


class Noted:
    """What an operation has noted of each record, and notes further."""

    def __init__(self, rows: Rows, *, goes_on: bool = False) -> None:
        self._rows = rows
        self._goes_on = goes_on
        self._noted: dict[Ref, tuple[Mapping[str, Any] | None, Mapping[str, Any]]] = {}

    def note(self, operation: int, *changes: Noting) -> None:
        """Write changes, each of another record, into the history."""
        if self._goes_on:
            self._recall(operation, [ref for ref, _, _ in changes if ref not in self._noted])
        values = []
        for ref, held, fields in changes:
            before, after = held, fields
            if ref in self._noted:
                first, then = self._noted[ref]
                before = None if first is None else {**(held or {}), **first}
                after = {**then, **fields}
                self._rows.delete(_TABLE, is_("operation", operation), *_of(ref))
            self._noted[ref] = (before, after)
            was = None if before is None else to_json(before)
            values.append((operation, ref.kind.name, ref.id, was, to_json(after)))
        self._rows.insert_all(_TABLE, _COLUMNS, values)

    def _recall(self, operation: int, refs: Sequence[Ref]) -> None:
        """What earlier slices of the operation have noted."""
        for kind in dict.fromkeys(ref.kind for ref in refs):
            these = any_of("memory_id", [ref.id for ref in refs if ref.kind == kind])
            same = (is_("operation", operation), is_("kind", kind.name), these)
            for number, before, after in self._rows.select(_TABLE, ("memory_id", "before", "after"), *same):
                was = None if before is None else fields_from_json(before)
                self._noted[Ref(kind, number)] = (was, fields_from_json(after))

    def begin_anew(self, ref: Ref, fields: Mapping[str, Any]) -> None:
        """Forget what the record was: it is made by this operation."""
        self._rows.delete(_TABLE, *_of(ref))
        self._noted[ref] = (None, fields)


def _of(ref: Ref) -> tuple[Condition, Condition]:
    return is_("kind", ref.kind.name), is_("memory_id", ref.id)
