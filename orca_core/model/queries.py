"""Which memories and records to list, and what comes back."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from enum import StrEnum
from typing import Any, Generic

from msgspec import Struct, field

from orca_core.model.memories import Memory, MemoryType, State
from orca_core.model.records import R


class StatusCriteria(Struct, frozen=True):
    """A status as a store can look for it (`rules.keeping.status.criteria`)."""

    states: tuple[State, ...]
    weight_above: float | None = None
    weight_at_most: float | None = None


class MemorySort(StrEnum):
    WEIGHT = "weight"
    USED = "used"
    NEW = "new"
    TYPE = "type"
    WAITING = "waiting"
    ID = "id"


class MemoryQuery(Struct, frozen=True):
    """Which memories to list, in which order. `text` holds words, each of which must stand in a memory, if need be with
    letters between its own. Empty tuples mean all; memories must carry every tag named. Where the
    total is not `counted`, a page knows only its own length. `pinned` asks for those alone, or for all but those.
    `chat` holds words of the title of a chat elsewhere, `program` names the one whose file it came in; `operation` asks
    for what that operation changed, `ids` for some of these alone. A page begins at the `offset`, or behind the memory
    `after`, which costs the same wherever it stands; of those that wait also behind a `place`, which is a time and a
    number, whatever became of the memory that stood there."""

    criteria: StatusCriteria
    types: tuple[MemoryType, ...] = ()
    tags: tuple[str, ...] = ()
    sort: MemorySort = MemorySort.WEIGHT
    pinned: bool | None = None
    text: str = ""
    chat: str = ""
    program: str = ""
    operation: int | None = None
    ids: tuple[int, ...] | None = None
    counted: bool = True
    limit: int | None = None
    offset: int = 0
    after: int | None = None
    place: tuple[datetime, int] | None = None


class ListQuery(Struct, frozen=True):
    """Which memories to list, in words as people write them: a status (`live`, `all` …), types, tags, a sort; `ids` are
    those that are asked about. A page begins at the `offset`, or behind the memory `after`."""

    status: str = "live"
    types: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()
    sort: str = MemorySort.WEIGHT.value
    pinned_only: bool = False
    text: str = ""
    chat: str = ""
    program: str = ""
    operation: int | None = None
    ids: tuple[int, ...] | None = None
    limit: int | None = None
    offset: int = 0
    after: int | None = None


class TextPlace(Struct, frozen=True):
    """How far the texts of memories were looked through: up to this one of a scope."""

    scope: str
    text: str


class Sifted(Struct, frozen=True):
    """How far a list is looked through that is filtered by what no index knows: the numbers of the memories that it
    begins with, and how many were found so far. Where it `is_whole`, these are all."""

    ids: tuple[int, ...]
    total: int
    is_whole: bool


class MemoryPage(Struct, frozen=True):
    memories: tuple[Memory, ...]
    total: int


class RecordQuery(Struct, frozen=True):
    """Which records of a kind to list. `where` are columns, and the values one of which a record must hold there, as
    they are stored; it carries every tag named, and every word of `text` stands in its text, if need be with letters
    between its own. `order` are columns, downwards behind a minus. A page that is not `counted` has no total but its
    own length. One that goes on behind a `place`, which is a value for each column of an order upwards, costs the same
    wherever that is."""

    where: Mapping[str, tuple[Any, ...]] = field(default_factory=dict)
    tags: tuple[str, ...] = ()
    text: str = ""
    order: tuple[str, ...] = ("-id",)
    counted: bool = True
    limit: int | None = None
    offset: int = 0
    place: tuple[Any, ...] | None = None


class RecordPage(Struct, Generic[R], frozen=True):
    """A page of a list; `total` counts what is beyond it, too."""

    records: tuple[R, ...]
    total: int
