"""What is done with a database as a file, without an engine."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from orca_core.config.file import LoadedSettings
from orca_core.config.places import database_path
from orca_core.model.import_export import CALLS
from orca_core.model.kinds import RECORD_TYPES
from orca_core.model.operations import Proof, Traces
from orca_core.model.records import Kind, RecordType
from orca_core.rules.memory import memory_upkeep
from orca_core.store.protocols import OpenedDatabase
from orca_core.store.sqlite.store import open_database
from orca_core.store.sqlite.upkeep import deletion_proof
from orca_core.store.sqlite.upkeep.backups import SQLiteBackups as SQLiteBackups  # noqa: PLC0414  # type checkers take it for a name of this module
from orca_core.store.sqlite.upkeep.restore import SQLiteReplacement


def backup_files(loaded: LoadedSettings) -> SQLiteBackups:
    """The backups of the configured database."""
    path, _was_named = database_path(loaded)
    return SQLiteBackups(path)


def replacement(loaded: LoadedSettings, backup: Path) -> SQLiteReplacement:
    """What puts a backup in the place of the configured database."""
    path, _was_named = database_path(loaded)
    return SQLiteReplacement(path, backup)


async def open_file(path: Path, loaded: LoadedSettings) -> OpenedDatabase:
    """Another database than the configured one, under its rules. Raises StorageError."""
    return await open_database(path, must_exist=True, settings=loaded.settings.memory)


async def look_for_traces(loaded: LoadedSettings, kind: Kind, ids: Sequence[int]) -> Traces:
    """What the configured database holds of some records. Raises StorageError."""
    return await asyncio.to_thread(deletion_proof.look, database_path(loaded)[0], _types()[kind], ids)


async def look_for_sessions(loaded: LoadedSettings, profile: str | None, session_ids: Sequence[str]) -> Traces:
    """What the configured database holds of some chats. Raises StorageError."""
    scope = memory_upkeep.checked_profile(profile or loaded.settings.profile)
    return await asyncio.to_thread(deletion_proof.look_for_sessions, database_path(loaded)[0], scope, session_ids)


async def prove_gone(loaded: LoadedSettings, before: Traces) -> Proof:
    """What it holds no more, and what is left, in its backups too. Raises StorageError."""
    return await asyncio.to_thread(deletion_proof.prove, database_path(loaded)[0], _types().get(before.kind), before)


def _types() -> dict[Kind, RecordType[Any]]:
    return {each.kind: each for each in (*RECORD_TYPES, CALLS)}
