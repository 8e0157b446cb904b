"""Translates errors of SQLite and of the disk: which mean damage, a full disk, missing rights or no disk."""

from __future__ import annotations

import errno
import os
import resource
from collections.abc import Callable
from glob import escape
from pathlib import Path
from typing import TypeVar

import apsw

from orca_core.model.errors import (
    DiskFailed,
    IndexDamaged,
    StorageError,
    StoreBusy,
    StoreDamaged,
    StoreForeign,
    StoreFull,
    StoreReadOnly,
)

BACKUP_FOLDER = "backups"
SIDES = ("-wal", "-shm")
"""What SQLite keeps beside a database, by the end of its name."""
LEAST_ROOM_BYTES = 262_144
"""A transaction needs this much for the WAL and its index; with less the disk counts as full. Chosen by hand."""
DAMAGE = frozenset(
    {apsw.SQLITE_IOERR_CORRUPTFS, apsw.SQLITE_IOERR_DATA, apsw.SQLITE_IOERR_SHORT_READ, apsw.SQLITE_IOERR_IN_PAGE}
)
"""Errors of input and output that say something of the file, not of the disk's room or its health."""
NO_ROOM = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EFBIG})
NO_RIGHT = frozenset({errno.EACCES, errno.EPERM, errno.EROFS})

MAGIC = b"SQLite format 3\0"
"""So a database begins."""

Room = Callable[[Path], int]
Broken = TypeVar("Broken", bound=StorageError)


class BrokenIndex(apsw.Error):
    """Tables of an index are damaged or missing."""


def translate(error: apsw.Error, path: Path, room: Room | None = None) -> StorageError:
    """The StorageError that says what went wrong with the database at `path`."""
    detail = str(error)
    match error:
        case apsw.BusyError() | apsw.LockedError():
            return StoreBusy(path=path)
        case apsw.FullError():
            return StoreFull(path=path)
        case apsw.ReadOnlyError() | apsw.PermissionsError():
            return StoreReadOnly(path=path)
        case apsw.CantOpenError():
            return no_room(path, room) or _not_opened(path)
        case apsw.NotADBError():
            return _with_backup(StoreForeign(path=path, detail=detail))
        case BrokenIndex():
            return IndexDamaged(path=path, detail=detail)
        case apsw.CorruptError() if getattr(error, "extendedresult", 0) == apsw.SQLITE_CORRUPT_VTAB:
            return IndexDamaged(path=path, detail=detail)
        case apsw.CorruptError():
            return damaged(path, detail)
        case apsw.IOError():
            if getattr(error, "extendedresult", 0) in DAMAGE:
                return damaged(path, detail)
            return no_room(path, room) or DiskFailed(path=path, detail=detail)
    return StorageError(path=path, detail=detail)


def translate_os(error: OSError, path: Path) -> StorageError:
    """The StorageError for an OSError of a file or a folder."""
    if error.errno in NO_ROOM:
        return no_room(path) or StoreFull(path=path)
    if error.errno in NO_RIGHT:
        return StoreReadOnly(path=path)
    return DiskFailed(path=path, detail=error.strerror or str(error))


def damaged(path: Path, detail: str) -> StoreDamaged:
    """The error for damage, naming the latest backup where there is one."""
    return _with_backup(StoreDamaged(path=path, detail=detail))


def emptied(path: Path, size: int) -> StoreDamaged:
    """The error for a file that was a database once, or was to become one."""
    template = "{path}: the database is empty ({size} bytes are left of it)"
    return _with_backup(StoreDamaged(path=path, template=template, size=size))


def _with_backup(error: Broken) -> Broken:
    backup = newest_backup(Path(str(error.fields["path"])))
    if backup is None:
        return error
    hint_template = "a backup is there: quit every Orca, then orca restore {backup}"
    return type(error)(template=error.sentence_template, hint=hint_template, backup=backup, **error.fields)


def newest_backup(path: Path) -> Path | None:
    """The latest backup of the database at `path` that is a database: what was kept before a restore may be none."""
    try:
        found = (path.parent / BACKUP_FOLDER).glob(f"{escape(path.stem)}-*.db")
        backups = [(each.stat().st_mtime, each) for each in found if _begins_well(each)]
    except OSError:  # an unreadable folder offers no backup
        return None
    return max(backups)[1] if backups else None


def _begins_well(path: Path) -> bool:
    if not path.is_file():
        return False
    with path.open("rb") as file:
        return file.read(len(MAGIC)) == MAGIC


def no_room(path: Path, room: Room | None = None, made_as: Path | None = None) -> StoreFull | None:
    """What stops the database from growing, if anything: the disk, or a limit of this process. A database that is
    being made has another name."""
    if (room or free_bytes)(path) < LEAST_ROOM_BYTES:
        return StoreFull(path=path)
    most, _hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    largest = max((each.stat().st_size for each in _files_of(made_as or path) if each.exists()), default=0)
    if most != resource.RLIM_INFINITY and largest + LEAST_ROOM_BYTES > most:
        return StoreFull(
            path=path,
            template="{path}: no file may grow beyond {most} bytes here",
            hint="raise the limit (ulimit -f); what is already stored is safe",
            most=most,
        )
    return None


def free_bytes(path: Path) -> int:
    """The free space on the disk for this user; 0 where no file can be added."""
    folder = next((each for each in path.parents if each.is_dir()), Path("/"))
    try:
        disk = os.statvfs(folder)
    except OSError:
        return LEAST_ROOM_BYTES  # an unknown size does not mean full
    if disk.f_files and not disk.f_favail:
        return 0
    return disk.f_bavail * disk.f_frsize


def _files_of(path: Path) -> list[Path]:
    return [path, *(path.with_name(path.name + side) for side in SIDES)]


def _not_opened(path: Path) -> StorageError:
    if path.exists() and not os.access(path, os.R_OK):
        return StoreReadOnly(path=path, template="{path}: the database can not be read")
    return StoreReadOnly(path=path)
