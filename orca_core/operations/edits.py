"""What an operation changes of a record, worked out before anything is written."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from msgspec import Struct

from orca_core.model.knowledge import Knowledge
from orca_core.model.memories import Fields
from orca_core.model.records import RecordType, Ref, timestamp

UPDATED_AT = "updated_at"
SAYS = "says"


class Edit(Struct, frozen=True):
    """A record before and after, the fields that differ as they were and as they are, and the columns that change;
    without any it stays what it is."""

    record_type: RecordType[Any]
    ref: Ref
    before: Any
    after: Any
    held: Fields
    fields: Fields
    columns: Mapping[str, Any]

    @property
    def is_of_the_row_alone(self) -> bool:
        """Whether nothing else has to follow: no index, no mark, no record that this one is a part of."""
        return (
            self.record_type.part_of is None
            and not isinstance(self.after, Knowledge)
            and not self.changes(self.record_type.text_column)
            and not self.changes_its_life
        )

    @property
    def changes_its_life(self) -> bool:
        live = self.record_type.live
        return live is not None and live[0] in self.fields

    def changes(self, *fields: str) -> bool:
        return not self.fields.keys().isdisjoint(fields)


def edit_of(record_type: RecordType[Any], before: Any, wanted: Fields, at: datetime) -> Edit:
    """What it takes to give the record these fields. One that is brought back ages anew."""
    assert set(wanted) <= set(record_type.changeable)
    wanted = _with_its_age(record_type, before, wanted, at)
    held = record_type.plain(before, tuple(wanted))
    fields = {field: value for field, value in wanted.items() if held[field] != value}
    if not fields:
        return Edit(record_type, record_type.ref(before), before, before, {}, {}, {})
    columns = record_type.columns_from_plain(fields)
    if UPDATED_AT in record_type.names:
        columns[UPDATED_AT] = timestamp(at)
        after = record_type.changed(before, fields, {UPDATED_AT: at})
    else:
        after = record_type.changed(before, fields)
    if not fields.keys().isdisjoint(record_type.says):
        columns[SAYS] = record_type.fingerprint(after)
    held = {field: held[field] for field in fields}
    return Edit(record_type, record_type.ref(before), before, after, held, fields, columns)


def _with_its_age(record_type: RecordType[Any], before: Any, wanted: Fields, at: datetime) -> Fields:
    """With the time from which a record ages that is brought back by this operation."""
    column, values = record_type.live or ("", ())
    if not record_type.restarts or wanted.get(column) not in values:
        return wanted
    was_live = record_type.plain(before, (column,))[column] in values
    return wanted if was_live else {**wanted, record_type.restarts: timestamp(at)}
