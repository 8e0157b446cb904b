"""What is done with a database as a file, without an engine."""

from __future__ import annotations

from pathlib import Path

from orca_core.config.file import LoadedSettings
from orca_core.config.places import database_path
from orca_core.domain.backups import BackupFiles
from orca_core.domain.restoring import Replacement
from orca_core.domain.stores import OpenedDatabase
from orca_core.journal_rules import journal_rules
from orca_core.storage.sqlite.store import open_database
from orca_core.storage.sqlite.upkeep.backups import SQLiteBackups
from orca_core.storage.sqlite.upkeep.replacing import SQLiteReplacement


def backup_files(loaded: LoadedSettings) -> BackupFiles:
    """The backups of the configured database."""
    path, _was_named = database_path(loaded)
    return SQLiteBackups(path)


def replacement(loaded: LoadedSettings, backup: Path) -> Replacement:
    """What puts a backup in the place of the configured database."""
    path, _was_named = database_path(loaded)
    return SQLiteReplacement(path, backup, journal_rules(loaded.settings.memory).deleting)


async def open_file(path: Path, loaded: LoadedSettings) -> OpenedDatabase:
    """Another database than the configured one, under its rules. Raises StorageError."""
    return await open_database(path, must_exist=True, rules=journal_rules(loaded.settings.memory))
