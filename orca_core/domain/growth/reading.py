"""What the memory agent says that acts show: asked about a batch, judged, settled."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from orca_core.domain.dialogues import Round
from orca_core.domain.growth.actions import Action
from orca_core.domain.learning import DroppedFact, StoredFact
from orca_core.domain.memories import Memory, NewMemory
from orca_core.domain.work.tasks import TaskWithSteps


class ActReading(StrEnum):
    """What a batch is read for: each has a prompt of its own."""

    FEEDBACK = "feedback"
    """Likes, dislikes, collected tools."""
    EDITS = "edits"
    CHATS = "chats"
    WORKFLOWS = "workflows"
    """Collected sessions."""


@dataclass(frozen=True, slots=True)
class DueActions:
    """Which acts are read now: of a session and reading of which `batch_size` wait, or whose oldest waits since before
    `waiting_since`, or `everything`; none of a run in `besides`, which was tried just now."""

    now: datetime
    batch_size: int
    waiting_since: datetime
    everything: bool = False
    session_id: str | None = None
    besides: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class ActBatch:
    """Acts of one session that one run reads, and what they refer to as it is stored: rounds (all of the session where
    it was collected) and tasks."""

    run: int
    reading: ActReading
    session_id: str
    actions: tuple[Action, ...]
    tries: int
    rounds: tuple[Round, ...] = ()
    tasks: tuple[TaskWithSteps, ...] = ()


@dataclass(frozen=True, slots=True)
class ProposedPreference:
    """What the memory agent says that an act shows, within the rules of form; nothing says yet that it is true.
    `replace` and `retract` name something known, as a fact does."""

    action: int
    content: str
    is_explicit: bool = False
    quote: str = ""
    tags: tuple[str, ...] = ()
    replace: str = ""
    retract: str = ""


@dataclass(frozen=True, slots=True)
class PreferencesRead:
    """What could be read of a memory agent's answer."""

    preferences: tuple[ProposedPreference, ...]
    dropped: tuple[DroppedFact, ...]


@dataclass(frozen=True, slots=True)
class Shown:
    """A judged preference on its way into the store: the memory that it would be, live only where the user typed it,
    the acts that show it, the known memories nearest to it, and the texts that it names."""

    new: NewMemory
    acts: tuple[int, ...]
    nominated: tuple[int, ...] = ()
    replace: str = ""
    retract: str = ""


@dataclass(frozen=True, slots=True)
class Grown:
    """What a run of acts, or a promotion, changed, in one operation (None where nothing changed): stored, supported,
    promoted, sent back to wait, and withdrawn memories."""

    stored: tuple[StoredFact, ...] = ()
    supported: tuple[int, ...] = ()
    replaced: tuple[tuple[int, int], ...] = ()
    retracted: tuple[int, ...] = ()
    dropped: tuple[DroppedFact, ...] = ()
    operation: int | None = None


ReadingOf = Callable[[Action], ActReading | None]
"""What an act is read for (`rules.growing.acts.reading_of`)."""

ChooseActs = Callable[[Sequence[Action], DueActions], Sequence[Action]]
"""The acts of one session and reading that a run takes, of all that wait, oldest first (`rules.growing.due`)."""


@dataclass(frozen=True, slots=True)
class Promotion:
    """A candidate that went live by what supports it; None where none was ready."""

    memory: Memory | None = None
    operation: int | None = None
