"""Puts a checked copy of a backup in the place of a database that nobody has open (docs/decisions/0044), with what of
that outlives an older one: what was deleted, and which numbers were given."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Callable, Collection, Generator, Iterable, Iterator, Mapping
from contextlib import closing
from datetime import datetime
from pathlib import Path
from threading import Event
from typing import Any, TypeVar
from urllib.parse import quote

import apsw

from orca_core.model.backups import RESTORED, CopyProgress, DeletedSince, KindChange, RestorePlan, kept_note
from orca_core.model.episodes import EPISODES
from orca_core.model.errors import IndexDamaged, InvalidInput, StorageError, StoreBusy, StoreDamaged, StoreForeign
from orca_core.model.kinds import RECORD_TYPES
from orca_core.model.operations import Actor
from orca_core.model.record_types import EPISODE, RecordType, parse_timestamp, timestamp
from orca_core.operations import tombstones
from orca_core.operations.columns import to_json
from orca_core.operations.tombstones import statements_of
from orca_core.rules.memory import same_statements
from orca_core.store.sqlite.engine.connection import BUSY_TIMEOUT_MS, connect
from orca_core.store.sqlite.engine.failures import emptied, translate
from orca_core.store.sqlite.engine.meta import drop_meta, meta, set_meta
from orca_core.store.sqlite.engine.opening import LEAST_BYTES, refuse_a_lone_journal
from orca_core.store.sqlite.engine.scope import FURTHER_SECRETS, SECRET, hashers
from orca_core.store.sqlite.schema.migrations import check_is_ours, check_shape, make_tables, sweep
from orca_core.store.sqlite.upkeep import database_contents
from orca_core.store.sqlite.upkeep.backups import (
    BESIDE,
    NOTED,
    BackupFolder,
    check_restorable,
    copied,
    read_only,
    sync,
    translated,
)


class KnownDeleted:
    """What was deleted in a scope of the database behind a connection: these digests of it."""

    def __init__(self, connection: apsw.Connection, digests: Collection[bytes]) -> None:
        self._digests = frozenset(digests)
        self._hashers = hashers(connection)

    def states(self, record: Any) -> bool:
        """Whether a record says what a person deleted."""
        stated = same_statements.record_statement(record)
        return bool(stated) and any(map(self._is_there, statements_of(stated)))

    def names(self, kind: str, uid: str) -> bool:
        """Whether a person deleted the record of this kind and name."""
        return self._is_there(tombstones.of_record(kind, uid))

    def faded(self, kind: str, uid: str) -> bool:
        """Whether it was deleted for its age."""
        return self._is_there(tombstones.of_faded(kind, uid))

    def session(self, session_id: str, created_at: str) -> bool:
        return self._is_there(tombstones.of_session(session_id, created_at))

    def round(self, session_id: str, number: int, started_at: str) -> bool:
        return self._is_there(tombstones.of_round(session_id, number, started_at))

    def calls(self, folded: str) -> bool:
        return self._is_there(tombstones.of_calls(folded))

    def _is_there(self, mark: str) -> bool:
        return any(key_of(mark) in self._digests for key_of in self._hashers)


TombstoneTimes = dict[tuple[str, bytes], str]
"""When each was laid, by its scope and digest."""
_UID = "uid"


def tombstone_times(connection: apsw.Connection) -> TombstoneTimes:
    """The tombstones of every profile; none where the schema knows none."""
    if connection.execute("SELECT 1 FROM sqlite_schema WHERE name = 'tombstones'").fetchone() is None:
        return {}
    rows = connection.execute("SELECT scope, digest, at FROM tombstones")
    return {(str(scope), bytes(digest)): str(at) for scope, digest, at in rows}


def deleted_since(now: apsw.Connection, then: apsw.Connection) -> dict[str, DeletedSince]:
    """What the older database holds and a person deleted in the newer one after that, by profile. What was deleted
    before, and stands in the older one all the same, was said again."""
    before = tombstone_times(then)
    since: dict[str, set[bytes]] = {}
    for (scope, digest), at in tombstone_times(now).items():
        if before.get((scope, digest), "") < at:
            since.setdefault(scope, set()).add(digest)
    found = {}
    for scope, digests in since.items():
        known = KnownDeleted(now, digests)
        named = _named(now, then, scope, known)
        if named.counts:
            found[scope] = named
    return found


def _named(now: apsw.Connection, then: apsw.Connection, scope: str, known: KnownDeleted) -> DeletedSince:
    rounds = then.execute("SELECT session_id, number, started_at FROM rounds WHERE scope = ?", (scope,))
    sessions = then.execute("SELECT id, created_at FROM sessions WHERE scope = ?", (scope,))
    tools = then.execute("SELECT DISTINCT folded FROM tool_calls WHERE scope = ?", (scope,))
    gone = tuple(str(each) for each, created_at in sessions if known.session(str(each), str(created_at)))
    of_rounds = {
        (str(session_id), int(str(number)))
        for session_id, number, started_at in rounds
        if session_id not in gone and known.round(str(session_id), int(str(number)), str(started_at))
    }
    records = {
        each.kind: ids
        for each in RECORD_TYPES
        if _UID in each.names and (ids := tuple(_records(now, then, scope, each, known)))
    }
    of_tools = tuple(str(each) for (each,) in tools if known.calls(str(each)))
    faded = tuple(each.id for each in _all(then, scope, EPISODES) if known.faded(EPISODE.name, each.uid))
    return DeletedSince(records, gone, tuple(sorted(of_rounds)), of_tools, faded)


def _records(
    now: apsw.Connection,
    then: apsw.Connection,
    scope: str,
    record_type: RecordType[Any],
    known: KnownDeleted,
) -> Iterator[int]:
    """By what they say, or each by itself, unless what it said lives here again."""
    by_name: list[Any] = []
    for record in _all(then, scope, record_type):
        if known.states(record):
            yield record.id
        elif known.names(record_type.kind.name, record.uid):
            by_name.append(record)
    if by_name:
        lives = {each for record in _living(now, scope, record_type) for each in _statements(record)}
        yield from (each.id for each in by_name if lives.isdisjoint(_statements(each)))


def _all(connection: apsw.Connection, scope: str, record_type: RecordType[Any]) -> Iterator[Any]:
    names = ", ".join(f'"{name}"' for name in record_type.names)
    for row in connection.execute(f"SELECT {names} FROM {record_type.table} WHERE scope = ?", (scope,)):
        yield record_type.from_row(row)


def _living(connection: apsw.Connection, scope: str, record_type: RecordType[Any]) -> Iterator[Any]:
    column, values = record_type.live or ("", ())
    return (each for each in _all(connection, scope, record_type) if column and str(getattr(each, column)) in values)


def _statements(record: Any) -> tuple[str, ...]:
    stated = same_statements.record_statement(record)
    return tuple(statements_of(stated)[:1]) if stated else ()


def carry_over(now: apsw.Connection, into: apsw.Connection) -> None:
    """Keep in a restored database what was deleted in the one whose place it takes, and give no number again that was
    given there; inside the caller's transaction."""
    into.executemany(
        "INSERT INTO tombstones (scope, digest, at) VALUES (?, ?, ?)"
        " ON CONFLICT (scope, digest) DO UPDATE SET at = max(at, excluded.at)",
        [(scope, digest, at) for (scope, digest), at in tombstone_times(now).items()],
    )
    _carry_secrets(now, into)
    before = _given(into)
    for table, given in _given(now).items():
        if given > before.get(table, -1):
            into.execute("DELETE FROM sqlite_sequence WHERE name = ?", (table,))
            into.execute("INSERT INTO sqlite_sequence (name, seq) VALUES (?, ?)", (table, given))


