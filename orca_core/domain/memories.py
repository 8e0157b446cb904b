"""What is remembered: long-term memories, and the operations that change them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import field
from datetime import datetime
from enum import StrEnum
from typing import Any

from orca_core.domain.dataclass import dataclass
from orca_core.domain.records import RecordType, changeable
from orca_core.domain.refs import MEMORY


class MemoryType(StrEnum):
    """Kinds of long-term memory. More are to come: nothing but this list may enumerate them."""

    FACT = "fact"
    PREFERENCE = "preference"
    PROJECT = "project"
    INSTRUCTION = "instruction"
    EVENT = "event"


class State(StrEnum):
    """What is stored of a memory's life; `rules.keeping.status` derives the `Status` that people see."""

    LIVE = "live"
    CANDIDATE = "candidate"
    REJECTED = "rejected"
    ARCHIVED = "archived"


class Status(StrEnum):
    """What people see; derived in `rules.keeping.status` alone."""

    CANDIDATE = "candidate"
    REJECTED = "rejected"
    ARCHIVED = "archived"
    CORE = "core"
    ACTIVE = "active"


class ArchivedBecause(StrEnum):
    """Why a memory was archived: it decides what happens when the same thing is said again."""

    WEIGHT = "weight"
    HAND = "hand"
    SUPERSEDED = "superseded"
    RETRACTED = "retracted"
    UNDONE = "undone"
    FADED = "faded"
    """An episode that nobody needed for long."""
    WITHDRAWN = "withdrawn"
    """A candidate whose last support was taken back."""


class CuesBy(StrEnum):
    """Who wrote a memory's cues, or decided that it has none."""

    USER = "user"
    AGENT = "agent"


class ConfirmedBy(StrEnum):
    """What a live memory lives on, where it does not live by its supports."""

    HAND = "hand"
    """A person added, accepted, edited or restored it: no machine changes its text or state."""
    TYPED = "typed"
    """Words that the user typed; newer typed words may replace it."""


class OriginKind(StrEnum):
    USER = "user"
    EXTRACTION = "extraction"
    IMPORT = "import"
    ACTION = "action"


@dataclass(frozen=True, slots=True)
class Origin:
    """Where a memory came from. Another one takes its place where other words make the memory live."""

    kind: OriginKind = field(default=OriginKind.USER, metadata=changeable())
    session_id: str | None = field(default=None, metadata=changeable("session"))
    rounds: tuple[int, ...] = field(default=(), metadata=changeable())
    quote: str | None = field(default=None, metadata=changeable())
    model: str | None = field(default=None, metadata=changeable())


@dataclass(frozen=True, slots=True)
class Elsewhere:
    """Where a memory was before it was imported: the program whose file it came in, and the title of the chat there.
    Empty where it came from none."""

    program: str = ""
    chat: str = ""


@dataclass(frozen=True, slots=True)
class Memory:
    """One long-term memory, as stored. Its scope is its store's. Columns, history and JSON follow from its fields.

    `cues` are situations and questions in which it should come to mind: it is found by them, no model is shown them.
    `cues_by` is None where nobody has written any yet."""

    id: int
    uid: str
    content: str = field(metadata=changeable())
    type: MemoryType = field(metadata=changeable())
    tags: tuple[str, ...] = field(metadata=changeable())
    confidence: float = field(metadata=changeable())
    weight: float = field(metadata=changeable())
    state: State = field(metadata=changeable())
    created_at: datetime
    updated_at: datetime
    origin: Origin
    held_because: str | None = field(default=None, metadata=changeable())
    archived_because: ArchivedBecause | None = field(default=None, metadata=changeable())
    pinned: bool = field(default=False, metadata=changeable())
    access_count: int = field(default=0, metadata=changeable())
    used: int = field(default=0, metadata=changeable())
    seen: int = field(default=1, metadata=changeable())
    last_accessed: datetime | None = field(default=None, metadata=changeable())
    superseded_by: int | None = field(default=None, metadata=changeable())
    would_replace: int | None = field(default=None, metadata=changeable())
    cues: tuple[str, ...] = field(default=(), metadata=changeable())
    cues_by: CuesBy | None = field(default=None, metadata=changeable())
    confirmed_by: ConfirmedBy | None = field(default=None, metadata=changeable())
    searched: int = field(default=0, metadata=changeable())
    """How often a program's search returned it while it waited."""
    searched_at: datetime | None = field(default=None, metadata=changeable())
    elsewhere: Elsewhere = field(default=Elsewhere())


BIRTH_WEIGHT = 1.0

MEMORIES = RecordType(
    MEMORY,
    Memory,
    "long_term_memories",
    text="content",
    unmade={"state": State.ARCHIVED.value, "archived_because": ArchivedBecause.UNDONE.value},
    is_text_unique=True,
    index="long_term",
    live=("state", (State.LIVE.value,)),
    embedded=("state", (State.LIVE.value, State.CANDIDATE.value)),
    cues="cues",
)


@dataclass(frozen=True, slots=True)
class NewMemory:
    """A memory that is to be stored. `content` is cleaned (`rules.text.cleaning`) before it comes here."""

    content: str
    type: MemoryType = MemoryType.FACT
    tags: tuple[str, ...] = ()
    confidence: float = 1.0
    pinned: bool = False
    origin: Origin = field(default_factory=Origin)
    state: State = State.LIVE
    held_because: str | None = None
    would_replace: int | None = None
    cues: tuple[str, ...] = ()
    cues_by: CuesBy | None = None
    elsewhere: Elsewhere = Elsewhere()

    def born(self, uid: str, at: datetime, confirmed_by: ConfirmedBy | None = None) -> Memory:
        """The memory that it becomes, but for its number, which the store gives it."""
        return Memory(
            id=0,
            uid=uid,
            content=self.content,
            type=self.type,
            tags=self.tags,
            confidence=self.confidence,
            weight=BIRTH_WEIGHT,
            state=self.state,
            created_at=at,
            updated_at=at,
            origin=self.origin,
            held_because=self.held_because,
            pinned=self.pinned,
            would_replace=self.would_replace,
            cues=self.cues,
            cues_by=self.cues_by,
            confirmed_by=confirmed_by,
            elsewhere=self.elsewhere,
        )


Fields = Mapping[str, Any]
"""Some of a memory's changeable fields and their values, as plain JSON values."""


class Use(StrEnum):
    """What an answer did with a memory that was put before the model."""

    USED = "used"
    UNUSED = "unused"
    UNKNOWN = "unknown"


class Added(StrEnum):
    """What became of a memory that was to be stored."""

    CREATED = "created"
    CONFIRMED = "confirmed"
    RESTORED = "restored"
    PROMOTED = "promoted"
    DROPPED = "dropped"


@dataclass(frozen=True, slots=True)
class Addition:
    """The outcome of storing a memory; `reason` says why it was dropped, `superseded` what it archived."""

    outcome: Added
    memory: Memory
    operation: int | None
    reason: str = ""
    superseded: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class SaidAgain:
    """What a rule decides of a memory that says already what is to be stored. `archives` are the memories that had
    taken its place."""

    outcome: Added
    changes: Fields
    reason: str = ""
    archives: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Deletion:
    """The outcome of a real delete: `messages` are the rounds that still hold what the memories came from, as
    (session_id, round); `finished` is False while a reader keeps old pages from being wiped."""

    ids: tuple[int, ...]
    messages: tuple[tuple[str, int], ...]
    finished: bool


Decide = Callable[[Sequence[Memory]], Mapping[int, Fields]]
"""A rule that a store calls inside its transaction, on the rows as they are: the changes to make, memory by memory."""
