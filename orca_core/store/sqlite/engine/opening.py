"""Opens a database file: inspects an existing one first, and names a new one once it is complete."""

from __future__ import annotations

import errno
import fcntl
import os
import stat
from collections.abc import Callable
from glob import escape
from pathlib import Path

import apsw

from orca_core.model.errors import StorageError, StoreForeign, StoreMissing
from orca_core.store.sqlite.engine import processes
from orca_core.store.sqlite.engine.connection import BUSY_TIMEOUT_MS, connect
from orca_core.store.sqlite.engine.failures import SIDES, emptied, no_room, translate, translate_os

Check = Callable[[apsw.Connection, Path], None]
"""Inspects a database through a read-only connection, and may refuse it."""
Fill = Callable[[apsw.Connection], None]
"""Makes the tables of a new database."""

LEAST_BYTES = 512
"""SQLite treats a shorter file as empty, and would overwrite it."""
UNFINISHED = ".new"


def prepared(path: Path, *, must_exist: bool, check: Check | None, fill: Fill | None) -> int:
    """The inode of the database at `path`, after all checks. Raises StorageError."""
    try:
        if not path.exists():
            if must_exist:
                raise StoreMissing(path=path)
            _create(path, fill)
        return _looked_at(path, must_exist, check)
    except apsw.Error as error:
        raise translate(error, path) from error
    except OSError as error:
        raise translate_os(error, path) from error


def _looked_at(path: Path, must_exist: bool, check: Check | None) -> int:
    found = path.stat()
    if stat.S_ISDIR(found.st_mode):
        raise StoreForeign(path=path, detail="it is a folder")
    if not stat.S_ISREG(found.st_mode):
        raise StoreForeign(path=path, detail="it is no regular file")
    if found.st_size == 0 and must_exist:
        raise StoreForeign(path=path, detail="it is empty")
    if found.st_size < LEAST_BYTES:
        raise emptied(path, found.st_size)
    if check is not None:
        connection = apsw.Connection(str(path), flags=apsw.SQLITE_OPEN_READONLY)
        connection.set_busy_timeout(BUSY_TIMEOUT_MS)
        try:
            check(connection, path)
        finally:
            connection.close()
    return found.st_ino


def _create(path: Path, fill: Fill | None) -> None:
    """A new database, private from its first byte. It is made under another name: one that is there is whole.

    Where two processes do this at once, one gives the name and the other opens what that one made.
    """
    path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    refuse_a_lone_journal(path)
    _clear_unfinished(path)
    # The owner in the name tells whether the process that creates it still runs.
    owner = processes.this_process().replace(":", "-")
    unfinished = path.with_name(f".{path.name}.{owner}-{os.urandom(4).hex()}{UNFINISHED}")
    try:
        os.close(os.open(unfinished, os.O_CREAT | os.O_EXCL | os.O_RDWR, 0o600))
        _filled(unfinished, fill, path)
        _give_name(unfinished, path)
    except (apsw.IOError, apsw.CantOpenError) as error:
        if full := no_room(path, made_as=unfinished):  # needs the sizes of the files that are deleted now
            raise full from error
        raise
    finally:
        _take_away(unfinished)


def _filled(unfinished: Path, fill: Fill | None, path: Path) -> None:
    connection = connect(unfinished, path)
    try:
        if fill is not None:
            fill(connection)
        busy, _, _ = connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone() or (1, 0, 0)
    finally:
        connection.close()
    if busy or unfinished.stat().st_size < LEAST_BYTES:
        raise no_room(path, made_as=unfinished) or StorageError(
            path=path, detail="the new database could not be written out"
        )


def _give_name(unfinished: Path, path: Path) -> None:
    """Give the database its name, unless another process was first."""
    folder = os.open(path.parent, os.O_RDONLY)
    try:
        try:
            path.hardlink_to(unfinished)
        except FileExistsError:
            return
        except OSError as error:
            if error.errno not in (errno.EPERM, errno.ENOTSUP, errno.EMLINK, errno.ENOSYS):
                raise
            fcntl.flock(folder, fcntl.LOCK_EX)  # this file system has no hard links
            if not path.exists():
                unfinished.rename(path)
        os.fsync(folder)
    finally:
        os.close(folder)


def refuse_a_lone_journal(path: Path) -> None:
    """Refuse a WAL without its database: it holds the latest writes, and a new database would damage it or be
    damaged."""
    journal = path.with_name(f"{path.name}-wal")
    if journal.exists() and journal.stat().st_size and not path.exists():
        raise StorageError(
            path=path,
            template="{path}: the database is gone, its journal {journal} is still there",
            hint="put the database back beside it, or move the journal away to begin anew",
            journal=journal.name,
        )


def _clear_unfinished(path: Path) -> None:
    """Delete the files of killed creations."""
    for left in path.parent.glob(f".{escape(path.name)}.*{UNFINISHED}"):
        number, started, *_random = [*left.name.removeprefix(f".{path.name}.").split("-"), ""]
        if not processes.is_alive(f"{number}:{started}"):
            _take_away(left)


def _take_away(unfinished: Path) -> None:
    for each in (unfinished, *(unfinished.with_name(unfinished.name + side) for side in SIDES)):
        each.unlink(missing_ok=True)