def _carry_secrets(now: apsw.Connection, into: apsw.Connection) -> None:
    """Tombstones of another home are known by that one's secret."""
    own, theirs = _secrets(into), _secrets(now)
    if further := [each for each in theirs if each not in own]:
        kept = to_json([*own[1:], *further])
        set_meta(into, FURTHER_SECRETS, kept)


def _secrets(connection: apsw.Connection) -> list[str]:
    """Its own first."""
    names: Iterable[str] = (SECRET, FURTHER_SECRETS)
    own, further = (meta(connection, name) for name in names)
    return [*([own] if own else []), *(json.loads(further) if further else [])]


def _given(connection: apsw.Connection) -> dict[str, int]:
    there = connection.execute("SELECT 1 FROM sqlite_schema WHERE name = 'sqlite_sequence'").fetchone()
    rows = connection.execute("SELECT name, seq FROM sqlite_sequence") if there else ()
    return {str(name): int(str(seq)) for name, seq in rows}


T = TypeVar("T")


class DatabaseReplacement:
    """A backup on its way to the place of the database at `path`; of a link that is what it leads to. Nothing there
    changes before `put_in_place`. Methods are called one at a time, and raise StorageError."""

    def __init__(self, path: Path, backup: Path) -> None:
        self._path = path.resolve()
        self._backup = backup
        self._backups = BackupFolder(path)
        # Its name is that of an unfinished copy: who dies here leaves what the next copy or restore sweeps away.
        self.ready = self._path.with_name(f".{self._path.name}.{os.getpid()}.part.restored")
        self._holder: apsw.Connection | None = None
        self._failure: StorageError | None = None

    def begin(self, *, alone: bool) -> None:
        """Raises InvalidInput where the backup is that database; where it must be `alone`, StoreBusy while somebody has
        the database open."""
        with translated(self._path, self._path):
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

    def bring(self, stop: Event) -> Generator[CopyProgress, None, None]:
        """Copy the backup beside the database, check the copy, and bring it to the newest schema."""
        yield from copied(self._backup, self.ready, stop, check=check_shape)
        with translated(self._backup, self.ready), closing(connect(self.ready)) as connection:
            make_tables(connection)
            check_restorable(connection, self._backup)

    def plan(self, stays_deleted: Mapping[str, DeletedSince]) -> RestorePlan:
        """Compare the copy, out of which `stays_deleted` was taken, with what is here."""
        backup = self._backups.read(self._backup)
        if isinstance(backup.failure, StoreDamaged):
            raise backup.failure
        with translated(self._backup, self.ready), read_only(self.ready) as then:
            counts, newest = database_contents.counts(then), _time(database_contents.newest_round(then))
            unknown = RestorePlan(
                backup,
                {kind: KindChange(0, count, 0, count) for kind, count in counts.items()},
                newest_then=newest,
                is_anything_here=self._path.exists(),
            )

            def compared(now: apsw.Connection) -> RestorePlan:
                then.execute("ATTACH ? AS now", (f"file:{quote(str(self._path))}?mode=ro",))
                kinds = database_contents.compared(then, database_contents.counts(now), counts)
                newest_now = _time(database_contents.newest_round(now))
                return RestorePlan(backup, kinds, newest_now, newest, _counted(stays_deleted))

            plan = self._read_here(compared, unknown)
        return RestorePlan(backup, plan.kinds, newest_then=newest, present=self._failure) if self._failure else plan

    def hold(self) -> None:
        """Keep everybody else from the database until the end. Whoever has it open has it with a WAL: while somebody
        does, it can't be given up. Then one write is begun that is never made."""
        if self._failure is not None or not self._path.exists():
            return
        with translated(self._path, self._path):
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

    def keep_present(self, into: Path, at: datetime, stop: Event) -> Generator[CopyProgress, None, None]:
        """Make a backup of what is here; what can't be read is kept byte by byte, with its journal."""
        if self._failure is None:
            try:
                yield from BackupFolder(self._path).make(into, at, stop, as_it_is=True)
                return
            except (StoreDamaged, IndexDamaged) as error:
                self._failure = error
        with translated(self._path, into):
            for side in ("", *BESIDE):
                if (there := self._path.with_name(self._path.name + side)).exists():
                    _copied_as_it_lies(there, into.with_name(into.name + side))
            sync(into.parent)

    @property
    def is_anything_here(self) -> bool:
        return self._path.exists()

    @property
    def is_readable(self) -> bool:
        return self._failure is None

    def deleted_since(self) -> Mapping[str, DeletedSince]:
        """What of the copy was deleted here, by profile."""

        def look(now: apsw.Connection) -> Mapping[str, DeletedSince]:
            with read_only(self.ready) as then:
                return deleted_since(now, then)

        return self._read_here(look, {})

    def put_in_place(self, scope: str, at: datetime, kept: str) -> None:
        """Carry over what was deleted here and which numbers were given, and give the copy its place. `kept` names the
        backup of what stood here; empty where there is none."""
        with translated(self._path, self._path):
            with closing(connect(self.ready)) as into:
                with into:
                    self._read_here(lambda now: carry_over(now, into), None)
                    drop_meta(into, NOTED)
                    into.execute(
                        "INSERT INTO operations (scope, actor, action, at) VALUES (?, ?, ?, ?)",
                        (scope, Actor.USER.value, RESTORED, timestamp(at)),
                    )
                    if kept:
                        set_meta(into, kept_note(into.last_insert_rowid()), kept)
                into.execute("PRAGMA journal_mode=DELETE").fetchall()
            sync(self.ready)
            if self._failure is not None:  # of a sound one nothing is left beside it by now
                for side in BESIDE:
                    self._path.with_name(self._path.name + side).unlink(missing_ok=True)
            self.ready.replace(self._path)
            sync(self._path.parent)

    def close(self) -> None:
        """Let go of everything; a copy that is not in its place is deleted."""
        self._let_go()
        for side in ("", *BESIDE):
            self.ready.with_name(self.ready.name + side).unlink(missing_ok=True)

    def _let_go(self) -> None:
        if self._holder is not None:
            self._holder.close()
            self._holder = None

    def _read_here(self, read: Callable[[apsw.Connection], T], otherwise: T) -> T:
        """What is read of the database that is here; `otherwise` where there is none, or none that can be read."""
        if self._failure is not None or not self._path.exists():
            return otherwise
        try:
            with read_only(self._path) as now:
                return read(now)
        except (apsw.CorruptError, apsw.NotADBError) as error:
            self._failure = translate(error, self._path)
            return otherwise

    def _why_unreadable(self) -> StorageError | None:
        """Why what is here can't be read; None where it can. Raises StoreRefused where it is another's."""
        if not self._path.exists():
            return None
        if (size := self._path.stat().st_size) < LEAST_BYTES:
            return emptied(self._path, size)
        try:
            with read_only(self._path) as connection:
                check_is_ours(connection, self._path)
                database_contents.counts(connection)
        except apsw.BusyError:
            raise
        except apsw.NotADBError as error:
            return StoreForeign(path=self._path, detail=str(error))
        except apsw.Error as error:
            return translate(error, self._path)
        return None


def _time(text: str | None) -> datetime | None:
    return parse_timestamp(text) if text else None


def _counted(deleted: Mapping[str, DeletedSince]) -> dict[str, int]:
    counts: dict[str, int] = {}
    for named in deleted.values():
        for kind, count in named.counts.items():
            counts[kind] = counts.get(kind, 0) + count
    return counts


def _copied_as_it_lies(path: Path, into: Path) -> None:
    """A file byte by byte, for its owner alone, under a name that no other one has."""
    opened = os.open(into, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600)
    with os.fdopen(opened, "wb") as copy, path.open("rb") as original:
        shutil.copyfileobj(original, copy)
        copy.flush()
        os.fsync(copy.fileno())
