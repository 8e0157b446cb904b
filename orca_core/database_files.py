"""The configured database as a file, without an Orca: backups, one put in its place, proof that a record is gone."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Callable, Generator, Mapping, Sequence
from contextlib import aclosing
from datetime import datetime
from functools import partial
from pathlib import Path
from threading import Event
from typing import Any

from orca_core.clock import SystemClock
from orca_core.config.config_file import LoadedSettings, database_path
from orca_core.model.backups import Backup, BackupMade, CopyProgress, DeletedSince, MadeFor, RestorePlan, RestoreResult
from orca_core.model.errors import IndexDamaged, InvalidInput, NotFound, StorageError, StoreDamaged, StoreForeign
from orca_core.model.import_export import CALLS
from orca_core.model.kinds import RECORD_TYPES
from orca_core.model.memories import ArchivedBecause, Fields, State
from orca_core.model.operations import Actor, DeletionProof, DeletionTraces, OperationHeader
from orca_core.model.record_types import EPISODE, MEMORY, TASK, Kind, RecordType
from orca_core.operations.stores import OpenedDatabase, Stores
from orca_core.owned_tasks import OneThread
from orca_core.rules.memory import memory_upkeep
from orca_core.rules.memory.memory_upkeep import SUFFIX, backup_name
from orca_core.store.sqlite.store import open_database
from orca_core.store.sqlite.upkeep import deletion_proof
from orca_core.store.sqlite.upkeep.backups import BackupFolder
from orca_core.store.sqlite.upkeep.restore import DatabaseReplacement

PAUSE_S = 0.005
"""Between two steps of a copy, in which the disk is others' (docs/decisions/0044)."""


async def back_up(
    loaded: LoadedSettings, into: Path | None = None, keep: int | None = None, *, overwrites: bool = False
) -> AsyncGenerator[CopyProgress | BackupMade, None]:
    """How far it is, and at last the backup: in its folder, of which the newest `keep` stay; in another folder, where
    they are dropped only if `keep` says so; or in a file. Raises OrcaError."""
    files = backup_files(loaded)
    at = SystemClock().now()
    path, keep = _place(files, into, keep, at, default_keep=loaded.settings.backup.keep)
    if into is None:
        files.make_folder()
    async with OneThread("orca-backup") as thread:
        async with aclosing(stepped(thread, partial(files.make, path, at, overwrites=overwrites))) as steps:
            async for progress in steps:
                yield progress
        dropped = await thread.run(partial(files.drop, path.parent, keep, path.name)) if keep is not None else []
        yield BackupMade(await thread.run(partial(files.read, path)), tuple(dropped))


async def stepped(
    thread: OneThread, begin: Callable[[Event], Generator[CopyProgress, None, None]]
) -> AsyncGenerator[CopyProgress, None]:
    """Carry out a copy in the thread, step by step. Whoever leaves early stops it."""
    stop = Event()
    steps = begin(stop)
    try:
        while (progress := await thread.run(lambda: next(steps, None))) is not None:
            yield progress
            await asyncio.sleep(PAUSE_S)
    finally:
        stop.set()
        await thread.run(steps.close)


async def list_backups(loaded: LoadedSettings) -> tuple[Path, list[Backup]]:
    """The folder, and what is in it, newest first. Raises StorageError."""
    files = backup_files(loaded)
    return files.folder, await asyncio.to_thread(files.listed)


def _place(
    files: BackupFolder, into: Path | None, keep: int | None, at: datetime, *, default_keep: int
) -> tuple[Path, int | None]:
    """Where the backup goes, and how many are to stay there; None where none is dropped. Raises InvalidInput."""
    if into is None:
        return free_name(files, files.folder, at), default_keep if keep is None else keep
    if into.is_dir():
        return free_name(files, into, at), keep
    if keep is not None:
        raise InvalidInput(template="--keep is for a folder", hint="leave it out, or name a folder with -o")
    if not into.parent.is_dir():
        raise InvalidInput(template="{path}: there is no such folder", hint="make it first", path=into.parent)
    return into, None


def free_name(files: BackupFolder, folder: Path, at: datetime, made_for: MadeFor = MadeFor.HAND) -> Path:
    """A name in the folder that no backup has."""
    number = 1
    while (path := folder / backup_name(files.stem, at, made_for, number)).exists() or path.is_symlink():
        number += 1
    return path


FADED: Fields = {"state": State.ARCHIVED.value, "archived_because": ArchivedBecause.FADED.value}


