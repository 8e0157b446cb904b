"""The history rows of one operation: one a record, however often it changes the record."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from orca_core.domain.memories import Fields
from orca_core.domain.refs import Ref
from orca_core.domain.stores.rows import Condition, Rows, is_
from orca_core.journal.columns import to_json

_TABLE = "memory_history"


class Noted:
    """What an operation has noted of each record, and notes further."""

    def __init__(self, rows: Rows) -> None:
        self._rows = rows
        self._noted: dict[Ref, tuple[Mapping[str, Any] | None, Mapping[str, Any]]] = {}

    def note(self, operation: int, ref: Ref, before: Mapping[str, Any] | None, after: Fields) -> None:
        """Write the change of a record into the history."""
        if ref in self._noted:
            first, then = self._noted[ref]
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

    def begin_anew(self, ref: Ref, fields: Mapping[str, Any]) -> None:
        """Forget what the record was: it is made by this operation."""
        self._rows.delete(_TABLE, *_of(ref))
        self._noted[ref] = (None, fields)


def _of(ref: Ref) -> tuple[Condition, Condition]:
    return is_("kind", ref.kind.name), is_("memory_id", ref.id)
