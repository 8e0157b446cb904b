"""What was done and how it ended: episodes, made of ended tasks and of conversations."""

from __future__ import annotations

from dataclasses import field
from datetime import datetime

from orca_core.domain.dataclass import dataclass
from orca_core.domain.memories import ArchivedBecause, Origin, State
from orca_core.domain.records import RecordType, changeable
from orca_core.domain.refs import EPISODE
from orca_core.domain.work.tasks import Outcome, Trigger


@dataclass(frozen=True, slots=True)
class Episode:
    """One piece of work that is over. `text` is what it is found by, made of its other fields. Its age counts from
    `aged_from`: when it was made, or brought back last."""

    id: int
    uid: str
    text: str = field(metadata=changeable())
    trigger_summary: str = field(metadata=changeable())
    created_at: datetime
    updated_at: datetime
    aged_from: datetime = field(metadata=changeable())
    trigger_type: Trigger = field(default=Trigger.USER_REQUEST, metadata=changeable())
    target: str = field(default="", metadata=changeable())
    steps: tuple[str, ...] = field(default=(), metadata=changeable())
    outcome: Outcome = field(default=Outcome.UNKNOWN, metadata=changeable())
    outcome_summary: str = field(default="", metadata=changeable())
    tags: tuple[str, ...] = field(default=(), metadata=changeable())
    state: State = field(default=State.LIVE, metadata=changeable())
    held_because: str | None = field(default=None, metadata=changeable())
    archived_because: ArchivedBecause | None = field(default=None, metadata=changeable())
    archived_at: datetime | None = field(default=None, metadata=changeable())
    pinned: bool = field(default=False, metadata=changeable())
    access_count: int = field(default=0, metadata=changeable())
    last_accessed: datetime | None = field(default=None, metadata=changeable())
    consolidated_into: int | None = field(default=None, metadata=changeable())
    task: int | None = None
    origin: Origin = field(default_factory=Origin)


EPISODES = RecordType(
    EPISODE,
    Episode,
    "episodes",
    text="text",
    unmade={"state": State.ARCHIVED.value, "archived_because": ArchivedBecause.UNDONE.value},
    live=("state", (State.LIVE.value,)),
    embedded=("state", (State.LIVE.value, State.CANDIDATE.value)),
    restarts="aged_from",
    says=("trigger_type", "trigger_summary", "steps", "outcome", "outcome_summary", "tags"),
)
