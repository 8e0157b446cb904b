"""Copies a database as of one moment while others write to it (docs/decisions/0044); makes, lists and drops the backups
of one database, in the folder beside it."""

from __future__ import annotations

import json
import os
import stat
from collections.abc import Generator, Iterator
from contextlib import closing, contextmanager
from datetime import UTC, datetime
from pathlib import Path
from threading import Event
from typing import Any
from urllib.parse import quote

import apsw

from orca_core.model.backups import Backup, CopyProgress, CopyStage, MadeFor
from orca_core.model.errors import IndexDamaged, InvalidInput, StorageError, StoreForeign, StoreFull, StoreMissing
from orca_core.model.record_types import parse_timestamp, timestamp
from orca_core.operations.columns import to_json
from orca_core.rules.memory import memory_upkeep
from orca_core.store.sqlite import deleted_rows, wiping
from orca_core.store.sqlite.engine.connection import BUSY_TIMEOUT_MS, connect
from orca_core.store.sqlite.engine.failures import (
    BACKUP_FOLDER,
    LEAST_ROOM_BYTES,
    SIDES,
    damaged,
    free_bytes,
    translate,
    translate_os,
)
from orca_core.store.sqlite.engine.meta import meta, set_meta
from orca_core.store.sqlite.engine.opening import Check, prepared
from orca_core.store.sqlite.index.index_tables import damaged_pages
from orca_core.store.sqlite.schema.migrations import NEWEST, check_is_ours, check_shape, sweep, version_of
from orca_core.store.sqlite.upkeep import database_contents
from orca_core.store.sqlite.upkeep.database_contents import check_rows

PAGES_A_STEP = 128
"""A megabyte, which is written out before the next: more would be waited for by whoever saves a turn meanwhile
(measured by benchmarks/backup.py)."""
BESIDE = (*SIDES, "-journal")
_INSTRUCTIONS = 100_000
"""After so many a check looks whether it is to stop."""


def copied(path: Path, into: Path, stop: Event, check: Check = check_is_ours) -> Iterator[CopyProgress]:
    """Copy the database at `path` to `into`, a new file for its owner alone, and check its pages; what was deleted and
    waits to be wiped is not in it. `stop` cuts the check short. Raises StorageError."""
    prepared(path, must_exist=True, check=check, fill=None)
    with translated(path, path):
        source = begun_read(path)
    with closing(source), translated(path, into):
        size = _pragma(source, "page_count") * _pragma(source, "page_size")
        _check_room(into, size)
        file = os.open(into, os.O_CREAT | os.O_EXCL | os.O_RDWR, 0o600)
        try:
            with closing(apsw.Connection(str(into))) as copy:
                # Half a copy is no use: it is written out step by step, and needs no journal.
                for pragma in ("PRAGMA synchronous=OFF", "PRAGMA journal_mode=OFF"):
                    copy.execute(pragma).fetchall()
                yield CopyProgress(CopyStage.COPYING, 0, size)
                with copy.backup("main", source, "main") as backup:
                    while not backup.done:
                        backup.step(PAGES_A_STEP)
                        os.fsync(file)
                        done = size * (backup.page_count - backup.remaining) // max(backup.page_count, 1)
                        yield CopyProgress(CopyStage.COPYING, done, size)
                yield CopyProgress(CopyStage.CHECKING, size, size)
                copy.execute("PRAGMA journal_mode=DELETE").fetchall()  # one file, which any SQLite opens as it is
                copy.set_progress_handler(stop.is_set, _INSTRUCTIONS)
                _check_pages(copy, path)
                waits = version_of(copy) == NEWEST and deleted_rows.is_anything(copy)
            if waits:
                _wipe(into)
            os.fsync(file)
        finally:
            os.close(file)


@contextmanager
def unfinished(folder: Path, called: str) -> Iterator[Path]:
    """The name of a copy that is not whole yet; what has it in the end is deleted. What a process that was killed left
    under such a name goes, too."""
    sweep(folder, called)
    path = folder / f".{called}.{os.getpid()}.part"
    try:
        yield path
    finally:
        for side in ("", *BESIDE):
            path.with_name(path.name + side).unlink(missing_ok=True)


@contextmanager
def translated(path: Path, into: Path) -> Iterator[None]:
    """Tell what goes wrong with a copy as a StorageError. What is damaged in it is so in what it was made from."""
    try:
        yield
    except (apsw.CorruptError, apsw.NotADBError) as error:
        raise translate(error, path) from error
    except apsw.Error as error:
        raise translate(error, into) from error
    except OSError as error:
        raise translate_os(error, into) from error


