"""The history rows of one operation: one a record, however often it changes the record."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from orca_core.domain.memories import Fields
from orca_core.domain.refs import Ref
from orca_core.domain.stores.rows import Condition, Rows, is_
from orca_core.journal.columns import fields_from_json, to_json

_TABLE = "memory_history"


class Noted:
    """What an operation has noted of each record, and notes further."""

    def __init__(self, rows: Rows, *, goes_on: bool = False) -> None:
        self._rows = rows
        self._goes_on = goes_on
        self._noted: dict[Ref, tuple[Mapping[str, Any] | None, Mapping[str, Any]]] = {}

    def note(self, operation: int, ref: Ref, before: Mapping[str, Any] | None, after: Fields) -> None:
        """Write the change of a record into the history."""
        noted = self._noted.get(ref) or (self._noted_before(operation, ref) if self._goes_on else None)
        if noted is not None:
            first, then = noted
            before = None if first is None else {**(before or {}), **first}
            after = {**then, **after}
            self._rows.delete(_TABLE, is_("operation", operation), *_of(ref))
        self._noted[ref] = (before, after)
        values = {
            "operation": operation,
            "kind": ref.kind.name,
            "memory_id": ref.id,
            "before": None if before is None else to_json(before),
            "after": to_json(dict(after)),
        }
        self._rows.insert(_TABLE, values)

    def _noted_before(self, operation: int, ref: Ref) -> tuple[Mapping[str, Any] | None, Mapping[str, Any]] | None:
        """What an earlier slice of the operation has noted."""
        for before, after in self._rows.select(_TABLE, ("before", "after"), is_("operation", operation), *_of(ref)):
            return None if before is None else fields_from_json(before), fields_from_json(after)
        return None

    def begin_anew(self, ref: Ref, fields: Mapping[str, Any]) -> None:
        """Forget what the record was: it is made by this operation."""
        self._rows.delete(_TABLE, *_of(ref))
        self._noted[ref] = (None, fields)


def _of(ref: Ref) -> tuple[Condition, Condition]:
    return is_("kind", ref.kind.name), is_("memory_id", ref.id)
