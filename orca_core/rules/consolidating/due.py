"""Which target is consolidated next."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from datetime import datetime

from orca_core.model.knowledge import SOURCE_DELETED, DueTargets, Knowledge, TargetCount
from orca_core.model.learning import OpenRun, RunState
from orca_core.model.memories import ArchivedBecause, Fields, State
from orca_core.model.records import timestamp
from orca_core.rules.consolidating.targets import folded

MOST = 20
"""Episodes in one call; more follow in the next. Chosen by hand."""
FURTHER = 1
"""So many unread episodes renew what is known already. One is enough: it may be the first that contradicts it, and
until it is read, what is known goes on being put before the model."""


def is_run_due(run: OpenRun, due: DueTargets) -> bool:
    """One that was cut short goes on at once, one that failed at its time, or when a person names its target: a parked
    one only then."""
    is_named = due.target is not None and folded(due.target) == folded(run.target)
    if run.id in due.besides or (due.target is not None and not is_named):
        return False
    if run.state is RunState.RUNNING or is_named:
        return True
    return run.next_at is not None and (due.everything or run.next_at <= due.at)


def due_target(targets: Sequence[TargetCount], due: DueTargets) -> TargetCount | None:
    """The one whose unread episode has waited longest; None where none is due."""
    ready = [each for each in targets if _is_due(each, due)]
    return min(ready, key=lambda each: (each.first_unread, each.target)) if ready else None


def _is_due(each: TargetCount, due: DueTargets) -> bool:
    """Episodes that were read count again only beside one that was not: what was taken back, or taught nothing, is not
    made of the same ones."""
    if each.is_held:
        return False
    if due.target is not None:
        is_left = each.unread if due.besides else each.waiting  # a second run is for what did not fit into the first
        return folded(each.target) == folded(due.target) and is_left > 0
    if each.unread == 0 or each.is_kept_by_hand:
        return False
    return each.unread >= FURTHER if each.knowledge else each.waiting >= due.min_episodes


def put_aside(at: datetime) -> Fields:
    """What knowledge becomes whose place another one on the same target takes."""
    return {
        "state": State.ARCHIVED.value,
        "archived_because": ArchivedBecause.SUPERSEDED.value,
        "archived_at": timestamp(at),
        "held_because": None,
    }


def who_stands(rivals: Sequence[Knowledge], chosen: Collection[int]) -> Knowledge:
    """Of several live ones on one target: what a person has just chosen, then what knows the newest episode, then what
    was made last."""
    return max(rivals, key=lambda each: (each.id in chosen, max(each.source_episodes, default=0), each.id))


def source_deleted(known: Knowledge, is_kept: bool) -> Fields:
    """What knowledge becomes that was made of an episode which a person deleted: its words may be the episode's. It is
    held back until it is written anew; what a person pinned or wrote stays, and says so."""
    if known.state is State.LIVE and not is_kept:
        return {"state": State.CANDIDATE.value, "held_because": SOURCE_DELETED}
    return {"held_because": SOURCE_DELETED}
