"""What a front end is given of memories: with all that the core's thresholds say of them, so that nobody computes it
anew."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from enum import StrEnum
from typing import Any, Generic

from msgspec import Struct, field

from orca_core.model.causes import Cause
from orca_core.model.diagnosis import StoreHealth
from orca_core.model.dialogues import Round
from orca_core.model.memories import Memory, Status
from orca_core.model.nearness import Nearness
from orca_core.model.recall import Level, ScoreParts
from orca_core.model.records import R


class Forecast(Struct, frozen=True):
    """How many more injections of one kind lead where: `archived` after unused ones, `core` after used ones."""

    unused_until_archived: int | None
    used_until_core: int | None


class MemoryView(Struct, frozen=True):
    """A memory as people see it: its status, what is coming, and how much of the most it weighs (0 to 1)."""

    memory: Memory
    status: Status
    forecast: Forecast
    fullness: float

    @property
    def record(self) -> Memory:
        """The memory, as a list of any kind calls it."""
        return self.memory


ViewOf = Callable[[Memory], MemoryView]


class ViewPage(Struct, frozen=True):
    """A page of a list; `total` counts what is beyond it, too."""

    views: tuple[MemoryView, ...]
    total: int

    @property
    def memories(self) -> tuple[Memory, ...]:
        return tuple(view.memory for view in self.views)


class SearchHit(Struct, frozen=True):
    """A memory that was found, and what speaks for it."""

    view: MemoryView
    parts: ScoreParts

    @property
    def memory(self) -> Memory:
        return self.view.memory


class SearchResult(Struct, frozen=True):
    """What a search by hand found, at which level, and why not at a better one. `rules` say by what less was looked
    at than there is, and how the order came about, where not by the scores alone."""

    hits: tuple[SearchHit, ...]
    level: Level
    cause: Cause | None
    rules: tuple[str, ...] = ()


class Since(StrEnum):
    """What is no longer so as it was when a candidate was found. Its target is the memory that it was to replace."""

    ROUNDS_GONE = "rounds_gone"
    QUOTE_GONE = "quote_gone"
    TARGET_GONE = "target_gone"
    TARGET_ARCHIVED = "target_archived"
    TARGET_PINNED = "target_pinned"
    TARGET_CHANGED = "target_changed"
    DELETED = "deleted"
    """What it says was deleted once."""


class Standing(Struct, frozen=True):
    """What holds of a candidate at present. `held_because` is None where today's rules would let it live; `replaces`
    is the live memory that accepting archives, `same` one that says the same by now."""

    held_because: str | None = None
    replaces: int | None = None
    same: Memory | None = None
    since: tuple[Since, ...] = ()


class Case(Struct, frozen=True):
    """A memory, most often a candidate, with what a decision about it needs: the rounds that it came from, the memory
    that it would replace, repeats or stands nearest to, and how a candidate stands at present."""

    view: MemoryView
    rounds: tuple[Round, ...]
    nearest_view: MemoryView | None
    standing: Standing = Standing()  # frozen
    nearness: Nearness | None = None
    """How near the nearest is; None where it was not found by a search."""

    @property
    def memory(self) -> Memory:
        return self.view.memory

    @property
    def nearest(self) -> Memory | None:
        return None if self.nearest_view is None else self.nearest_view.memory


class Waiting(Struct, frozen=True):
    """How many candidates wait for a person, and since when the oldest does; None where none waits."""

    count: int = 0
    since: datetime | None = None


class PairView(Struct, frozen=True):
    """Two memories that may say the same, or contradict each other: the rules do not know."""

    newer: MemoryView
    older: MemoryView
    why: str


class About(Struct, frozen=True):
    """What a front end says of how Orca is set up: who answers (nobody but the demo where `provider` is empty), what
    the model takes as far as the configuration says, after how many rounds something is learnt, and whether memories
    are found by letters though an embedder of meaning is installed."""

    provider: str
    model: str
    context_tokens: int
    learns_at: int
    offers_meaning: bool = False

    @property
    def is_demo(self) -> bool:
        return not self.provider


class Stats(Struct, frozen=True):
    """What is in the store: memories by status and by type, tasks, episodes and knowledge by status; and how large it
    is."""

    by_status: dict[str, int]
    by_type: dict[str, int]
    health: StoreHealth
    of_work: dict[str, dict[str, int]] = field(default_factory=dict)


class RecordView(Struct, Generic[R], frozen=True):
    """How people and programs see a record of a further kind: its JSON, and one line of it for lists."""

    json: Callable[[R], dict[str, Any]]
    line: Callable[[R], str]
