"""Copies a database page by page as of one moment, while others write to it. The copy gets its name once it is checked
(docs/decisions/0029)."""

from __future__ import annotations

import os
import stat
from datetime import datetime
from pathlib import Path
from urllib.parse import quote

import apsw

from orca_core.domain.backups import Progress, Stage
from orca_core.domain.errors import IndexDamaged, InvalidInput, StorageError, StoreFull
from orca_core.domain.times import timestamp
from orca_core.storage.sqlite.engine.connection import BUSY_TIMEOUT_MS, connect
from orca_core.storage.sqlite.engine.failures import (
    LEAST_ROOM_BYTES,
    SIDES,
    damaged,
    free_bytes,
    translate,
    translate_os,
)
from orca_core.storage.sqlite.engine.opening import Check, prepared
from orca_core.storage.sqlite.engine.rows import to_json
from orca_core.storage.sqlite.index.damage import damaged_pages
from orca_core.storage.sqlite.memories import gone, wiping
from orca_core.storage.sqlite.schema.migrations import NEWEST, check_is_ours, sweep, version_of
from orca_core.storage.sqlite.upkeep import contents

PAGES_A_STEP = 128
"""A megabyte, which is written out before the next: more would be waited for by whoever saves a turn meanwhile
(measured by benchmarks/backup.py)."""
NOTED = "backup"
"""The key in `meta` of what a backup says of itself."""


