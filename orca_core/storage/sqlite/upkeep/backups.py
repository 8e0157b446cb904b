"""The backups of one database, in the folder beside it."""

from __future__ import annotations

import json
import stat
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from urllib.parse import quote

import apsw

from orca_core.domain.backups import Backup, DatabaseCopy, MadeFor
from orca_core.domain.errors import StorageError, StoreForeign, StoreMissing
from orca_core.domain.times import parse_timestamp
from orca_core.rules.keeping import backup_names
from orca_core.storage.sqlite.engine.failures import BACKUP_FOLDER, damaged, translate, translate_os
from orca_core.storage.sqlite.schema.migrations import check_is_ours, version_of
from orca_core.storage.sqlite.upkeep.paged_copy import NOTED, PagedCopy


class SQLiteBackups:
    """A `BackupFiles`."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self.folder = path.parent / BACKUP_FOLDER
        self.stem = path.stem

    def make_folder(self) -> None:
        if not self._path.exists():
            raise StoreMissing(path=self._path)
        try:
            self.folder.mkdir(mode=0o700, exist_ok=True)
        except OSError as error:
            raise translate_os(error, self.folder) from error

    def copy(self, folder: Path) -> DatabaseCopy:
        return PagedCopy(self._path, folder)

    def read(self, path: Path) -> Backup:
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
        try:
            names = [each.name for each in self.folder.iterdir()] if self.folder.exists() else []
        except OSError as error:
            raise translate_os(error, self.folder) from error
        ours = [name for name in names if backup_names.read_name(self.stem, name)]
        backups = [self.read(self.folder / name) for name in ours]
        return sorted(backups, key=lambda each: (each.at, each.path.name), reverse=True)

    def drop(self, folder: Path, keep: int, newest: str) -> list[str]:
        dropped = []
        try:
            names = [each.name for each in folder.iterdir() if stat.S_ISREG(each.lstat().st_mode)]
            for name in backup_names.outlived(self.stem, names, keep, newest):
                (folder / name).unlink(missing_ok=True)
                dropped.append(name)
        except OSError as error:
            raise translate_os(error, folder) from error
        return dropped


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
            check_is_ours(connection, path)
            return version_of(connection), _noted(connection)
        finally:
            connection.close()
    except apsw.Error as error:
        raise translate(error, path) from error
    except (ValueError, TypeError, KeyError, RecursionError) as error:
        raise damaged(path, "what it says of itself can't be read") from error


def _noted(connection: apsw.Connection) -> Note:
    if connection.execute("SELECT 1 FROM sqlite_schema WHERE name = 'meta' AND type = 'table'").fetchone() is None:
        return None, {}
    row = connection.execute("SELECT value FROM meta WHERE key = ?", (NOTED,)).fetchone()
    if row is None:
        return None, {}
    said: Any = json.loads(str(row[0]))
    return parse_timestamp(said["at"]), {str(name): int(count) for name, count in dict(said["counts"]).items()}
