"""A backup put in the place of the configured database: checked, shown, and then done as a whole or not at all."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Mapping
from contextlib import aclosing
from datetime import datetime
from functools import partial
from pathlib import Path

from orca_core.adapters.files import backup_files, open_file, replacement
from orca_core.clock import SystemClock
from orca_core.config.file import LoadedSettings
from orca_core.model.backups import MadeFor, NamedDeleted, Progress, Restored, RestorePlan
from orca_core.model.errors import IndexDamaged, InvalidInput, NotFound, StorageError, StoreDamaged, StoreForeign
from orca_core.model.memories import ArchivedBecause, Fields, State
from orca_core.model.operations import Actor, OperationHeader
from orca_core.model.records import EPISODE, MEMORY, TASK
from orca_core.rules.memory import memory_upkeep
from orca_core.rules.memory.memory_upkeep import SUFFIX
from orca_core.setup.backups import free_name, stepped
from orca_core.setup.one_thread import OneThread
from orca_core.store.protocols import Stores

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

    async def prepare(self, *, is_dry: bool = False) -> AsyncGenerator[Progress, None]:
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

    async def carry_out(self) -> AsyncGenerator[Progress | Restored, None]:
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
        yield Restored(self.plan.backup, kept, self._replacement.is_readable, self.plan.stays_deleted)

    async def aclose(self) -> None:
        await self._thread.run(self._replacement.close)
        await self._thread.aclose()

    def _put_in_place(self, at: datetime, kept: str) -> None:
        self._replacement.put_in_place(self._scope, at, kept)
        self.is_in_place = True

    async def _take_out(self, deleted: Mapping[str, NamedDeleted], at: datetime) -> None:
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
                    await stores.housekeeping.aclose()
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


async def _delete(stores: Stores, named: NamedDeleted, header: OperationHeader) -> None:
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
        await stores.fading.delete_faded(faded, header)
    by_session: dict[str, list[int]] = {}
    for session_id, number in named.rounds:
        by_session.setdefault(session_id, []).append(number)
    for session_id, numbers in by_session.items():
        await stores.sessions.delete_rounds(session_id, numbers, header)
    for session_id in named.sessions:
        await stores.sessions.delete(session_id, header)
    for tool in named.tools:
        await stores.tools.delete(tool, header)
