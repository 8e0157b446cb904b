"""What is remembered: long-term memories, the operations that change them, and short-term summaries; pairs that may
say the same, and candidates of every kind that wait for a person."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from enum import StrEnum
from typing import Annotated, Any, Protocol

from msgspec import Struct, field

from orca_core.model.record_types import MEMORY, Changeable, RecordType, Ref, StoredAs


class MemoryType(StrEnum):
    """Kinds of long-term memory. More are to come: nothing but this list may enumerate them."""

    FACT = "fact"
    PREFERENCE = "preference"
    PROJECT = "project"
    INSTRUCTION = "instruction"
    EVENT = "event"


class State(StrEnum):
    """What is stored of a memory's life; `rules.memory.memory_curation` derives the `Status` that people see."""

    LIVE = "live"
    CANDIDATE = "candidate"
    REJECTED = "rejected"
    ARCHIVED = "archived"


class Status(StrEnum):
    """What people see; derived in `rules.memory.memory_curation` alone."""

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


class ImportSource(Struct, frozen=True):
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
    elsewhere: ImportSource = ImportSource()


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
    elsewhere: ImportSource = ImportSource()

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


class MemoryDeletion(Struct, frozen=True):
    """The outcome of a real delete: `messages` are the rounds that still hold what the memories came from, as
    (session_id, round); `finished` is False while a reader keeps old pages from being wiped."""

    ids: tuple[int, ...]
    messages: tuple[tuple[str, int], ...]
    finished: bool


Decide = Callable[[Sequence[Memory]], Mapping[int, Fields]]
"""A rule that a store calls inside its transaction, on the rows as they are: the changes to make, memory by memory."""


class ShortTerm(Struct, frozen=True):
    """A summary of one round. `question` is the part that may be shown to other sessions where the round held
    untrusted spans (`trusted` is False)."""

    id: int
    session_id: str
    round: int
    content: str
    question: str
    trusted: bool
    tokens: frozenset[str]
    created_at: datetime


class NewShortTerm(Struct, frozen=True):
    """A summary that is to be stored with its round."""

    content: str
    question: str
    trusted: bool
    tokens: tuple[str, ...]


class PairReason(StrEnum):
    """Why a pair is listed: it is near (`undecided`), of the same words with another figure, name or denial
    (`conflict`), or one was to take the other's place and did not (`other_value`). An `update` older versions listed.
    """

    UNDECIDED = "undecided"
    CONFLICT = "conflict"
    OTHER_VALUE = "other_value"
    UPDATE = "update"


class UndecidedPair(Struct, frozen=True):
    """Two memories of which nobody has said whether they are the same, or contradict each other. `newer` stands on the
    later words, whatever the numbers. A person has decided to keep both of a settled one."""

    newer: Memory
    older: Memory
    why: str
    listed_at: datetime
    is_settled: bool = False


class NearBy(StrEnum):
    MEANING = "meaning"
    WORDS = "words"
    """No embedder that knows of meaning was at hand."""


class Nearness(Struct, frozen=True):
    """By meaning the cosine of both; by words the share of the words of what is looked at that the other holds."""

    similarity: float
    by: NearBy


class MemoryText(Struct, frozen=True):
    """What a live memory says, without all else that is known of it."""

    id: int
    content: str
    type: MemoryType


class MergedMemories(Struct, frozen=True):
    """The memory that stays, and those that say just the same and give way to it."""

    kept: int
    others: tuple[int, ...]


class CleaningReport(Struct, frozen=True):
    """What a cleaning did, or would do. Its `operation` takes back what was archived and merged; None where there was
    nothing of that. Summaries that expired and vectors without a record are only counted."""

    archived: tuple[int, ...] = ()
    merged: tuple[MergedMemories, ...] = ()
    summaries: int = 0
    vectors: int = 0
    operation: int | None = None

    @property
    def is_empty(self) -> bool:
        return not (self.archived or self.merged or self.summaries or self.vectors)

    @property
    def memories(self) -> tuple[int, ...]:
        """Every memory that is touched, each once."""
        touched = [*self.archived, *(each for one in self.merged for each in (one.kept, *one.others))]
        return tuple(dict.fromkeys(touched))


class Candidate(Protocol):
    """A record of a kind that may have to wait: a memory, an episode, knowledge, a guide."""

    @property
    def id(self) -> int: ...
    @property
    def state(self) -> State: ...
    @property
    def held_because(self) -> str | None: ...
    @property
    def updated_at(self) -> datetime: ...
    @property
    def origin(self) -> Origin: ...


DecideWaiting = Callable[[Sequence[Any], Mapping[int, State]], Mapping[int, Fields]]
"""What becomes of candidates of one kind, by their numbers. The second are the states of the episodes that they were
made of, as far as those are there (`rules.work.episode_updates.expired_fields`)."""


class InboxItem(Struct, frozen=True):
    """A candidate in the inbox: what it says in a line, since when it waits, why it was held back when it was found
    and why at present (None where today's rules would let it live)."""

    ref: Ref
    text: str
    since: datetime
    held_because: str | None
    held_now: str | None
    origin: Origin
    record: Any
