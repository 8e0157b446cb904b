"""What several episodes on one target taught."""

from __future__ import annotations

from datetime import datetime

from msgspec import Struct, field

from orca_core.model.memories import ArchivedBecause, Origin, State
from orca_core.model.records import Changeable, RecordType
from orca_core.model.refs import KNOWLEDGE


class Knowledge(Struct, frozen=True):
    """What is known of a target. `text` is what it is found by, made of its other fields; a further consolidation makes
    a new `version` of the same record."""

    id: int
    uid: str
    text: Changeable[str]
    topic: Changeable[str]
    content: Changeable[str]
    created_at: datetime
    updated_at: datetime
    target: Changeable[str] = ""
    key_points: Changeable[tuple[str, ...]] = ()
    source_episodes: Changeable[tuple[int, ...]] = ()
    confidence: Changeable[float] = 0.5
    version: Changeable[int] = 1
    state: Changeable[State] = State.LIVE
    held_because: Changeable[str | None] = None
    archived_because: Changeable[ArchivedBecause | None] = None
    archived_at: Changeable[datetime | None] = None
    pinned: Changeable[bool] = False
    access_count: Changeable[int] = 0
    last_accessed: Changeable[datetime | None] = None
    origin: Origin = field(default_factory=Origin)


KNOWLEDGES = RecordType(
    KNOWLEDGE,
    Knowledge,
    "knowledge",
    text="text",
    unmade={"state": State.ARCHIVED.value, "archived_because": ArchivedBecause.UNDONE.value},
    live=("state", (State.LIVE.value,)),
    embedded=("state", (State.LIVE.value, State.CANDIDATE.value)),
)
