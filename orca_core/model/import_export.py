"""What travels between homes: records of every kind with their history, named by what is the same in each of them; and
what the files of other programs hold, before anything is decided about it."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from enum import StrEnum
from typing import Any

from msgspec import Struct

from orca_core.model.episodes import EPISODES
from orca_core.model.feedback import ACTIONS, SUPPORTS
from orca_core.model.knowledge import KNOWLEDGES
from orca_core.model.memories import MEMORIES, Fields, MemoryType, NearMemory, State, Status
from orca_core.model.operations import OperationHeader
from orca_core.model.record_types import (
    ACTION,
    CALL,
    EPISODE,
    GUIDE,
    KNOWLEDGE,
    MEMORY,
    SUPPORT,
    TASK,
    Kind,
    RecordType,
    Ref,
)
from orca_core.model.tasks import STEP, STEPS, TASKS
from orca_core.model.tools import GUIDES

IMPORT = "import"
"""The action by which records come from a file. It tells of the home that they came into: it does not travel."""


class KeptCall(Struct, frozen=True):
    """A call of a tool as its row has it. Of older ones input and output are gone: `is_slim`. `is_read`: a guide was
    written of it, or of later ones."""

    id: int
    tool: str
    at: datetime
    success: bool
    call_id: str = ""
    session_id: str = ""
    step: int | None = None
    seconds: float | None = None
    tokens: int | None = None
    is_slim: bool = False
    is_read: bool = False
    error: str = ""
    input: str = ""
    output: str = ""


CALLS = RecordType(CALL, KeptCall, "tool_calls", text="", unmade=None)

TRAVELLING: Mapping[str, RecordType[Any]] = {
    "memories": MEMORIES,
    "supports": SUPPORTS,
    "tasks": TASKS,
    "steps": STEPS,
    "episodes": EPISODES,
    "knowledge": KNOWLEDGES,
    "guides": GUIDES,
    "actions": ACTIONS,
    "tool_calls": CALLS,
}
"""The kinds that travel, by the names of their lists."""

LINKS: Mapping[Kind, Mapping[str, Kind]] = {
    MEMORY: {"superseded_by": MEMORY, "would_replace": MEMORY},
    SUPPORT: {"memory": MEMORY, "act": ACTION},
    STEP: {"task": TASK},
    EPISODE: {"consolidated_into": KNOWLEDGE, "task": TASK},
    KNOWLEDGE: {"source_episodes": EPISODE},
    ACTION: {"task": TASK},
    CALL: {"step": STEP},
}
"""Columns that name other records by their numbers, which are those of one home: they travel as names."""

LEFT_BEHIND: Mapping[Kind, frozenset[str]] = {ACTION: frozenset({"round_id"}), GUIDE: frozenset({"through"})}
"""Columns that mean something in one home only."""

NO_LONGER: Mapping[Kind, frozenset[str]] = {MEMORY: frozenset({"cues", "cues_by"})}
"""Fields that an older Orca's document may have, and nothing has any more: they are left out."""
NO_LONGER_ACTS = frozenset({"cues"})
"""Who did nothing but change them, in an older Orca's document."""


HELD_BACK: Fields = {
    "state": State.CANDIDATE.value,
    "held_because": "imported",
    "archived_because": None,
    "pinned": False,
}
"""What a record has that comes from a file and waits for a person."""


COMPARED_TO = "compared_to_"
"""Under this and the number of an import a database notes up to which of its memories they were compared with others,
until all were; and AMONG_THEMSELVES behind it, where that was done in the home that they came from."""
AMONG_THEMSELVES = "among_themselves"


class PackedChange(Struct, frozen=True):
    """What an operation did to a record. `operation` is its number in the document."""

    operation: int
    before: Fields | None
    after: Fields


class Settled(StrEnum):
    """What a person decided of a pair of memories that both stay."""

    BOTH = "both"


class PackedPair(Struct, frozen=True):
    """A pair of memories that the rules left to a person; it travels with the newer one. `settled` is None while it is
    open."""

    older: str
    why: str
    at: datetime
    settled: Settled | None = None


class Packed(Struct, frozen=True):
    """A record on its way: its columns as plain values, but for its number, with names where it speaks of others.
    `status` is the one that people see, where the kind has one; `is_read`: an episode was consolidated as it stands.
    `pairs` are None of a memory that nobody compared with the others that come with it."""

    kind: Kind
    fields: Fields
    history: tuple[PackedChange, ...] = ()
    status: Status | None = None
    is_read: bool = False
    pairs: tuple[PackedPair, ...] | None = None


class PackedOperation(Struct, frozen=True):
    """An operation of which something travels, by its number in the document."""

    number: int
    header: OperationHeader
    undoes: int | None = None
    undone_by: int | None = None


class Arriving(Struct, frozen=True):
    """What a document brings, and where it stands there: a path such as `memories[41]`, and a line."""

    packed: Packed | PackedOperation
    place: str = ""
    line: int = 1


