"""What travels between homes: records of every kind with their history, named by what is the same in each of them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from orca_core.domain.growth.actions import ACTIONS
from orca_core.domain.growth.supports import SUPPORTS
from orca_core.domain.growth.tools import GUIDES
from orca_core.domain.journal import OperationHeader
from orca_core.domain.memories import MEMORIES, Fields, Status
from orca_core.domain.records import RecordType
from orca_core.domain.refs import ACTION, CALL, EPISODE, GUIDE, KNOWLEDGE, MEMORY, SUPPORT, TASK, Kind
from orca_core.domain.work.episodes import EPISODES
from orca_core.domain.work.knowledge import KNOWLEDGES
from orca_core.domain.work.tasks import STEP, STEPS, TASKS

IMPORT = "import"
"""The action by which records come from a file. It tells of the home that they came into: it does not travel."""


@dataclass(frozen=True, slots=True)
class KeptCall:
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


@dataclass(frozen=True, slots=True)
class PackedChange:
    """What an operation did to a record. `operation` is its number in the document."""

    operation: int
    before: Fields | None
    after: Fields


@dataclass(frozen=True, slots=True)
class Packed:
    """A record on its way: its columns as plain values, but for its number, with names where it speaks of others.
    `status` is the one that people see, where the kind has one; `is_read`: an episode was consolidated as it stands."""

    kind: Kind
    fields: Fields
    history: tuple[PackedChange, ...] = ()
    status: Status | None = None
    is_read: bool = False


@dataclass(frozen=True, slots=True)
class PackedOperation:
    """An operation of which something travels, by its number in the document."""

    number: int
    header: OperationHeader
    undoes: int | None = None
    undone_by: int | None = None
