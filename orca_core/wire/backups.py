"""Backups in JSON."""

from __future__ import annotations

from pathlib import Path

from orca_core.domain.backups import BackedUp, Backup
from orca_core.wire.values import Json, timestamp_json


def backup_json(backup: Backup) -> Json:
    """A backup as it lies in its folder; `schema` and `counts` are null where the file does not say."""
    return {
        "name": backup.path.name,
        "path": str(backup.path),
        "at": timestamp_json(backup.at),
        "bytes": backup.bytes,
        "made_for": backup.made_for.value,
        "schema": backup.schema or None,
        "counts": dict(backup.counts) or None,
        "problem": None if backup.failure is None else backup.failure.kind,
    }


def backed_up_json(made: BackedUp) -> Json:
    """A backup that was made, and the names of those that were dropped for it."""
    return {"backup": backup_json(made.backup), "dropped": list(made.dropped)}


def backups_json(folder: Path, backups: list[Backup]) -> Json:
    """All backups of a folder."""
    return {"folder": str(folder), "backups": [backup_json(each) for each in backups], "total": len(backups)}
