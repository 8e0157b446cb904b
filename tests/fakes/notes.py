"""A small kind of record, for what is true of any."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import UTC, datetime

from orca_core.domain.records import RecordType, changeable
from orca_core.domain.refs import Kind

AT = datetime(2026, 11, 20, 12, 0, tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class Note:
    id: int
    text: str = field(metadata=changeable())
    stars: int = field(default=0, metadata=changeable())
    is_done: bool = field(default=False, metadata=changeable())
    due: datetime | None = field(default=None, metadata=changeable())
    tags: tuple[str, ...] = field(default=(), metadata=changeable())
    share: float = 0.5
    created_at: datetime = AT


NOTE = Kind("note", "n")
NOTES = RecordType(NOTE, Note, "notes", text="text", unmade=None)
