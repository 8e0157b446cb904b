"""Copies of a whole database: what one holds, what is told while one is made, and what restoring it would change."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from enum import StrEnum
from pathlib import Path

from msgspec import Struct, field

from orca_core.model.errors import StorageError
from orca_core.model.record_types import EPISODE, Kind


class MadeFor(StrEnum):
    """What a backup was made for."""

    HAND = "hand"
    RESTORE = "restore"
    """It holds what stood there before a backup was restored."""
    UPGRADE = "upgrade"
    """It holds what stood there before a newer Orca changed its tables."""


class CopyStage(StrEnum):
    """What is being done with a copy."""

    COPYING = "copying"
    CHECKING = "checking"


class CopyProgress(Struct, frozen=True):
    """How far a copy is."""

    stage: CopyStage
    done_bytes: int
    total_bytes: int


class Backup(Struct, frozen=True):
    """A backup as it lies in its folder. `counts` says how many of each kind it holds; empty where the file does not
    say. `failure` is why it can not be read."""

    path: Path
    at: datetime
    bytes: int
    made_for: MadeFor
    schema: int = 0
    counts: Mapping[str, int] = field(default_factory=dict)
    failure: StorageError | None = None


class BackupMade(Struct, frozen=True):
    """A backup that was made, and the names of older ones that were deleted for it."""

    backup: Backup
    dropped: tuple[str, ...] = ()


RESTORED = "restore_backup"
"""The operation that stands in the history of a restored database."""


def kept_note(operation: int) -> str:
    """Under what a restored database notes the name of the backup that holds what stood before this operation."""
    return f"kept_before_{operation}"


class KindChange(Struct, frozen=True):
    """How many records of a kind there are now, and would be then; how many go, come back and are changed by it."""

    now: int
    then: int
    lost: int
    back: int
    changed: int = 0


class DeletedSince(Struct, frozen=True):
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


class RestorePlan(Struct, frozen=True):
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


class RestoreResult(Struct, frozen=True):
    """A backup that is in its place. `kept` is what stood there before, a backup unless it could not be read; None
    where nothing stood there."""

    backup: Backup
    kept: Path | None
    is_kept_readable: bool = True
    stays_deleted: Mapping[str, int] = field(default_factory=dict)
