"""What is done with a database as a file, without an engine."""

from __future__ import annotations

from orca_core.adapters import database_path
from orca_core.config.file import LoadedSettings
from orca_core.domain.backups import BackupFiles
from orca_core.storage.sqlite.upkeep.backups import SQLiteBackups


def backup_files(loaded: LoadedSettings) -> BackupFiles:
    """The backups of the configured database."""
    path, _was_named = database_path(loaded)
    return SQLiteBackups(path)
