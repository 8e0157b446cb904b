"""What speaks for a memory that nobody stated in so many words: acts and rounds, each a support."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from datetime import datetime
from enum import StrEnum

from msgspec import Struct

from orca_core.model.memories import Fields, Memory
from orca_core.model.records import Changeable, RecordType
from orca_core.model.refs import SUPPORT


class SupportKind(StrEnum):
    ACT = "act"
    ROUND = "round"


class SupportState(StrEnum):
    STANDING = "standing"
    WITHDRAWN = "withdrawn"
    """Its act is deleted."""
    UNDONE = "undone"


class Support(Struct, frozen=True):
    """One thing that speaks for a memory. Whether it stands follows from itself and from its `act`: taking an act back
    touches that one row, whatever it supported. `source` names what both an act on a round and what was read out of
    that round rest on: they are one."""

    id: int
    memory: int
    kind: SupportKind
    source: str
    at: datetime
    act: int | None = None
    session_id: str | None = None
    round: int | None = None
    state: Changeable[SupportState] = SupportState.STANDING

    @property
    def created_at(self) -> datetime:
        return self.at


SUPPORTS = RecordType(SUPPORT, Support, "supports", text="", unmade={"state": SupportState.UNDONE.value})


class Supported(Struct, frozen=True):
    """A memory with the supports that stand. `undone_at` is when a person took back what became of it by them."""

    memory: Memory
    supports: tuple[Support, ...] = ()
    undone_at: datetime | None = None


class Visited(Struct, frozen=True):
    """A candidate, as far as its visits go."""

    created_at: datetime
    searched_at: datetime | None = None
    supports: tuple[Support, ...] = ()


class Weighed(Struct, frozen=True):
    """How near a candidate is to going live by what supports it: on so many `days` of `needed`, with a `score` against
    the `threshold` of the pool. `visited` counts supports, and searches by programs that returned it. `is_ready`: it
    may go live now, where it is the best; `blocked_by` names the reason that only a person lifts, empty where there is
    none."""

    days: int
    needed: int
    score: float
    threshold: float
    visited: int
    supports: tuple[Support, ...] = ()
    blocked_by: str = ""

    @property
    def is_ready(self) -> bool:
        return not self.blocked_by and self.days >= self.needed and self.score >= self.threshold


class Carried(Struct, frozen=True):
    """What speaks for a memory, on so many different `days`."""

    days: int
    supports: tuple[Support, ...]


StandsAfter = Callable[[Supported], Fields]
"""What becomes of a memory once what supports it has changed (`rules.feedback.promoting.stands_after`); no fields where
it stays as it is."""

ChoosePromoted = Callable[[Sequence[Supported], datetime, Collection[int]], Memory | None]
"""The candidate that is to go live next, of all that wait, but for those with these numbers
(`rules.feedback.promoting.promoted`)."""
