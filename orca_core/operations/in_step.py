"""Keeps what a record is found by in step with its row, inside the transaction of an operation."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any

from orca_core.model.errors import InvalidInput
from orca_core.model.memories import Memory
from orca_core.model.records import RecordType, Ref
from orca_core.operations.edits import Edit
from orca_core.operations.said import said_at
from orca_core.store.ports import Rows, is_, is_not


class InStep:
    """The rows of records, their words and vectors, as an operation writes them."""

    def __init__(self, rows: Rows, at: datetime) -> None:
        self._rows = rows
        self._at = at

    def words_of(self, record_type: RecordType[Any], record: Any) -> Mapping[str, Any]:
        """The columns of the index in the row of a record."""
        if not record_type.is_indexed:
            return {}
        return self._rows.words.columns(record_type.text(record), self._dated(record_type, record))

    def write(self, edit: Edit) -> None:
        """The row of a record as it becomes. Raises InvalidInput where another says just that."""
        record_type, ref = edit.record_type, edit.ref
        if not edit.changes(record_type.text_column):
            self._rows.update(record_type.table, edit.columns, is_("id", ref.id))
            if record_type.live is not None and edit.changes_its_life:
                column, values_that_live = record_type.live
                self._rows.vectors.set_live(ref, edit.fields[column] in values_that_live)
            return
        text = edit.fields[record_type.text_column]
        if record_type.is_text_unique:
            self._check_text_is_free(record_type, ref, text)
        self._rows.words.drop(record_type, ref.id)
        self._rows.vectors.drop(record_type, ref.id)
        kept = self._rows.words.columns(text, self._dated(record_type, edit.before))
        self._rows.update(record_type.table, {**edit.columns, **kept}, is_("id", ref.id))
        self._rows.words.put(record_type, ref.id, kept)

    def write_rows(self, edits: Iterable[Edit]) -> None:
        """The rows of records of which nothing else has to follow: those with the same columns at once."""
        alike: dict[tuple[str, tuple[str, ...]], dict[int, Sequence[Any]]] = {}
        for each in edits:
            same = alike.setdefault((each.record_type.table, tuple(each.columns)), {})
            same[each.ref.id] = tuple(each.columns.values())
        for (table, columns), values in alike.items():
            self._rows.update_each(table, columns, values)

    def _dated(self, record_type: RecordType[Any], record: Any) -> datetime:
        """When it happened, as far as is known: a memory is found by the day on which its words were typed, also
        where they are read later."""
        made_at = record_type.made_at(record) or self._at
        return said_at(self._rows, record.origin, made_at) if isinstance(record, Memory) else made_at

    def _check_text_is_free(self, record_type: RecordType[Any], ref: Ref, text: str) -> None:
        same = is_(record_type.text_column, text)
        others = self._rows.select(record_type.table, ("id",), same, is_not("id", ref.id))
        if others:
            raise InvalidInput(
                template="{what} {other} says just that already",
                hint="delete or edit one of the two",
                what=ref.kind.name,
                other=others[0][0],
            )
