"""Backups of the configured database: made step by step while Orca runs, listed, and dropped when there are many."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Callable, Generator
from contextlib import aclosing
from datetime import datetime
from functools import partial
from pathlib import Path
from threading import Event

from orca_core.adapters.files import SQLiteBackups, backup_files
from orca_core.clock import SystemClock
from orca_core.config.file import LoadedSettings
from orca_core.model.backups import BackedUp, Backup, MadeFor, Progress
from orca_core.model.errors import InvalidInput
from orca_core.rules.memory.memory_upkeep import backup_name
from orca_core.setup.one_thread import OneThread

PAUSE_S = 0.005
"""Between two steps of a copy, in which the disk is others' (docs/decisions/0044)."""


async def back_up(
    loaded: LoadedSettings, into: Path | None = None, keep: int | None = None, *, overwrites: bool = False
) -> AsyncGenerator[Progress | BackedUp, None]:
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
        yield BackedUp(await thread.run(partial(files.read, path)), tuple(dropped))


async def stepped(
    thread: OneThread, begin: Callable[[Event], Generator[Progress, None, None]]
) -> AsyncGenerator[Progress, None]:
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
    files: SQLiteBackups, into: Path | None, keep: int | None, at: datetime, *, default_keep: int
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


def free_name(files: SQLiteBackups, folder: Path, at: datetime, made_for: MadeFor = MadeFor.HAND) -> Path:
    """A name in the folder that no backup has."""
    number = 1
    while (path := folder / backup_name(files.stem, at, made_for, number)).exists() or path.is_symlink():
        number += 1
    return path
