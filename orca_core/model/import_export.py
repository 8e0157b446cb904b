"""What travels between homes: records of every kind with their history, named by what is the same in each of them; and
what the files of other programs hold, before anything is decided about it."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from enum import StrEnum
from typing import Any

from msgspec import Struct, field

from orca_core.model.episodes import EPISODES
from orca_core.model.feedback import ACTIONS, SUPPORTS
from orca_core.model.knowledge import KNOWLEDGES
from orca_core.model.memories import MEMORIES, Fields, MemoryType, State
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

IMPORT_ORDER = "memories tasks steps episodes knowledge guides actions supports tool_calls".split()
"""A record comes behind those that it rests on."""

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

HELD_BACK: Fields = {
    "state": State.CANDIDATE.value,
    "held_because": "imported",
    "archived_because": None,
    "pinned": False,
}
"""What a record has that comes from a file and waits for a person."""


COMPARED_TO = "compared_to_"
"""Under this and the number of an import a database notes up to which of its memories they were compared with others,
until all were."""


class ExportedChange(Struct, frozen=True):
    """What an operation did to a record. `operation` is its number in the document."""

    operation: int
    before: Fields | None
    after: Fields


class ExportedPair(Struct, frozen=True):
    """A pair of memories that the rules left to a person; it travels with the newer one. `settled` is `both` where a
    person keeps both, None while it is open."""

    older: str
    why: str
    at: datetime
    settled: str | None = None


class ExportedRecord(Struct, frozen=True):
    """A record on its way: its columns as plain values, but for its number, with names where it speaks of others.
    `is_read`: an episode was consolidated as it stands.
    `pairs` are None of a memory that a document says nothing of. `place` (`memories[41]`) and `line` say where it
    stands in a document."""

    kind: Kind
    fields: Fields
    history: tuple[ExportedChange, ...] = ()
    is_read: bool = False
    pairs: tuple[ExportedPair, ...] | None = None
    place: str = ""
    line: int = 1


class ExportedOperation(Struct, frozen=True):
    """An operation of which something travels, by its number in the document."""

    number: int
    header: OperationHeader
    undoes: int | None = None
    undone_by: int | None = None
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


COMES = (Arrival.NEW, Arrival.CANDIDATE)


class IncomingRecord(Struct, frozen=True):
    """A record that was checked, and what is to come of it unless it is here or was deleted here: `may` is NEW,
    CANDIDATE or LEFT_OUT."""

    record: ExportedRecord
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


class ImportedRecord(Struct, frozen=True):
    """What became of one record. `label` is what it says, shortened; `ref` is its number here, None where it is not
    here."""

    name: str
    label: str
    uid: str
    place: str
    line: int
    arrival: Arrival
    ref: Ref | None = None


class SkipReason(StrEnum):
    """Why nothing is brought in of an entry."""

    NO_TEXT = "no_text"
    """None of the fields that hold a text is there, or it is no text."""
    PUT_AWAY = "put_away"
    """The other program calls it deleted, or switched off."""
    TOO_SHORT = "too_short"
    TOO_LONG = "too_long"


class SkippedEntry(Struct, frozen=True):
    """What of another program's file is not brought in, and why; `text` is how it begins."""

    place: str
    why: SkipReason
    text: str = ""


ImportCounts = Mapping[str, Mapping[Arrival, int]]
"""How many records of each list became what."""


class ImportResult(Struct, frozen=True):
    """What an import came to: `operation` is None where nothing was written. Of another program's file also how much
    was `skipped`, and how often something was said again."""

    operation: int | None
    counts: ImportCounts
    is_trusted: bool
    skipped: Mapping[SkipReason, int] = field(default_factory=dict)
    repeated: int = 0

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


ForeignEntry = ForeignMemory | ForeignText | SkippedEntry


class OfferedMemory(Struct, frozen=True):
    """What an entry becomes: a memory that waits for a person. `uid` is the same whenever the same entry is read. It is
    held back because it was `held_because`; `seen` times the file says it."""

    format: ForeignFormat
    uid: str
    content: str
    type: MemoryType
    place: str
    held_because: str
    tags: tuple[str, ...] = ()
    said_at: datetime | None = None
    chat: str = ""
    seen: int = 1
