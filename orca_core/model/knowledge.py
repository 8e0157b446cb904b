"""What several episodes on one target taught: knowledge, which targets wait for it, and what a run reads and writes."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from typing import Annotated

from msgspec import Struct, field

from orca_core.model.episodes import Episode
from orca_core.model.learning import Batch, DroppedFact
from orca_core.model.memories import ArchivedBecause, Origin, State
from orca_core.model.record_types import KNOWLEDGE, Changeable, Editable, RecordType


class Knowledge(Struct, frozen=True):
    """What is known of a target. `text` is what it is found by, made of its other fields; a further consolidation makes
    a new `version` of the same record."""

    id: int
    uid: str
    text: Changeable[str]
    topic: Annotated[
        Changeable[str],
        Editable(label="topic", help="What it is about, in a few words.", most=200, is_needed=True, has_row=False),
    ]
    content: Annotated[
        Changeable[str],
        Editable(label="text", help="The new text.", what="content", is_needed=True, is_area=True, has_row=False),
    ]
    created_at: datetime
    updated_at: datetime
    target: Annotated[
        Changeable[str],
        Editable(label="target", help="What it is known of.", metavar="TARGET", most=200, has_row=False),
    ] = ""
    key_points: Annotated[
        Changeable[tuple[str, ...]],
        Editable(
            label="key points",
            help="The key points, all; '' for none.",
            option="point",
            what="key point",
            most=200,
            most_items=20,
            is_area=True,
            has_row=False,
        ),
    ] = ()
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


SOURCE_DELETED = "source_deleted"
"""Why knowledge is held back that was made of an episode which a person deleted. Of what lives: it says so, and stays,
for a person pinned or wrote it."""


class TargetCount(Struct, frozen=True):
    """A target, as it is spelled most often, and what there is on it: live episodes, how many of them wait (they stand
    in no knowledge, or have changed since they were read), how many of these no consolidation has read as they are, and
    its knowledge, live or a candidate."""

    target: str
    episodes: int = 0
    waiting: int = 0
    unread: int = 0
    knowledge: tuple[int, ...] = ()
    is_kept_by_hand: bool = False
    """A person pinned or edited what is known: no run changes it unasked."""
    is_held: bool = False
    """A run on it failed, and waits for its time or for a person."""
    first_unread: int = 0


class DueTargets(Struct, frozen=True):
    """Which targets are consolidated now: those with enough episodes; where a `target` is named that one alone, with as
    many as there are. `everything`: also what failed a moment ago. None of a run in `besides`, which was tried just
    now."""

    at: datetime
    min_episodes: int
    target: str | None = None
    everything: bool = False
    besides: tuple[int, ...] = ()


class KnowledgeBatch(Batch, frozen=True):
    """The episodes on one target that a run adds to what is known of it: `known`, the first of which is renewed, and
    the episodes that it was made of, `earlier`, newest first."""

    target: str = ""
    episodes: tuple[Episode, ...] = ()
    earlier: tuple[Episode, ...] = ()
    known: tuple[Knowledge, ...] = ()


class ProposedKnowledge(Struct, frozen=True):
    """What the memory agent says that the episodes teach, within the rules of form; nothing says yet that it is
    true."""

    topic: str
    content: str
    key_points: tuple[str, ...] = ()
    confidence: float = 0.5


class JudgedKnowledge(Struct, frozen=True):
    """What is believed of it: `text` is what it will be found by, `held_because` says why it waits for a person, and
    `lacking` what of it stands in no source."""

    taught: ProposedKnowledge
    text: str
    model: str
    held_because: str | None = None
    lacking: tuple[DroppedFact, ...] = ()


class KnowledgeWritten(Struct, frozen=True):
    """What a run came to: the knowledge as it is now (None where the episodes have nothing in common), and the
    operation that made it."""

    knowledge: Knowledge | None = None
    operation: int | None = None
    superseded: tuple[int, ...] = ()


FoldTarget = Callable[[str], str]
"""A target as it is compared (`rules.work.consolidation_rules.fold_target`)."""


class TargetRenamed(Struct, frozen=True):
    """The outcome of renaming a target: the operation (None where nothing was called so), and how many records."""

    operation: int | None
    episodes: tuple[int, ...] = ()
    knowledge: tuple[int, ...] = ()
    tasks: tuple[int, ...] = ()
