"""Operations: what is done to records as one, by whom, what it changed, how it is undone, how deletion is proven, and
how far a long one has come."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from enum import StrEnum
from pathlib import Path
from typing import Any, Generic

from msgspec import Struct, field
from msgspec.structs import replace

from orca_core.model.memories import Fields, Memory
from orca_core.model.record_types import Kind, R, Ref


class Actor(StrEnum):
    """Who made an operation."""

    USER = "user"
    TURN = "turn"
    EXTRACTION = "extraction"
    IMPORT = "import"
    CLEAN = "clean"
    CONSOLIDATION = "consolidation"
    """The memory agent, which made knowledge of episodes."""
    EPISODES = "episodes"
    """The memory agent, which read an ended chat for what was done in it."""
    ACTIONS = "actions"
    """The memory agent, which read what acts show."""
    PROMOTION = "promotion"
    """The rule by which what is supported goes live."""
    GUIDES = "guides"
    """The memory agent, which wrote the guide of a tool."""


class OperationHeader(Struct, frozen=True):
    """What an operation says of itself before it is carried out. `action` is a word such as `pin` or `weights`."""

    actor: Actor
    action: str
    at: datetime
    session_id: str | None = None
    round: int | None = None


class UnderWay(Struct, frozen=True):
    """How far an undo or redo of much is: the records of the operation that it takes back are looked at in turn."""

    done: int
    whole: int

    @property
    def percent(self) -> int:
        return 100 * self.done // max(1, self.whole)


class Operation(Struct, frozen=True):
    """An operation as carried out; `undone_by` names the undo that took it back. One that is `under_way` goes on by
    itself, in this process or the next."""

    id: int
    header: OperationHeader
    undoes: int | None = None
    undone_by: int | None = None
    under_way: UnderWay | None = None


class Change(Struct, frozen=True):
    """What an operation did to one record. `before` is None where the operation created it."""

    operation: int
    ref: Ref
    at: datetime
    actor: Actor
    action: str
    before: Fields | None
    after: Fields


class RecordsChanged(Struct, Generic[R], frozen=True):
    """The outcome of a hand action on records of one kind: the operation (None where nothing changed), and the records
    as they are now."""

    operation: int | None
    records: tuple[R, ...]


class Conflict(Struct, frozen=True):
    """A field that an undo left alone, because something changed it later."""

    ref: Ref
    field: str
    wanted: Any
    found: Any


class UndoPlan(Struct, frozen=True):
    """What an undo restores, record by record, and what it must leave."""

    restore: Mapping[Ref, Fields]
    conflicts: tuple[Conflict, ...] = ()


class SkippedOperation(Struct, frozen=True):
    """An operation that an undo can't take back: a delete, one of whose records nothing is left, or the restoring of a
    backup, before which `kept` was made, the name of another backup; empty where none is known of."""

    operation: Operation
    kept: str = ""


MOST_TOLD = 1000
"""So many records of an undo of much are told of. Chosen by hand."""


class UndoOutcome(Struct, frozen=True):
    """The outcome of an undo or redo: the records that it changed (of a step its task), and the memories
    among them as they are now. `later` operations touched the same records since and stand as they are.
    Where the latest act was asked for and not one by its number, `offered` is a machine's operation that came after
    it, and `passed_over` what was done since and can't be taken back, newest first. Of one that changed much only the
    first records, conflicts and later operations are named: it `changed` so many records, and left `unnamed` more
    fields alone. `finished` are the undos and redos that were left half done and came to their end first; where this
    one is among them, nothing else was taken back."""

    operation: int
    undid: Operation
    refs: tuple[Ref, ...]
    memories: tuple[Memory, ...]
    conflicts: tuple[Conflict, ...] = ()
    later: tuple[Operation, ...] = ()
    offered: Operation | None = None
    passed_over: tuple[SkippedOperation, ...] = ()
    changed: int = 0
    unnamed: int = 0
    finished: tuple[Operation, ...] = ()

    @property
    def is_nothing(self) -> bool:
        """Whether all that it would have changed was changed later, and left alone."""
        return not self.refs and not self.changed and bool(self.conflicts or self.unnamed)


KEPT = 2
"""So many of the ways in which a statement is compared are kept of it."""
DELETED = "deleted"
"""Why a machine does not bring something back."""


SESSION = Kind("session", "c")
"""A chat, which is looked for like a record."""


class DeletionTraces(Struct, frozen=True):
    """What a database holds of some records of one kind. `texts` are all that they say or said, `places` the rows that
    are theirs by number, `columns` those in which one of the texts stands word for word. The numbers tell where to look
    again once the records are gone."""

    kind: Kind
    ids: tuple[int, ...]
    texts: tuple[str, ...]
    runs: tuple[int, ...] = ()
    rounds: tuple[int, ...] = ()
    places: Mapping[str, int] = field(default_factory=dict)
    columns: Mapping[str, int] = field(default_factory=dict)


class ProofPlace(Struct, frozen=True):
    """A place that was looked at: how many rows of it there were, and are left."""

    name: str
    found: int
    left: int


class SearchedBackup(Struct, frozen=True):
    """A backup in Orca's folder: in how many rows one of the texts stands; None where it could not be read."""

    path: Path
    found: int | None


class DeletionProof(Struct, frozen=True):
    """All places, also those where nothing was. `columns` are told of where anything stood or stands."""

    places: tuple[ProofPlace, ...]
    columns: tuple[ProofPlace, ...]
    backups: tuple[SearchedBackup, ...]

    def with_further(self, other: DeletionProof) -> DeletionProof:
        """Both as one: of a command that deleted records of two kinds."""
        backups = zip(self.backups, other.backups, strict=True)
        return DeletionProof(
            _added(self.places, other.places),
            _added(self.columns, other.columns),
            tuple(replace(each, found=_sum(each.found, further.found)) for each, further in backups),
        )

    @property
    def is_gone(self) -> bool:
        """Whether nothing is left in any place, nor any text of it anywhere."""
        return not (
            any(each.left for each in (*self.places, *self.columns)) or any(each.found != 0 for each in self.backups)
        )


def _added(places: Sequence[ProofPlace], further: Sequence[ProofPlace]) -> tuple[ProofPlace, ...]:
    found = {each.name: each for each in places}
    for each in further:
        known = found.get(each.name, ProofPlace(each.name, 0, 0))
        found[each.name] = ProofPlace(each.name, known.found + each.found, known.left + each.left)
    return tuple(found.values())


def _sum(found: int | None, further: int | None) -> int | None:
    return None if found is None or further is None else found + further


class StageProgress(Struct, frozen=True):
    """So many of all in one stage, and how much of the next one, from 0 to 1."""

    stage: str
    done: int
    all: int
    part: float = 0.0

    @property
    def share(self) -> float:
        return (self.done + self.part) / self.all if self.all else 1.0


Tell = Callable[[StageProgress], None]
"""Hears how far it is; it may be called from another thread, but never twice at once."""


def tell_nobody(reached: StageProgress) -> None:
    """For who does not want to hear it."""
