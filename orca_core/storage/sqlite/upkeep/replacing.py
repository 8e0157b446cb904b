"""Puts a checked copy of a backup in the place of a database that nobody has open (docs/decisions/0030)."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path
from urllib.parse import quote

import apsw

from orca_core.domain.backups import DatabaseCopy
from orca_core.domain.deleting import DeletingRules
from orca_core.domain.errors import InvalidInput, StorageError, StoreBusy, StoreDamaged, StoreForeign
from orca_core.domain.journal import Actor
from orca_core.domain.restoring import RESTORED, KindChange, NamedDeleted, RestorePlan, kept_note
from orca_core.domain.times import parse_timestamp, timestamp
from orca_core.storage.sqlite.engine.connection import BUSY_TIMEOUT_MS, connect
from orca_core.storage.sqlite.engine.failures import SIDES, emptied, translate, translate_os
from orca_core.storage.sqlite.engine.opening import LEAST_BYTES, refuse_a_lone_journal
from orca_core.storage.sqlite.schema.migrations import check_is_ours, make_tables, sweep
from orca_core.storage.sqlite.schema.shape import check_shape
from orca_core.storage.sqlite.upkeep import carrying, contents, differing
from orca_core.storage.sqlite.upkeep.backups import SQLiteBackups
from orca_core.storage.sqlite.upkeep.paged_copy import NOTED, PagedCopy, begun_read, sync_folder
from orca_core.storage.sqlite.upkeep.readable import check_rows

_BESIDE = (*SIDES, "-journal")
_ENOUGH = 1 << 20


class SQLiteReplacement:
    """A `Replacement`."""

    def __init__(self, path: Path, backup: Path, rules: DeletingRules) -> None:
        self._path = path
        self._backup = backup
        self._rules = rules
        # Its name is that of an unfinished copy: who dies here leaves what the next copy or restore sweeps away.
        self._ready = path.with_name(f".{path.name}.{os.getpid()}.part.restored")
        self._holder: apsw.Connection | None = None
        self._failure: StorageError | None = None

    def begin(self, *, alone: bool) -> None:
        try:
            if not self._path.exists():
                refuse_a_lone_journal(self._path)
                self._path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
            elif self._backup.samefile(self._path):
                raise InvalidInput(template="{path} is the database itself", hint="name a backup", path=self._path)
            sweep(self._path.parent, self._path.name)
            self._failure = self._why_unreadable()
            if alone:
                self.hold()
                self._let_go()
        except OSError as error:
            raise translate_os(error, self._path) from error

    def copy(self) -> DatabaseCopy:
        return PagedCopy(self._backup, self._path.parent, called=self._path.name, check=check_shape)

    def take(self, copy: DatabaseCopy) -> Path:
        copy.keep(self._ready, overwrites=True)
        with self._translated():
            connection = connect(self._ready)
            try:
                make_tables(connection)
                check_shape(connection, self._backup)
                check_rows(connection, self._backup)
            finally:
                connection.close()
        return self._ready

    def plan(self, stays_deleted: Mapping[str, NamedDeleted]) -> RestorePlan:
        backup = SQLiteBackups(self._path).read(self._backup)
        if isinstance(backup.failure, StoreDamaged):
            raise backup.failure
        with self._translated(), _read_only(self._ready) as then:
            counts = contents.counts(then)
            newest_then = _time(contents.newest_round(then))
            if self._failure is not None or not self._path.exists():
                kinds = {kind: KindChange(0, count, 0, count) for kind, count in counts.items()}
                return RestorePlan(
                    backup,
                    kinds,
                    newest_then=newest_then,
                    present=self._failure,
                    is_anything_here=self._path.exists(),
                )
            with _read_only(self._path) as now:
                here = contents.counts(now)
                newest_now = _time(contents.newest_round(now))
            then.execute(f"ATTACH ? AS {differing.NOW}", (_uri(self._path),))
            kinds = differing.compared(then, here, counts)
            then.execute(f"DETACH {differing.NOW}")
        return RestorePlan(backup, kinds, newest_now, newest_then, _counted(stays_deleted))

    def hold(self) -> None:
        """Whoever has the database open has it with a WAL: while somebody does, it can't be given up. Then one write is
        begun and not ended."""
        if self._failure is not None or not self._path.exists():
            return
        with self._translated():
            holder = apsw.Connection(str(self._path), flags=apsw.SQLITE_OPEN_READWRITE)
            self._holder = holder
            try:
                holder.set_busy_timeout(BUSY_TIMEOUT_MS)
                holder.execute("PRAGMA journal_mode=DELETE").fetchall()
                holder.execute("BEGIN IMMEDIATE")
                if holder.execute("PRAGMA journal_mode").fetchone() != ("delete",):
                    raise apsw.BusyError
            except apsw.BusyError as error:
                self._let_go()
                raise StoreBusy(path=self._path, hint="quit every Orca that has it open, then try again") from error

    def keep_present(self) -> DatabaseCopy | None:
        if self._failure is not None or not self._path.exists():
            return None
        return PagedCopy(self._path, SQLiteBackups(self._path).folder)

    def keep_unread(self, path: Path) -> bool:
        if self._failure is None or not self._path.exists():
            return False
        try:
            for side in ("", *_BESIDE):
                if (there := self._path.with_name(self._path.name + side)).exists():
                    _copied(there, path.with_name(path.name + side))
            sync_folder(path.parent)
        except OSError as error:
            raise translate_os(error, path) from error
        return True

    def deleted_since(self) -> Mapping[str, NamedDeleted]:
        if self._failure is not None or not self._path.exists():
            return {}
        with self._translated(), _read_only(self._path) as now, _read_only(self._ready) as then:
            return carrying.deleted_since(now, then, self._rules)

    def put_in_place(self, scope: str, at: datetime, kept: str) -> None:
        with self._translated():
            into = connect(self._ready)
            try:
                into.execute("BEGIN IMMEDIATE")
                if self._failure is None and self._path.exists():
                    with _read_only(self._path) as now:
                        carrying.carry_over(now, into)
                into.execute("DELETE FROM meta WHERE key = ?", (NOTED,))
                into.execute(
                    "INSERT INTO operations (scope, actor, action, at) VALUES (?, ?, ?, ?)",
                    (scope, Actor.USER.value, RESTORED, timestamp(at)),
                )
                if kept:
                    note = (kept_note(into.last_insert_rowid()), kept)
                    into.execute("INSERT OR REPLACE INTO meta (key, value) VALUES (?, ?)", note)
                into.execute("COMMIT")
                into.execute("PRAGMA journal_mode=DELETE").fetchall()
            finally:
                into.close()
        try:
            _sync(self._ready)
            if self._failure is not None:  # of a sound one nothing is left beside it by now
                for side in _BESIDE:
                    self._path.with_name(self._path.name + side).unlink(missing_ok=True)
            self._ready.replace(self._path)
            sync_folder(self._path.parent)
        except OSError as error:
            raise translate_os(error, self._path) from error

    def close(self) -> None:
        self._let_go()
        for side in ("", *_BESIDE):
            self._ready.with_name(self._ready.name + side).unlink(missing_ok=True)

    def _let_go(self) -> None:
        if self._holder is not None:
            self._holder.close()
            self._holder = None

    def _why_unreadable(self) -> StorageError | None:
        """Why what is here can't be read; None where it can. Raises StoreRefused where it is another's."""
        if not self._path.exists():
            return None
        if (size := self._path.stat().st_size) < LEAST_BYTES:
            return emptied(self._path, size)
        try:
            with _read_only(self._path) as connection:
                check_is_ours(connection, self._path)
                contents.counts(connection)
        except apsw.BusyError as error:
            raise translate(error, self._path) from error
        except apsw.NotADBError as error:
            return StoreForeign(path=self._path, detail=str(error))
        except apsw.Error as error:
            return translate(error, self._path)
        return None

    @contextmanager
    def _translated(self) -> Iterator[None]:
        try:
            yield
        except apsw.Error as error:
            raise translate(error, self._path) from error
        except OSError as error:
            raise translate_os(error, self._path) from error


@contextmanager
def _read_only(path: Path) -> Iterator[apsw.Connection]:
    connection = begun_read(path)
    connection.execute("COMMIT")
    try:
        yield connection
    finally:
        connection.close()


def _uri(path: Path) -> str:
    return f"file:{quote(str(path.absolute()))}?mode=ro"


def _time(text: str | None) -> datetime | None:
    return parse_timestamp(text) if text else None


def _counted(deleted: Mapping[str, NamedDeleted]) -> dict[str, int]:
    counts: dict[str, int] = {}
    for named in deleted.values():
        for kind, count in named.counts.items():
            counts[kind] = counts.get(kind, 0) + count
    return counts


def _copied(path: Path, into: Path) -> None:
    """A file byte by byte, for its owner alone, under a name that no other one has."""
    opened = os.open(into, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600)
    with os.fdopen(opened, "wb") as copy, path.open("rb") as original:
        shutil.copyfileobj(original, copy, _ENOUGH)
        copy.flush()
        os.fsync(copy.fileno())


def _sync(path: Path) -> None:
    opened = os.open(path, os.O_RDONLY)
    try:
        os.fsync(opened)
    finally:
        os.close(opened)