class PagedCopy:
    """A `DatabaseCopy`."""

    def __init__(self, path: Path, folder: Path, called: str | None = None, check: Check = check_is_ours) -> None:
        self._path = path
        self._check = check
        self._folder = folder
        self._called = called or path.name
        self._unfinished = folder / f".{self._called}.{os.getpid()}.part"
        self._file: int | None = None
        self._source: apsw.Connection | None = None
        self._copy: apsw.Connection | None = None
        self._backup: apsw.Backup | None = None
        self._page_size = 0

    def begin(self) -> Progress:
        prepared(self._path, must_exist=True, check=self._check, fill=None)
        try:
            self._source = begun_read(self._path)  # the moment of the copy, to its end
            pages = _pragma(self._source, "page_count")
            self._page_size = _pragma(self._source, "page_size")
            self._check_room(pages * self._page_size)
            sweep(self._folder, self._called)
            self._file = os.open(self._unfinished, os.O_CREAT | os.O_EXCL | os.O_RDWR, 0o600)
            self._copy = apsw.Connection(str(self._unfinished))
            # Half a copy is no use: it is written out step by step, and needs no journal.
            for pragma in ("PRAGMA synchronous=OFF", "PRAGMA journal_mode=OFF"):
                self._copy.execute(pragma).fetchall()
            self._backup = self._copy.backup("main", self._source, "main")
        except apsw.Error as error:
            raise translate(error, self._path) from error
        except OSError as error:
            raise translate_os(error, self._folder) from error
        return Progress(Stage.COPYING, 0, pages * self._page_size)

    def step(self) -> Progress:
        assert self._backup is not None
        assert self._file is not None
        try:
            self._backup.step(PAGES_A_STEP)
            os.fdatasync(self._file) if hasattr(os, "fdatasync") else os.fsync(self._file)
        except apsw.Error as error:
            raise self._failed(error) from error
        except OSError as error:
            raise translate_os(error, self._unfinished) from error
        total, left = self._backup.page_count, self._backup.remaining
        return Progress(Stage.COPYING, (total - left) * self._page_size, total * self._page_size)

    def verify(self, at: datetime | None) -> None:
        assert self._source is not None
        assert self._copy is not None
        assert self._backup is not None
        try:
            self._backup.finish()
            self._backup = None
            wanted = contents.rows_of_all(self._source)
            self._source.close()
            self._source = None
            self._copy.execute("PRAGMA journal_mode=DELETE").fetchall()  # one file, which any SQLite opens as it is
            if contents.rows_of_all(self._copy) != wanted:
                raise damaged(self._path, "its copy has other rows")
            [verdict] = self._copy.execute("PRAGMA integrity_check(1)").fetchone() or ("no answer",)
            if verdict != "ok" and not damaged_pages(self._copy):
                raise IndexDamaged(path=self._path, detail=verdict)
            if verdict != "ok":
                raise damaged(self._path, f"its copy does not check: {verdict}")
            self._wipe_what_is_gone()
            if at is not None:
                self._note(at)
        except apsw.Error as error:
            raise self._failed(error) from error

    def keep(self, path: Path, *, overwrites: bool) -> None:
        assert self._copy is not None
        assert self._file is not None
        self._copy.close()
        self._copy = None
        try:
            os.fsync(self._file)
            if overwrites:
                self._check_may_go(path)
                self._unfinished.replace(path)
            else:
                _name(self._unfinished, path)
            sync_folder(path.parent)
        except OSError as error:
            raise translate_os(error, path) from error

    def stop(self) -> None:
        for connection in (self._source, self._copy):
            if connection is not None:
                connection.interrupt()

    def close(self) -> None:
        if self._backup is not None:
            self._backup.close(force=True)
            self._backup = None
        for connection in (self._source, self._copy):
            if connection is not None:
                connection.close()
        self._source = self._copy = None
        if self._file is not None:
            os.close(self._file)
            self._file = None
            for each in (self._unfinished, *(Path(f"{self._unfinished}{side}") for side in (*SIDES, "-journal"))):
                each.unlink(missing_ok=True)

    def _failed(self, error: apsw.Error) -> StorageError:
        """What is damaged in the copy is so in what it was made from."""
        is_damage = isinstance(error, apsw.CorruptError | apsw.NotADBError)
        return translate(error, self._path if is_damage else self._unfinished)

    def _check_room(self, wanted: int) -> None:
        free = free_bytes(self._unfinished)
        if free < wanted + LEAST_ROOM_BYTES:
            raise StoreFull(
                path=self._folder,
                template="{path}: a copy takes {wanted} bytes, and {free} are free",
                hint="free some space, or name another place with -o",
                wanted=wanted,
                free=free,
            )

    def _wipe_what_is_gone(self) -> None:
        """What was deleted and waits to be wiped does not stand in a backup."""
        assert self._copy is not None
        if version_of(self._copy) != NEWEST or not gone.is_anything(self._copy):
            return
        self._copy.close()
        self._copy = connect(self._unfinished)
        is_more = True
        while is_more:
            with self._copy:
                is_more = wiping.wipe_slice(self._copy)
        self._copy.execute("PRAGMA journal_mode=DELETE").fetchall()

    def _note(self, at: datetime) -> None:
        """Write into the copy when it was made and what it holds; one of the first Orca's has no place for it."""
        assert self._copy is not None
        if self._copy.execute("SELECT 1 FROM sqlite_schema WHERE name = 'meta'").fetchone() is None:
            return
        said = to_json({"at": timestamp(at), "counts": contents.counts(self._copy)})
        self._copy.execute("INSERT OR REPLACE INTO meta (key, value) VALUES (?, ?)", (NOTED, said)).fetchall()

    def _check_may_go(self, path: Path) -> None:
        """Only a file is overwritten, and never the database or what lies beside it under its name."""
        if path.is_symlink() or (path.exists() and not stat.S_ISREG(path.lstat().st_mode)):
            raise InvalidInput(template="{path} is no regular file", hint="name another file", path=path)
        database = self._path.resolve()
        if path.resolve() in {database, *(database.with_name(database.name + side) for side in SIDES)}:
            raise InvalidInput(template="{path} is the database itself", hint="name another file", path=path)


def begun_read(path: Path) -> apsw.Connection:
    """A connection that reads a database as of now, also one on a disk that can't be written."""
    try:
        return _begun(path, "mode=ro")
    except (apsw.CantOpenError, apsw.ReadOnlyError):
        if any(path.with_name(path.name + side).exists() for side in SIDES):
            raise  # what was written last stands there
        return _begun(path, "mode=ro&immutable=1")


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


def _name(unfinished: Path, path: Path) -> None:
    """Give a file its name. Raises InvalidInput where another one has it."""
    try:
        path.hardlink_to(unfinished)
    except FileExistsError as error:
        raise _taken(path) from error
    except OSError:  # this file system has no hard links
        if path.exists() or path.is_symlink():
            raise _taken(path) from None
        unfinished.rename(path)


def _taken(path: Path) -> InvalidInput:
    return InvalidInput(
        template="{path} is there already", hint="name another file, or add --force to overwrite it", path=path
    )


def sync_folder(folder: Path) -> None:
    opened = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(opened)
    finally:
        os.close(opened)


def _pragma(connection: apsw.Connection, name: str) -> int:
    [number] = connection.execute(f"PRAGMA {name}").fetchone() or (0,)
    return int(str(number))
