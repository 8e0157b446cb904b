"""What is remembered: long-term memories, and the operations that change them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from enum import StrEnum
from typing import Annotated, Any

from msgspec import Struct, field

from orca_core.model.records import Changeable, RecordType, StoredAs
from orca_core.model.refs import MEMORY


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


class Origin(Struct, frozen=True):
    """Where a memory came from. Another one takes its place where other words make the memory live."""

    kind: Changeable[OriginKind] = OriginKind.USER
    session_id: Annotated[Changeable[str | None], StoredAs("session")] = None
    rounds: Changeable[tuple[int, ...]] = ()
    quote: Changeable[str | None] = None
    model: Changeable[str | None] = None


class Elsewhere(Struct, frozen=True):
    """Where a memory was before it was imported: the program whose file it came in, and the title of the chat there.
    Empty where it came from none."""

    program: str = ""
    chat: str = ""


class Memory(Struct, frozen=True):
    """One long-term memory, as stored. Its scope is its store's. Columns, history and JSON follow from its fields."""

    id: int
    uid: str
    content: Changeable[str]
    type: Changeable[MemoryType]
    tags: Changeable[tuple[str, ...]]
    confidence: Changeable[float]
    weight: Changeable[float]
    state: Changeable[State]
    created_at: datetime
    updated_at: datetime
    origin: Origin
    held_because: Changeable[str | None] = None
    archived_because: Changeable[ArchivedBecause | None] = None
    pinned: Changeable[bool] = False
    access_count: Changeable[int] = 0
    used: Changeable[int] = 0
    seen: Changeable[int] = 1
    last_accessed: Changeable[datetime | None] = None
    superseded_by: Changeable[int | None] = None
    would_replace: Changeable[int | None] = None
    confirmed_by: Changeable[ConfirmedBy | None] = None
    searched: Changeable[int] = 0
    """How often a program's search returned it while it waited."""
    searched_at: Changeable[datetime | None] = None
    elsewhere: Elsewhere = Elsewhere()


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
)


class NewMemory(Struct, frozen=True):
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


class Addition(Struct, frozen=True):
    """The outcome of storing a memory; `reason` says why it was dropped, `superseded` what it archived."""

    outcome: Added
    memory: Memory
    operation: int | None
    reason: str = ""
    superseded: tuple[int, ...] = ()


class SaidAgain(Struct, frozen=True):
    """What a rule decides of a memory that says already what is to be stored. `archives` are the memories that had
    taken its place."""

    outcome: Added
    changes: Fields
    reason: str = ""
    archives: tuple[int, ...] = ()


class Deletion(Struct, frozen=True):
    """The outcome of a real delete: `messages` are the rounds that still hold what the memories came from, as
    (session_id, round); `finished` is False while a reader keeps old pages from being wiped."""

    ids: tuple[int, ...]
    messages: tuple[tuple[str, int], ...]
    finished: bool


Decide = Callable[[Sequence[Memory]], Mapping[int, Fields]]
"""A rule that a store calls inside its transaction, on the rows as they are: the changes to make, memory by memory."""
