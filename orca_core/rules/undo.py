"""What an undo restores: only what still stands as the operation left it. Redo is the same, of an undo."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from orca_core.domain.memories import Actor, ArchivedBecause, Change, Conflict, Fields, Memory, State, UndoPlan
from orca_core.rules.fields import fields_of

OWN_ACTORS = (Actor.USER, Actor.IMPORT)
"""Who acts for the person: what only they did is taken back without being named."""
MACHINES = (Actor.EXTRACTION, Actor.CLEAN)
"""Who changes memories unasked. A turn's weights are not among them: each turn has its own."""
COUNTERS = ("access_count", "used", "seen")
"""Fields that later turns add to: an undo takes its own share out instead of refusing."""


def plan(changes: Sequence[Change], current: Mapping[int, Memory]) -> UndoPlan:
    """The fields to restore, memory by memory, and those that something changed later."""
    restore: dict[int, Fields] = {}
    conflicts: list[Conflict] = []
    for change in changes:
        memory = current.get(change.memory_id)
        if memory is None:
            conflicts.append(Conflict(change.memory_id, "memory", "there", "deleted"))
            continue
        held = fields_of(memory)
        wanted = _unmade(change, held, conflicts) if change.before is None else _restored(change, held, conflicts)
        if wanted:
            restore[change.memory_id] = wanted
    return UndoPlan(restore, tuple(conflicts))


def _unmade(change: Change, held: Fields, conflicts: list[Conflict]) -> Fields:
    """A memory that the operation made is archived: its number is never used again, and redo must find it."""
    if held["state"] != change.after["state"]:
        conflicts.append(Conflict(change.memory_id, "state", State.ARCHIVED.value, held["state"]))
        return {}
    return {"state": State.ARCHIVED.value, "archived_because": ArchivedBecause.UNDONE.value}


def _restored(change: Change, held: Fields, conflicts: list[Conflict]) -> Fields:
    before = change.before or {}
    wanted: dict[str, Any] = {}
    for field, given in change.after.items():
        if held[field] == given:
            wanted[field] = before[field]
        elif field in COUNTERS:
            wanted[field] = max(0, held[field] - (given - before[field]))
        else:
            conflicts.append(Conflict(change.memory_id, field, before[field], held[field]))
    return wanted
