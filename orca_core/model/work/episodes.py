"""What was done and how it ended: episodes, made of ended tasks and of conversations."""

from __future__ import annotations

from datetime import datetime

from msgspec import Struct, field

from orca_core.model.memories import ArchivedBecause, Origin, State
from orca_core.model.records import Changeable, RecordType
from orca_core.model.refs import EPISODE
from orca_core.model.work.tasks import Outcome, Trigger


class Episode(Struct, frozen=True):
    """One piece of work that is over. `text` is what it is found by, made of its other fields. Its age counts from
    `aged_from`: when it was made, or brought back last."""

    id: int
    uid: str
    text: Changeable[str]
    trigger_summary: Changeable[str]
    created_at: datetime
    updated_at: datetime
    aged_from: Changeable[datetime]
    trigger_type: Changeable[Trigger] = Trigger.USER_REQUEST
    target: Changeable[str] = ""
    steps: Changeable[tuple[str, ...]] = ()
    outcome: Changeable[Outcome] = Outcome.UNKNOWN
    outcome_summary: Changeable[str] = ""
    tags: Changeable[tuple[str, ...]] = ()
    state: Changeable[State] = State.LIVE
    held_because: Changeable[str | None] = None
    archived_because: Changeable[ArchivedBecause | None] = None
    archived_at: Changeable[datetime | None] = None
    pinned: Changeable[bool] = False
    access_count: Changeable[int] = 0
    last_accessed: Changeable[datetime | None] = None
    consolidated_into: Changeable[int | None] = None
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