def begun_read(path: Path) -> apsw.Connection:
    """A connection that reads a database as of now, also one on a disk that can't be written."""
    try:
        return _begun(path, "mode=ro")
    except (apsw.CantOpenError, apsw.ReadOnlyError):
        if any(path.with_name(path.name + side).exists() for side in SIDES):
            raise  # what was written last stands there
        return _begun(path, "mode=ro&immutable=1")


@contextmanager
def read_only(path: Path) -> Iterator[apsw.Connection]:
    """A connection that changes nothing, outside of any read."""
    with closing(begun_read(path)) as connection:
        connection.execute("COMMIT")
        yield connection


def sync(path: Path) -> None:
    """Have a file, or the names in a folder, written out."""
    opened = os.open(path, os.O_RDONLY)
    try:
        os.fsync(opened)
    finally:
        os.close(opened)


def _begun(path: Path, how: str) -> apsw.Connection:
    flags = apsw.SQLITE_OPEN_READONLY | apsw.SQLITE_OPEN_URI
    connection = apsw.Connection(f"file:{quote(str(path.absolute()))}?{how}", flags=flags)
    try:
        connection.set_busy_timeout(BUSY_TIMEOUT_MS)
        connection.execute("BEGIN")
        connection.execute("SELECT 1 FROM sqlite_schema").fetchall()
    except BaseException:
        connection.close()
        raise
    return connection


def _check_room(into: Path, wanted: int) -> None:
    free = free_bytes(into)
    if free < wanted + LEAST_ROOM_BYTES:
        raise StoreFull(
            path=into.parent,
            template="{path}: a copy takes {wanted} bytes, and {free} are free",
            hint="free some space, or name another place with -o",
            wanted=wanted,
            free=free,
        )


def _check_pages(copy: apsw.Connection, path: Path) -> None:
    [verdict] = copy.execute("PRAGMA integrity_check(1)").fetchone() or ("no answer",)
    if verdict != "ok" and not damaged_pages(copy):
        raise IndexDamaged(path=path, detail=verdict)
    if verdict != "ok":
        raise damaged(path, f"its copy does not check: {verdict}")


def _wipe(path: Path) -> None:
    with closing(connect(path)) as connection:
        is_more = True
        while is_more:
            with connection:
                is_more = wiping.wipe_slice(connection)
        connection.execute("PRAGMA journal_mode=DELETE").fetchall()


def _pragma(connection: apsw.Connection, name: str) -> int:
    [number] = connection.execute(f"PRAGMA {name}").fetchone() or (0,)
    return int(str(number))


NOTED = "backup"
"""The key in `meta` of what a backup says of itself."""


def check_restorable(connection: apsw.Connection, path: Path) -> None:
    """Raises StorageError where `orca restore` would refuse this database: for its tables, or for rows of the newest
    schema that can't be read."""
    check_shape(connection, path)
    if version_of(connection) == NEWEST:
        check_rows(connection, path)


