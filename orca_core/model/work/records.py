"""What episodes and knowledge have in common: how they are listed, found and put away by hand."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from enum import StrEnum
from typing import Generic, Protocol, TypeVar

from msgspec import Struct

from orca_core.model.causes import Cause
from orca_core.model.memories import ArchivedBecause, Fields, Origin, State
from orca_core.model.recall import Level, ScoreParts


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
