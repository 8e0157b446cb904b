"""Copies a database as of one moment, while others write to it, and checks the copy (docs/decisions/0044)."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from threading import Event
from urllib.parse import quote

import apsw

from orca_core.model.backups import Progress, Stage
from orca_core.model.errors import IndexDamaged, StoreFull
from orca_core.store.sqlite.engine.connection import BUSY_TIMEOUT_MS, connect
from orca_core.store.sqlite.engine.failures import (
    LEAST_ROOM_BYTES,
    SIDES,
    damaged,
    free_bytes,
    translate,
    translate_os,
)
from orca_core.store.sqlite.engine.opening import Check, prepared
from orca_core.store.sqlite.index.damage import damaged_pages
from orca_core.store.sqlite.memories import gone, wiping
from orca_core.store.sqlite.schema.migrations import NEWEST, check_is_ours, sweep, version_of

PAGES_A_STEP = 128
"""A megabyte, which is written out before the next: more would be waited for by whoever saves a turn meanwhile
(measured by benchmarks/backup.py)."""
BESIDE = (*SIDES, "-journal")
_INSTRUCTIONS = 100_000
"""After so many a check looks whether it is to stop."""


def copied(path: Path, into: Path, stop: Event, check: Check = check_is_ours) -> Iterator[Progress]:
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
                yield Progress(Stage.COPYING, 0, size)
                with copy.backup("main", source, "main") as backup:
                    while not backup.done:
                        backup.step(PAGES_A_STEP)
                        os.fsync(file)
                        done = size * (backup.page_count - backup.remaining) // max(backup.page_count, 1)
                        yield Progress(Stage.COPYING, done, size)
                yield Progress(Stage.CHECKING, size, size)
                copy.execute("PRAGMA journal_mode=DELETE").fetchall()  # one file, which any SQLite opens as it is
                copy.set_progress_handler(stop.is_set, _INSTRUCTIONS)
                _check_pages(copy, path)
                waits = version_of(copy) == NEWEST and gone.is_anything(copy)
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
