"""A backup on its way back: what it would change, and what became of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from datetime import datetime
from pathlib import Path
from typing import Protocol

from orca_core.domain.backups import Backup, DatabaseCopy
from orca_core.domain.dataclass import dataclass
from orca_core.domain.errors import StorageError
from orca_core.domain.refs import EPISODE, Kind

RESTORED = "restore_backup"
"""The operation that stands in the history of a restored database."""


def kept_note(operation: int) -> str:
    """Under what a restored database notes the name of the backup that holds what stood before this operation."""
    return f"kept_before_{operation}"


@dataclass(frozen=True, slots=True)
class Differing:
    """A record that is not as it was, as people name it, with its title; of one that is in both, its title `then`
    where that was another, and the fields that differ."""

    name: str
    title: str
    profile: str
    then: str = ""
    fields: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class KindChange:
    """How many records of a kind there are now, and would be then; how many go, come back and are changed by it, and
    which these are, newest first: none are named where all are of one sort."""

    now: int
    then: int
    lost: int
    back: int
    changed: int = 0
    those_lost: tuple[Differing, ...] = ()
    those_back: tuple[Differing, ...] = ()
    those_changed: tuple[Differing, ...] = ()


@dataclass(frozen=True, slots=True)
class NamedDeleted:
    """What of a backup was deleted since, in one profile: records by kind, episodes that had `faded`, sessions, rounds,
    tools whose calls were."""

    records: Mapping[Kind, tuple[int, ...]] = field(default_factory=dict)
    sessions: tuple[str, ...] = ()
    rounds: tuple[tuple[str, int], ...] = ()
    tools: tuple[str, ...] = ()
    faded: tuple[int, ...] = ()

    @property
    def counts(self) -> dict[str, int]:
        """By kind, none that there is none of."""
        counted = {kind.name: len(ids) for kind, ids in self.records.items()}
        counted |= {"session": len(self.sessions), "round": len(self.rounds), "tool": len(self.tools)}
        counted[EPISODE.name] = counted.get(EPISODE.name, 0) + len(self.faded)
        return {kind: count for kind, count in counted.items() if count}


@dataclass(frozen=True, slots=True)
class RestorePlan:
    """What restoring would do. `kinds` are told of as in `Backup.counts`; `stays_deleted` counts what the backup holds
    and a person deleted since. `present` is why what is here can not be read, where it can't: then nothing of it is
    known but that it is there."""

    backup: Backup
    kinds: Mapping[str, KindChange]
    newest_now: datetime | None = None
    newest_then: datetime | None = None
    stays_deleted: Mapping[str, int] = field(default_factory=dict)
    present: StorageError | None = None
    is_anything_here: bool = True


@dataclass(frozen=True, slots=True)
class Restored:
    """A backup that is in its place. `kept` is what stood there before; None where nothing did."""

    backup: Backup
    kept: Path | None
    stays_deleted: Mapping[str, int] = field(default_factory=dict)


class Replacement(Protocol):
    """Puts a checked copy in the place of a database that nobody has open. Methods are called one at a time."""

    def begin(self, *, alone: bool) -> None:
        """Raises InvalidInput where the backup is that database; where it must be `alone`, StoreBusy while somebody has
        the database open."""
        ...

    def copy(self) -> DatabaseCopy:
        """Of the backup, beside the database."""
        ...

    def take(self, copy: DatabaseCopy) -> Path:
        """Bring a copy that was verified to the newest schema; where it is."""
        ...

    def plan(self, stays_deleted: Mapping[str, NamedDeleted]) -> RestorePlan:
        """What the copy would change, as it is; `stays_deleted` was taken out of it."""
        ...

    def hold(self) -> None:
        """Keep everybody else from the database until the end. Raises StoreBusy."""
        ...

    def keep_present(self) -> DatabaseCopy | None:
        """A copy of what is here, for the backups; None where there is nothing, or nothing that can be read."""
        ...

    def keep_unread(self, path: Path) -> bool:
        """Keep what can not be read, byte by byte; False where there is nothing."""
        ...

    def deleted_since(self) -> Mapping[str, NamedDeleted]:
        """What of the copy was deleted here, by profile."""
        ...

    def put_in_place(self, scope: str, at: datetime, kept: str) -> None:
        """Carry over what was deleted here and which numbers were given, and give the copy its place. `kept` names the
        backup of what stood here; empty where there is none."""
        ...

    def close(self) -> None:
        """Let go of everything; a copy that is not in its place is deleted."""
        ...