class BackupFolder:
    """The backups of the database at `path`; `stem` is how their names begin."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self.folder = path.parent / BACKUP_FOLDER
        self.stem = path.stem

    def make(
        self, into: Path, at: datetime, stop: Event, *, overwrites: bool = False, as_it_is: bool = False
    ) -> Generator[CopyProgress, None, None]:
        """Copy the database as it is now into the file `into`, which gets its name when the copy is checked. One that
        could not be restored is refused, unless it is to be kept `as_it_is`. Raises StorageError, and InvalidInput
        where the name is taken."""
        with unfinished(into.parent, self._path.name) as part:
            yield from copied(self._path, part, stop)
            with translated(self._path, part):
                with closing(apsw.Connection(str(part))) as copy:
                    if not as_it_is:
                        check_restorable(copy, self._path)
                    _note(copy, at)
                sync(part)
            size = part.stat().st_size
            yield CopyProgress(CopyStage.CHECKING, size, size)  # who stops it now has no backup
            with translated(into, into):
                if overwrites:
                    self._check_may_go(into)
                    part.replace(into)
                else:
                    _name(part, into)
                sync(into.parent)

    def make_folder(self) -> None:
        """Make sure that the folder is there. Raises StorageError, also where there is no database."""
        if not self._path.exists():
            raise StoreMissing(path=self._path)
        try:
            self.folder.mkdir(mode=0o700, exist_ok=True)
        except OSError as error:
            raise translate_os(error, self.folder) from error

    def read(self, path: Path) -> Backup:
        """Look at a backup, without going through its rows; what is wrong with it is its `failure`."""
        at, made_for = memory_upkeep.parse_backup_name(self.stem, path.name) or (None, MadeFor.HAND)
        try:
            found = path.stat()
        except OSError as error:
            raise translate_os(error, path) from error
        changed_at = datetime.fromtimestamp(found.st_mtime, UTC)
        backup = Backup(path, at or changed_at, found.st_size, made_for)
        try:
            schema, (said_at, counts) = _read(path)
        except StorageError as error:
            return Backup(path, backup.at, backup.bytes, made_for, failure=error)
        return Backup(path, said_at or backup.at, backup.bytes, made_for, schema, counts)

    def listed(self) -> list[Backup]:
        """Read all in the folder, newest first."""
        try:
            names = [each.name for each in self.folder.iterdir()] if self.folder.exists() else []
        except OSError as error:
            raise translate_os(error, self.folder) from error
        ours = [name for name in names if memory_upkeep.parse_backup_name(self.stem, name)]
        backups = [self.read(self.folder / name) for name in ours]
        return sorted(backups, key=lambda each: (each.at, each.path.name), reverse=True)

    def drop(self, folder: Path, keep: int, newest: str) -> list[str]:
        """Delete all but the newest ones made by hand or by a restore; returns their names."""
        dropped = []
        try:
            names = [each.name for each in folder.iterdir() if stat.S_ISREG(each.lstat().st_mode)]
            for name in memory_upkeep.backups_to_delete(self.stem, names, keep, newest):
                (folder / name).unlink(missing_ok=True)
                dropped.append(name)
        except OSError as error:
            raise translate_os(error, folder) from error
        return dropped

    def _check_may_go(self, path: Path) -> None:
        """Raises InvalidInput where no file is to be overwritten: only one that is none of the database's is."""
        if path.is_symlink() or (path.exists() and not stat.S_ISREG(path.lstat().st_mode)):
            raise InvalidInput(template="{path} is no regular file", hint="name another file", path=path)
        database = self._path.resolve()
        if path.resolve() in {database, *(database.with_name(database.name + side) for side in SIDES)}:
            raise InvalidInput(template="{path} is the database itself", hint="name another file", path=path)


def _name(part: Path, path: Path) -> None:
    """Give a file its name. Raises InvalidInput where another one has it."""
    taken = InvalidInput(
        template="{path} is there already", hint="name another file, or add --force to overwrite it", path=path
    )
    try:
        path.hardlink_to(part)
    except FileExistsError as error:
        raise taken from error
    except OSError:  # this file system has no hard links
        if path.exists() or path.is_symlink():
            raise taken from None
        part.rename(path)


Note = tuple[datetime | None, dict[str, int]]
"""When a backup was made, and what it holds, as it says itself."""


def _read(path: Path) -> tuple[int, Note]:
    """The schema of a backup, and what it says of itself. It is read as a file that nobody changes, and nothing is made
    beside it."""
    if not stat.S_ISREG(path.lstat().st_mode):
        raise StoreForeign(path=path, detail="it is no regular file")
    try:
        flags = apsw.SQLITE_OPEN_READONLY | apsw.SQLITE_OPEN_URI
        connection = apsw.Connection(f"file:{quote(str(path))}?mode=ro&immutable=1", flags=flags)
        try:
            check_shape(connection, path)
            return version_of(connection), _noted(connection)
        finally:
            connection.close()
    except apsw.Error as error:
        raise translate(error, path) from error
    except (ValueError, TypeError, KeyError, RecursionError) as error:
        raise damaged(path, "what it says of itself can't be read") from error


def _note(copy: apsw.Connection, at: datetime) -> None:
    """Write into a backup when it was made and what it holds; one of the first Orca's has no place for it."""
    if copy.execute("SELECT 1 FROM sqlite_schema WHERE name = 'meta'").fetchone() is not None:
        said = to_json({"at": timestamp(at), "counts": database_contents.counts(copy)})
        set_meta(copy, NOTED, said)


def _noted(connection: apsw.Connection) -> Note:
    if connection.execute("SELECT 1 FROM sqlite_schema WHERE name = 'meta' AND type = 'table'").fetchone() is None:
        return None, {}
    noted = meta(connection, NOTED)
    if noted is None:
        return None, {}
    said: Any = json.loads(noted)
    return parse_timestamp(said["at"]), {str(name): int(count) for name, count in dict(said["counts"]).items()}
