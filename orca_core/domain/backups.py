"""Copies of a whole database: what one holds, and what is told while one is made."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from datetime import datetime
from enum import StrEnum
from pathlib import Path
from typing import Protocol

from orca_core.domain.dataclass import dataclass
from orca_core.domain.errors import StorageError


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


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a copy is."""

    stage: Stage
    done_bytes: int
    total_bytes: int


@dataclass(frozen=True, slots=True)
class Backup:
    """A backup as it lies in its folder. `counts` says how many of each kind it holds; empty where the file does not
    say. `failure` is why it can not be read."""

    path: Path
    at: datetime
    bytes: int
    made_for: MadeFor
    schema: int = 0
    counts: Mapping[str, int] = field(default_factory=dict)
    failure: StorageError | None = None


@dataclass(frozen=True, slots=True)
class BackedUp:
    """A backup that was made, and the names of older ones that were deleted for it."""

    backup: Backup
    dropped: tuple[str, ...] = ()


class DatabaseCopy(Protocol):
    """A copy under way. Its methods are called one at a time, but `stop`, which any thread may call."""

    def begin(self) -> Progress:
        """Raises StorageError."""
        ...

    def step(self) -> Progress:
        """Copy some more; nothing is left where all bytes are done."""
        ...

    def verify(self, at: datetime | None) -> None:
        """Compare and check the whole copy, and note in a backup when it was made. Raises StorageError."""
        ...

    def keep(self, path: Path, *, overwrites: bool) -> None:
        """Give the copy its name. Raises InvalidInput where that is taken."""
        ...

    def stop(self) -> None:
        """Cut short what is being done."""
        ...

    def close(self) -> None:
        """Let go of both files; a copy that was not kept is deleted."""
        ...


class BackupFiles(Protocol):
    """The backups of one database."""

    @property
    def folder(self) -> Path: ...

    @property
    def stem(self) -> str:
        """How their names begin."""
        ...

    def make_folder(self) -> None:
        """Make sure that it is there. Raises StorageError, also where there is no database."""
        ...

    def copy(self, folder: Path) -> DatabaseCopy:
        """A copy of the database as it will be when it begins, made in this folder."""
        ...

    def read(self, path: Path) -> Backup:
        """A backup, without looking through it."""
        ...

    def listed(self) -> list[Backup]:
        """All in the folder, newest first."""
        ...

    def drop(self, folder: Path, keep: int, newest: str) -> list[str]:
        """Delete all but the newest ones made by hand or by a restore; returns their names."""
        ...
