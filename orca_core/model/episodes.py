"""What was done and how it ended: episodes, made of ended tasks and read out of conversations; and how episodes and
knowledge are listed, found and put away by hand."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from datetime import datetime
from enum import StrEnum
from typing import Annotated, Any, Generic, Protocol, TypeVar

from msgspec import Struct, field
from msgspec.structs import replace

from orca_core.model.feedback import Action
from orca_core.model.learning import DroppedFact
from orca_core.model.memories import ArchivedBecause, Fields, Origin, State
from orca_core.model.recall import Level, ScoreParts
from orca_core.model.record_types import EPISODE, Cause, Changeable, Editable, RecordType
from orca_core.model.tasks import Outcome, Step, TaskView, TaskWithSteps, Trigger


class Episode(Struct, frozen=True):
    """One piece of work that is over. `text` is what it is found by, made of its other fields. Its age counts from
    `aged_from`: when it was made, or brought back last."""

    id: int
    uid: str
    text: Changeable[str]
    trigger_summary: Annotated[
        Changeable[str],
        Editable(
            label="what began it",
            help="What made it begin.",
            name="trigger",
            what="trigger",
            is_needed=True,
            has_row=False,
        ),
    ]
    created_at: datetime
    updated_at: datetime
    aged_from: Changeable[datetime]
    trigger_type: Changeable[Trigger] = Trigger.USER_REQUEST
    target: Annotated[
        Changeable[str],
        Editable(label="target", help="What was worked on; '' for none.", metavar="TARGET", most=200, has_row=False),
    ] = ""
    steps: Annotated[
        Changeable[tuple[str, ...]],
        Editable(
            label="steps",
            help="The steps, all of them; '' for none.",
            option="step",
            what="step",
            is_area=True,
            has_row=False,
        ),
    ] = ()
    outcome: Annotated[
        Changeable[Outcome],
        Editable(label="outcome", help="success, partial, failed or unknown.", metavar="OUTCOME", has_row=False),
    ] = Outcome.UNKNOWN
    outcome_summary: Annotated[
        Changeable[str],
        Editable(
            label="how it ended",
            help="How it ended, in words.",
            option="summary",
            what="outcome summary",
            has_row=False,
        ),
    ] = ""
    tags: Annotated[
        Changeable[tuple[str, ...]],
        Editable(
            label="tags",
            help="The tags, all of them; '' for none.",
            option="tag",
            metavar="TAG",
            are_tags=True,
            has_row=False,
        ),
    ] = ()
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


class ProposedEpisode(Struct, frozen=True):
    """An episode as the memory agent gave it, within the rules of form; nothing says yet that it is true. `continues`
    is the number of an earlier episode of the session that it goes on with."""

    trigger: str
    target: str = ""
    steps: tuple[str, ...] = ()
    outcome: Outcome = Outcome.UNKNOWN
    outcome_quote: str = ""
    tags: tuple[str, ...] = ()
    continues: int | None = None


class EpisodeReading(Struct, frozen=True):
    """What could be read of a memory agent's answer."""

    episodes: tuple[ProposedEpisode, ...]
    dropped: tuple[DroppedFact, ...]


class JudgedEpisode(Struct, frozen=True):
    """What of a proposed episode is believed: `held` says why it waits for a person, None where it may live. The quote
    of its outcome is what was typed, or empty. `rounds` are those that it was read from, `left_out` what was not kept
    of it, each with the reason."""

    proposed: ProposedEpisode
    held: str | None = None
    rounds: tuple[int, ...] = ()
    left_out: tuple[DroppedFact, ...] = ()

    def without(self, *dropped: DroppedFact, **fields: Any) -> JudgedEpisode:
        """The episode with other fields, for what was left out of them."""
        return replace(self, proposed=replace(self.proposed, **fields), left_out=(*self.left_out, *dropped))


class SessionEpisode(Struct, frozen=True):
    """An episode that a session has already, and its fields that a person wrote, which no machine changes."""

    episode: Episode
    by_hand: Collection[str] = ()


class EpisodeChanges(Struct, frozen=True):
    """What a run does to a session's episodes: those that it makes, and the fields of those that it changes."""

    made: tuple[Episode, ...] = ()
    changed: Mapping[int, Fields] | None = None
    dropped: tuple[DroppedFact, ...] = ()


SettleEpisodes = Callable[[Sequence[JudgedEpisode], Sequence[SessionEpisode], Origin, datetime], EpisodeChanges]
"""Decides inside the transaction, on the session's episodes as they are
(`rules.work.episode_updates.settle_episodes`)."""

