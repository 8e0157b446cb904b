"""Copies of a whole database: what one holds, and what is told while one is made."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from enum import StrEnum
from pathlib import Path

from msgspec import Struct, field

from orca_core.model.errors import StorageError


class MadeFor(StrEnum):
    """What a backup was made for."""

    HAND = "hand"
    RESTORE = "restore"
    """It holds what stood there before a backup was restored."""
    UPGRADE = "upgrade"
    """It holds what stood there before a newer Orca changed its tables."""


class Stage(StrEnum):
    """What is being done with a copy."""

    COPYING = "copying"
    CHECKING = "checking"


class Progress(Struct, frozen=True):
    """How far a copy is."""

    stage: Stage
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


class BackedUp(Struct, frozen=True):
    """A backup that was made, and the names of older ones that were deleted for it."""

    backup: Backup
    dropped: tuple[str, ...] = ()
