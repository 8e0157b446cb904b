"""A small kind of record, for what is true of any."""

from __future__ import annotations

from datetime import UTC, datetime

from msgspec import Struct

from orca_core.model.record_types import Changeable, Kind, RecordType

AT = datetime(2026, 11, 20, 12, 0, tzinfo=UTC)


class Note(Struct, frozen=True):
    id: int
    text: Changeable[str]
    stars: Changeable[int] = 0
    is_done: Changeable[bool] = False
    due: Changeable[datetime | None] = None
    tags: Changeable[tuple[str, ...]] = ()
    share: float = 0.5
    created_at: datetime = AT


NOTE = Kind("note", "n")
NOTES = RecordType(NOTE, Note, "notes", text="text", unmade=None)
