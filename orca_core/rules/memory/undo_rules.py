"""Plan an undo: it restores only fields that still hold what the operation wrote; a redo is the undo of an undo."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any

from orca_core.model.memories import Fields, State
from orca_core.model.operations import Actor, Change, Conflict, UndoPlan
from orca_core.model.record_types import EPISODE, TASK, Kind, Ref
from orca_core.rules.memory.memory_upkeep import DIGITS

OWN_ACTORS = (Actor.USER, Actor.IMPORT)
"""Who acts for the person: what only they did is taken back without being named."""
MACHINES = (
    *(Actor.EXTRACTION, Actor.CLEAN, Actor.CONSOLIDATION, Actor.EPISODES),
    *(Actor.ACTIONS, Actor.PROMOTION, Actor.GUIDES),
)
"""Who changes memories unasked. A turn's weights are not among them: each turn has its own."""
COUNTERS = ("access_count", "used", "seen")
"""Fields that later turns add to: an undo takes its own share out instead of refusing."""

SAID = ("content", "type", "tags", "confidence")
"""What a memory says: only a hand changes it."""
DERIVED = ("consolidated_into",)
"""It follows from other records: what restores these restores it."""
QUIET = ("confirmed_by",)
"""Whose word a memory lives on: where that has changed since, the later word stands, and nobody is told of it."""
VERSION = ("text", "topic", "content", "key_points", "version")
"""A version of knowledge goes back as a whole, or not at all."""


def plan(changes: Sequence[Change], current: Mapping[Ref, Fields], unmade: Mapping[Kind, Fields]) -> UndoPlan:
    """The fields to restore, record by record, and those that something changed later. `unmade` says what a record of a
    kind is when its making is taken back."""
    restore: dict[Ref, Fields] = {}
    conflicts: list[Conflict] = []
    moved_on = ends_that_moved_on(changes, current)
    left_alone = {each.ref for each in changes if each.ref.kind in (TASK, EPISODE)} if moved_on else ()
    conflicts += moved_on
    for change in changes:
        held = current.get(change.ref)
        if change.ref in left_alone:
            continue
        if held is None:
            conflicts.append(Conflict(change.ref, change.ref.kind.name, "there", "deleted"))
            continue
        if change.before is None:
            wanted = _unmade(change, held, unmade[change.ref.kind], conflicts)
        else:
            wanted = _restored(change, held, conflicts)
        if wanted:
            restore[change.ref] = wanted
    return UndoPlan(restore, tuple(conflicts))


def ends_that_moved_on(changes: Sequence[Change], current: Mapping[Ref, Fields]) -> Sequence[Conflict]:
    """The end of a task and its episode stand or fall together. Where the task has been ended, opened or deleted by
    something later, it is named, and both are left as they are."""
    for change in changes:
        if change.ref.kind == TASK and change.before is not None and "status" in change.after:
            found = current.get(change.ref, {}).get("status", "deleted")
            if found != change.after["status"]:
                return [Conflict(change.ref, "status", change.before["status"], found)]
    return []


def plan_retried(changes: Sequence[Change], current: Mapping[Ref, Fields], by_hand: Collection[Ref]) -> UndoPlan:
    """Tell how a retried turn gives back the weights that it moved. It made nothing.

    It takes back its own share, even where other turns have moved the weight since. A weight that a person has set
    since is left alone."""
    planned = plan(changes, current, {})
    shares: dict[Ref, Fields] = {}
    for change in changes:
        held = current.get(change.ref)
        if held is not None and change.ref not in by_hand and _has_moved_since(change, held):
            before, after = (change.before or {})["weight"], change.after["weight"]
            shares[change.ref] = {"weight": round(max(0.0, held["weight"] - (after - before)), DIGITS)}
    restore = {ref: {**planned.restore.get(ref, {}), **shares.get(ref, {})} for ref in current}
    conflicts = tuple(each for each in planned.conflicts if not (each.field == "weight" and each.ref in shares))
    return UndoPlan({ref: fields for ref, fields in restore.items() if fields}, conflicts)


def _has_moved_since(change: Change, held: Fields) -> bool:
    """Tell whether a live memory's weight is another than the turn left it. A pinned one is never lowered by a
    machine."""
    if held["state"] != State.LIVE or "weight" not in change.after or change.before is None:
        return False
    is_lowered = change.after["weight"] > change.before["weight"]
    return bool(held["weight"] != change.after["weight"] and not (held["pinned"] and is_lowered))


def plan_unsaid(changes: Sequence[Change], current: Mapping[Ref, Fields], unmade: Mapping[Kind, Fields]) -> UndoPlan:
    """Tell how a retried round takes back what its last attempt stored on request.

    A record that a person has pinned or changed since is left alone. One that was archived or said again since only
    loses the count of this attempt."""
    kept = [change for change in changes if _is_kept_by_hand(change, current.get(change.ref))]
    moved = [change for change in changes if change not in kept and _has_moved_on(change, current.get(change.ref))]
    planned = plan([change for change in changes if change not in kept and change not in moved], current, unmade)
    uncounted = {change.ref: _uncounted(change, current[change.ref]) for change in moved}
    left = tuple(Conflict(change.ref, "memory", "as it was", "changed by hand") for change in kept)
    return UndoPlan({**planned.restore, **uncounted}, (*planned.conflicts, *left))


def _is_kept_by_hand(change: Change, held: Fields | None) -> bool:
    if held is None:
        return False
    return bool(held["pinned"]) or any(held[field] != change.after[field] for field in SAID if field in change.after)


def _has_moved_on(change: Change, held: Fields | None) -> bool:
    """Tell whether a memory that the operation made was put aside since, or said again elsewhere."""
    if held is None or change.before is not None:
        return False
    return bool(held["state"] != change.after["state"] or held["seen"] > change.after["seen"])


def _unmade(change: Change, held: Fields, unmade: Fields, conflicts: list[Conflict]) -> Fields:
    """A record that the operation made is put away, not deleted: its number is never used again, and redo must find
    it. Its counters lose what they began with, so that saying it again counts as the first time. Where a newer version
    of it stands, that one is left."""
    if "version" in change.after and held["version"] != change.after["version"]:
        conflicts.append(Conflict(change.ref, "version", change.after["version"], held["version"]))
        return {}
    for field, wanted in unmade.items():
        if field in change.after and held[field] != change.after[field]:
            conflicts.append(Conflict(change.ref, field, wanted, held[field]))
            return {}
    return {**unmade, **_uncounted(change, held)}


def _uncounted(change: Change, held: Fields) -> dict[str, Any]:
    """The counters without what they began with."""
    return {field: max(0, held[field] - change.after[field]) for field in COUNTERS if change.after.get(field)}


def _restored(change: Change, held: Fields, conflicts: list[Conflict]) -> Fields:
    before = change.before or {}
    if _is_another_version(change, held):
        conflicts.append(Conflict(change.ref, "version", before["version"], held["version"]))
        return {}
    wanted: dict[str, Any] = {}
    for field, given in change.after.items():
        if field in DERIVED:
            continue
        if held[field] == given:
            wanted[field] = before[field]
        elif field in COUNTERS:
            wanted[field] = max(0, held[field] - (given - before[field]))
        elif field not in QUIET:
            conflicts.append(Conflict(change.ref, field, before[field], held[field]))
    return wanted


def _is_another_version(change: Change, held: Fields) -> bool:
    """Tell whether knowledge says something else by now than the version that the operation wrote."""
    return "version" in change.after and any(
        held[field] != given for field, given in change.after.items() if field in VERSION
    )