SettleUnverified = Callable[[JudgedEpisode, SessionEpisode], Fields]
"""Decides inside the transaction what changes in an episode that waited for the verifier
(`rules.work.episode_updates.fields_after_verifying`)."""


class EpisodesWritten(Struct, frozen=True):
    """What a run changed, in one operation (None where nothing changed)."""

    made: tuple[Episode, ...] = ()
    changed: tuple[Episode, ...] = ()
    dropped: tuple[DroppedFact, ...] = ()
    operation: int | None = None

    @property
    def waiting(self) -> tuple[int, ...]:
        """Those that wait for a person."""
        return tuple(each.id for each in (*self.made, *self.changed) if each.state is State.CANDIDATE)


class TaskDecision(Struct, frozen=True):
    """What becomes of a task: fields of its own, steps that are added, fields of steps by their numbers, the episode
    that its end makes, and the act that is noted of it."""

    fields: Fields = field(default_factory=dict)
    new_steps: tuple[Step, ...] = ()
    steps: Mapping[int, Fields] = field(default_factory=dict)
    episode: Episode | None = None
    act: Action | None = None


DecideTask = Callable[[TaskWithSteps], TaskDecision]
"""Decides on a task as it is inside the transaction. Raises InvalidInput."""


class TaskChanged(Struct, frozen=True):
    """A task after a change: the operation (None where nothing changed), the episode of one that was ended, and the act
    that was noted with it."""

    operation: int | None
    task: TaskWithSteps
    episode: Episode | None = None
    act: Action | None = None


class TaskEnded(Struct, frozen=True):
    """A task that is over; one that was dropped, or where no episodes are made, has none."""

    task: TaskView
    episode: Episode | None


class WorkRecord(Protocol):
    """A record of work: an episode, or knowledge."""

    @property
    def id(self) -> int: ...
    @property
    def text(self) -> str: ...
    @property
    def target(self) -> str: ...
    @property
    def state(self) -> State: ...
    @property
    def held_because(self) -> str | None: ...
    @property
    def archived_because(self) -> ArchivedBecause | None: ...
    @property
    def pinned(self) -> bool: ...
    @property
    def access_count(self) -> int: ...
    @property
    def created_at(self) -> datetime: ...
    @property
    def updated_at(self) -> datetime: ...
    @property
    def origin(self) -> Origin: ...


W = TypeVar("W", bound=WorkRecord)

ChangeOne = Callable[[W], Fields]
"""The changeable fields that one record is to have."""

DecideWork = Callable[[Sequence[W]], Mapping[int, Fields]]


class EpisodeSort(StrEnum):
    NEW = "new"
    OLD = "old"
    IMPORTANCE = "importance"
    USED = "used"
    ACCESSES = "accesses"
    TARGET = "target"
    ID = "id"


class KnowledgeSort(StrEnum):
    NEW = "new"
    OLD = "old"
    CONFIDENCE = "confidence"
    USED = "used"
    ACCESSES = "accesses"
    TARGET = "target"
    TOPIC = "topic"
    ID = "id"


class WorkQuery(Struct, frozen=True):
    """Which records of work to list, in words as people write them: a status (`live`, `all`, `candidate` …), tags that
    each must carry, words that must stand in it, how they are sorted; `ids` are those that are asked about."""

    status: str = "live"
    tags: tuple[str, ...] = ()
    target: str = ""
    session_id: str = ""
    pinned_only: bool = False
    text: str = ""
    sort: str = EpisodeSort.NEW.value
    limit: int | None = None
    offset: int = 0
    ids: tuple[int, ...] | None = None


class WorkHit(Struct, Generic[W], frozen=True):
    """A record that was found, and what speaks for it."""

    record: W
    parts: ScoreParts


class WorkFound(Struct, Generic[W], frozen=True):
    """What a search by hand found, best first, at which level, and why not at a better one. `rules` as those of a
    search for memories."""

    hits: tuple[WorkHit[W], ...]
    level: Level
    cause: Cause | None = None
    rules: tuple[str, ...] = ()


class WorkDeletion(Struct, frozen=True):
    """The outcome of a real delete; `finished` is False while a reader keeps old pages from being wiped. `held` is
    knowledge that was made of it and waits to be written anew, `kept` such that stays, for a person pinned or wrote
    it."""

    ids: tuple[int, ...]
    finished: bool
    held: tuple[int, ...] = ()
    kept: tuple[int, ...] = ()
