"""Where a configuration keeps things."""

from __future__ import annotations

from pathlib import Path

from orca_core.config.file import LoadedSettings, expanded

DATABASE_NAME = "orca.db"


def database_path(loaded: LoadedSettings) -> tuple[Path, bool]:
    """Where the database is, and whether the configuration named it (then it must exist)."""
    if loaded.settings.database:
        return expanded(loaded.settings.database, "database"), True
    return loaded.home / DATABASE_NAME, False