class Arrival(StrEnum):
    """What becomes of a record that a document brings."""

    NEW = "new"
    """It comes as it was."""
    CANDIDATE = "candidate"
    """It comes, and waits for a person."""
    KNOWN = "known"
    """It is here already, however it stands by now: it is left as it is."""
    SAME_WORDS = "same_words"
    """Another memory here says just that: it is left as it is."""
    DELETED_HERE = "deleted_here"
    LEFT_OUT = "left_out"
    """It comes with trust alone, or rests on something that does not come."""


class Coming(Struct, frozen=True):
    """What is to come of a record, unless it is here or was deleted here: `may` is NEW, CANDIDATE or LEFT_OUT."""

    arriving: Arriving
    may: Arrival = Arrival.NEW


class ImportTerms(Struct, frozen=True):
    """With `trust` all comes as it was; an empty home trusts whatever is brought to it. `again` brings what was deleted
    here, too. `looks_only`: nothing is written."""

    trust: bool = False
    again: bool = False
    looks_only: bool = False


class ImportStage(StrEnum):
    READING = "reading"
    COMING = "coming"
    """It happens now: nobody else writes meanwhile."""
    COMPARING = "comparing"
    """All is here. It is compared with what was known; what is left of that is done in the background."""


class ImportProgress(Struct, frozen=True):
    """How far an import is: so many records are dealt with, of `all` where that is known."""

    stage: ImportStage
    done: int
    all: int | None = None


class Arrived(Struct, frozen=True):
    """What became of one record. `label` is what it says, shortened; `ref` is its number here, None where it is not
    here. Only a look at another program's file tells more: `near` is the memory nearest to what would come, where one
    is near; `held_because` says why it would wait, `quote` how a person said it, and `said_at` when."""

    name: str
    label: str
    uid: str
    place: str
    line: int
    arrival: Arrival
    ref: Ref | None = None
    near: NearMemory | None = None
    held_because: str = ""
    quote: str | None = None
    said_at: datetime | None = None


ImportCounts = Mapping[str, Mapping[Arrival, int]]
"""How many records of each list became what."""


class Brought(Struct, frozen=True):
    """What an import came to: `operation` is None where nothing was written."""

    operation: int | None
    counts: ImportCounts
    is_trusted: bool

    def count(self, *arrivals: Arrival) -> int:
        return sum(each.get(arrival, 0) for each in self.counts.values() for arrival in arrivals)


class ForeignFormat(StrEnum):
    """Whose file it is, by what it holds."""

    MEM0 = "mem0"
    CHATGPT = "chatgpt"
    CLAUDE = "claude"
    RECORDS = "records"
    """Objects with a text each, of no program in particular."""
    LINES = "lines"
    """A text: a memory a line."""


class Unread(StrEnum):
    """Why nothing is brought in of an entry."""

    NO_TEXT = "no_text"
    """None of the fields that hold a text is there, or it is no text."""
    PUT_AWAY = "put_away"
    """The other program calls it deleted, or switched off."""
    TOO_SHORT = "too_short"
    TOO_LONG = "too_long"
    NO_STATEMENT = "no_statement"
    """A chat in which nobody plainly says anything of themselves."""


class ForeignMemory(Struct, frozen=True):
    """A memory of another program. `place` says where it stands in the file; `key` is its own name there, empty where
    it has none, and stays the same from one export to the next."""

    format: ForeignFormat
    text: str
    place: str
    said_at: datetime | None = None
    key: str = ""
    chat: str = ""
    tags: tuple[str, ...] = ()


class ForeignText(Struct, frozen=True):
    """A text that tells several things: a list with a memory a line, or prose in paragraphs. One that `instructs` says
    how its writer wants to be answered."""

    format: ForeignFormat
    text: str
    place: str
    said_at: datetime | None = None
    chat: str = ""
    instructs: bool = False


class ForeignMessage(Struct, frozen=True):
    """What a person wrote in a chat."""

    text: str
    place: str
    said_at: datetime | None = None


class ForeignChat(Struct, frozen=True):
    """A chat, of which only the person's own messages are kept, in their order."""

    format: ForeignFormat
    title: str
    place: str
    messages: tuple[ForeignMessage, ...]


class ForeignGap(Struct, frozen=True):
    """An entry that holds nothing."""

    format: ForeignFormat
    place: str
    why: Unread


class Offered(Struct, frozen=True):
    """What an entry becomes: a memory that waits for a person. `uid` is the same whenever the same entry is read. It is
    held back because it was `held_because`; `quote` is how a person said it in a chat."""

    format: ForeignFormat
    uid: str
    content: str
    type: MemoryType
    place: str
    held_because: str
    tags: tuple[str, ...] = ()
    confidence: float = 1.0
    said_at: datetime | None = None
    chat: str = ""
    quote: str | None = None


class LeftOut(Struct, frozen=True):
    """What is not brought in, and why; `text` is how it begins."""

    place: str
    why: Unread
    text: str = ""


class Repeated(Struct, frozen=True):
    """What a file says again that it said at `first`."""

    place: str
    first: str


class ForeignBrought(Struct, frozen=True):
    """What the import of another program's file came to: beside what came, how much was `left` out, by why, and how
    often something was said again."""

    brought: Brought
    left: Mapping[str, int]
    repeated: int


ForeignEntry = ForeignMemory | ForeignText | ForeignChat | ForeignGap
