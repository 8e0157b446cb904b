"""Backups in JSON."""

from __future__ import annotations

from pathlib import Path

from orca_core.domain.backups import BackedUp, Backup
from orca_core.domain.restoring import Differing, Restored, RestorePlan
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


def plan_json(plan: RestorePlan) -> Json:
    """What restoring a backup would change. `present` is the kind of error for which what is here can't be read."""
    return {
        "backup": backup_json(plan.backup),
        "kinds": {
            kind: {
                "now": each.now,
                "then": each.then,
                "lost": each.lost,
                "back": each.back,
                "changed": each.changed,
            }
            for kind, each in plan.kinds.items()
        },
        "records": {
            kind: {
                "lost": [_record_json(record) for record in each.those_lost],
                "back": [_record_json(record) for record in each.those_back],
                "changed": [
                    {**_record_json(record), "then": record.then or record.title, "fields": list(record.fields)}
                    for record in each.those_changed
                ],
            }
            for kind, each in plan.kinds.items()
            if each.those_lost or each.those_back or each.those_changed
        },
        "newest_now": timestamp_json(plan.newest_now),
        "newest_then": timestamp_json(plan.newest_then),
        "stays_deleted": dict(plan.stays_deleted),
        "present": None if plan.present is None else plan.present.kind,
    }


def _record_json(record: Differing) -> Json:
    return {"id": record.name, "title": record.title, "profile": record.profile}


def restored_json(plan: RestorePlan, restored: Restored | None) -> Json:
    """The plan, and what became of it: nothing where it was only to be looked at."""
    kept = None if restored is None or restored.kept is None else str(restored.kept)
    return {**plan_json(plan), "restored": restored is not None, "kept": kept}
