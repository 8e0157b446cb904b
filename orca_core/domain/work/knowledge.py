"""What several episodes on one target taught."""

from __future__ import annotations

from dataclasses import field
from datetime import datetime

from orca_core.domain.dataclass import dataclass
from orca_core.domain.memories import ArchivedBecause, Origin, State
from orca_core.domain.records import RecordType, changeable
from orca_core.domain.refs import KNOWLEDGE


@dataclass(frozen=True, slots=True)
class Knowledge:
    """What is known of a target. `text` is what it is found by, made of its other fields; a further consolidation makes
    a new `version` of the same record."""

    id: int
    uid: str
    text: str = field(metadata=changeable())
    topic: str = field(metadata=changeable())
    content: str = field(metadata=changeable())
    created_at: datetime
    updated_at: datetime
    target: str = field(default="", metadata=changeable())
    key_points: tuple[str, ...] = field(default=(), metadata=changeable())
    source_episodes: tuple[int, ...] = field(default=(), metadata=changeable())
    confidence: float = field(default=0.5, metadata=changeable())
    version: int = field(default=1, metadata=changeable())
    state: State = field(default=State.LIVE, metadata=changeable())
    held_because: str | None = field(default=None, metadata=changeable())
    archived_because: ArchivedBecause | None = field(default=None, metadata=changeable())
    archived_at: datetime | None = field(default=None, metadata=changeable())
    pinned: bool = field(default=False, metadata=changeable())
    access_count: int = field(default=0, metadata=changeable())
    last_accessed: datetime | None = field(default=None, metadata=changeable())
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