class Restore:
    """One backup on its way back. `prepare`, look at the `plan`, `carry_out`, and `aclose` whatever happened."""

    def __init__(self, loaded: LoadedSettings, named: str, profile: str | None = None) -> None:
        self._loaded = loaded
        self._files = backup_files(loaded)
        self._backup = self._found(named)
        self._scope = memory_upkeep.checked_profile(profile or loaded.settings.profile)
        self._replacement = replacement(loaded, self._backup)
        self._thread = OneThread("orca-restore")
        self._plan: RestorePlan | None = None
        self.is_in_place = False
        """Whether the backup has taken the place of what was here; it stands fast after `aclose`."""

    @property
    def plan(self) -> RestorePlan:
        assert self._plan is not None
        return self._plan

    async def prepare(self, *, is_dry: bool = False) -> AsyncGenerator[CopyProgress, None]:
        """Copy the backup beside the database, check it, bring it to the newest schema, take out of the copy what was
        deleted here since, and compare. Nothing that is here is changed; another Orca may have it open only where it
        stays so. Raises OrcaError."""
        await self._thread.run(partial(self._replacement.begin, alone=not is_dry))
        try:
            async with aclosing(stepped(self._thread, self._replacement.bring)) as steps:
                async for progress in steps:
                    yield progress
        except (StoreDamaged, StoreForeign, IndexDamaged) as error:
            raise _no_use(self._backup, error) from error
        deleted = await self._thread.run(self._replacement.deleted_since)
        await self._take_out(deleted, SystemClock().now())
        self._plan = await self._thread.run(partial(self._replacement.plan, deleted))

    async def carry_out(self) -> AsyncGenerator[CopyProgress | RestoreResult, None]:
        """Keep what is here, take out of the copy what was deleted here meanwhile, and give it the place. Raises
        StorageError."""
        at = SystemClock().now()
        await self._thread.run(self._replacement.hold)
        kept: Path | None = None
        if self._replacement.is_anything_here:
            await self._thread.run(self._files.make_folder)
            kept = free_name(self._files, self._files.folder, at, MadeFor.RESTORE)
            async with aclosing(stepped(self._thread, partial(self._replacement.keep_present, kept, at))) as steps:
                async for progress in steps:
                    yield progress
        deleted = await self._thread.run(self._replacement.deleted_since)
        await self._take_out(deleted, at)
        await self._thread.run(partial(self._put_in_place, at, "" if kept is None else kept.name))
        yield RestoreResult(self.plan.backup, kept, self._replacement.is_readable, self.plan.stays_deleted)

    async def aclose(self) -> None:
        await self._thread.run(self._replacement.close)
        await self._thread.aclose()

    def _put_in_place(self, at: datetime, kept: str) -> None:
        self._replacement.put_in_place(self._scope, at, kept)
        self.is_in_place = True

    async def _take_out(self, deleted: Mapping[str, DeletedSince], at: datetime) -> None:
        """Delete in the copy what was deleted here, as a hand deletes."""
        if not deleted:
            return
        database = await open_file(self._replacement.ready, self._loaded)
        try:
            for scope, named in deleted.items():
                stores = database.scope(scope)
                try:
                    await _delete(stores, named, OperationHeader(Actor.USER, "delete", at))
                finally:
                    await stores.upkeep.aclose()
        finally:
            await database.aclose()

    def _found(self, named: str) -> Path:
        """A file, or a backup in the folder by its name. Raises NotFound."""
        path = Path(named).expanduser()
        places = [path]
        if path.name == named:
            places += [self._files.folder / named, self._files.folder / f"{named}{SUFFIX}"]
        for each in places:
            if each.is_file():
                return each
        raise NotFound(what="backup", id=named, hint="orca backup list names them")


def _no_use(backup: Path, error: StorageError) -> InvalidInput:
    """What is wrong with a backup; of what stands here nothing is said by it."""
    fields = {"detail": "", **error.fields, "path": backup}
    if isinstance(error, StoreForeign):
        template = "{path}: not an Orca database ({detail})"
    elif "size" in fields:
        template = "{path}: this backup is empty ({size} bytes are left of it)"
    else:
        template = "{path}: this backup is damaged ({detail})"
    return InvalidInput(template=template, hint="nothing was changed; orca backup list names the backups", **fields)


async def _delete(stores: Stores, named: DeletedSince, header: OperationHeader) -> None:
    for kind, ids in named.records.items():
        if kind == MEMORY:
            await stores.memories.delete(ids, header)
        elif kind == TASK:
            await stores.tasks.delete(ids, header)
        else:
            await stores.records[kind].delete(ids, header)
    episodes = stores.records[EPISODE]
    if faded := [each.id for each in await episodes.get(named.faded, missing_ok=True)]:
        await episodes.change_all(faded, header, lambda there: {each.id: FADED for each in there})
        await stores.retention.delete_faded(faded, header)
    by_session: dict[str, list[int]] = {}
    for session_id, number in named.rounds:
        by_session.setdefault(session_id, []).append(number)
    for session_id, numbers in by_session.items():
        await stores.sessions.delete_rounds(session_id, numbers, header)
    for session_id in named.sessions:
        await stores.sessions.delete(session_id, header)
    for tool in named.tools:
        await stores.tools.delete(tool, header)


def backup_files(loaded: LoadedSettings) -> BackupFolder:
    """The backups of the configured database."""
    path, _was_named = database_path(loaded)
    return BackupFolder(path)


def replacement(loaded: LoadedSettings, backup: Path) -> DatabaseReplacement:
    """What puts a backup in the place of the configured database."""
    path, _was_named = database_path(loaded)
    return DatabaseReplacement(path, backup)


async def open_file(path: Path, loaded: LoadedSettings) -> OpenedDatabase:
    """Another database than the configured one, under its rules. Raises StorageError."""
    return await open_database(path, must_exist=True, settings=loaded.settings.memory)


async def look_for_traces(loaded: LoadedSettings, kind: Kind, ids: Sequence[int]) -> DeletionTraces:
    """What the configured database holds of some records. Raises StorageError."""
    return await asyncio.to_thread(deletion_proof.look, database_path(loaded)[0], _types()[kind], ids)


async def look_for_sessions(loaded: LoadedSettings, profile: str | None, session_ids: Sequence[str]) -> DeletionTraces:
    """What the configured database holds of some chats. Raises StorageError."""
    scope = memory_upkeep.checked_profile(profile or loaded.settings.profile)
    return await asyncio.to_thread(deletion_proof.look_for_sessions, database_path(loaded)[0], scope, session_ids)


async def prove_gone(loaded: LoadedSettings, before: DeletionTraces) -> DeletionProof:
    """What it holds no more, and what is left, in its backups too. Raises StorageError."""
    return await asyncio.to_thread(deletion_proof.prove, database_path(loaded)[0], _types().get(before.kind), before)


def _types() -> dict[Kind, RecordType[Any]]:
    return {each.kind: each for each in (*RECORD_TYPES, CALLS)}
