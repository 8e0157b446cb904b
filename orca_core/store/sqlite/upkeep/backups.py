"""Makes, lists and drops the backups of one database, in the folder beside it."""

from __future__ import annotations

import json
import stat
from collections.abc import Generator
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path
from threading import Event
from typing import Any
from urllib.parse import quote

import apsw

from orca_core.model.backups import Backup, MadeFor, Progress, Stage
from orca_core.model.errors import InvalidInput, StorageError, StoreForeign, StoreMissing
from orca_core.model.records import parse_timestamp, timestamp
from orca_core.rules.memory import backup_names
from orca_core.store.sqlite.engine.failures import BACKUP_FOLDER, SIDES, damaged, translate, translate_os
from orca_core.store.sqlite.engine.rows import to_json
from orca_core.store.sqlite.schema.migrations import NEWEST, version_of
from orca_core.store.sqlite.schema.shape import check_shape
from orca_core.store.sqlite.upkeep import contents
from orca_core.store.sqlite.upkeep.copying import copied, sync, translated, unfinished
from orca_core.store.sqlite.upkeep.readable import check_rows

NOTED = "backup"
"""The key in `meta` of what a backup says of itself."""


def check_restorable(connection: apsw.Connection, path: Path) -> None:
    """Raises StorageError where `orca restore` would refuse this database: for its tables, or for rows of the newest
    schema that can't be read."""
    check_shape(connection, path)
    if version_of(connection) == NEWEST:
        check_rows(connection, path)


class SQLiteBackups:
    """The backups of the database at `path`; `stem` is how their names begin."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self.folder = path.parent / BACKUP_FOLDER
        self.stem = path.stem

    def make(
        self, into: Path, at: datetime, stop: Event, *, overwrites: bool = False, as_it_is: bool = False
    ) -> Generator[Progress, None, None]:
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
            yield Progress(Stage.CHECKING, size, size)  # who stops it now has no backup
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
        at, made_for = backup_names.read_name(self.stem, path.name) or (None, MadeFor.HAND)
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
        ours = [name for name in names if backup_names.read_name(self.stem, name)]
        backups = [self.read(self.folder / name) for name in ours]
        return sorted(backups, key=lambda each: (each.at, each.path.name), reverse=True)

    def drop(self, folder: Path, keep: int, newest: str) -> list[str]:
        """Delete all but the newest ones made by hand or by a restore; returns their names."""
        dropped = []
        try:
            names = [each.name for each in folder.iterdir() if stat.S_ISREG(each.lstat().st_mode)]
            for name in backup_names.outlived(self.stem, names, keep, newest):
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
        said = to_json({"at": timestamp(at), "counts": contents.counts(copy)})
        copy.execute("INSERT OR REPLACE INTO meta (key, value) VALUES (?, ?)", (NOTED, said)).fetchall()


def _noted(connection: apsw.Connection) -> Note:
    if connection.execute("SELECT 1 FROM sqlite_schema WHERE name = 'meta' AND type = 'table'").fetchone() is None:
        return None, {}
    row = connection.execute("SELECT value FROM meta WHERE key = ?", (NOTED,)).fetchone()
    if row is None:
        return None, {}
    said: Any = json.loads(str(row[0]))
    return parse_timestamp(said["at"]), {str(name): int(count) for name, count in dict(said["counts"]).items()}
