"""What cleaning makes of memories: those that sank below the threshold are archived, those that say just the same are
one. What a person pinned is touched by none of it."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from orca_core.model.memories import MEMORIES, ArchivedBecause, Decide, Fields, Memory, State
from orca_core.rules.memory.curation import MAX_TAGS
from orca_core.rules.memory.said_again import superseded_by
from orca_core.rules.memory.twins import Twins, twins

CLEAN = "clean"
"""The action of the operation."""
ARCHIVED_FOR_WEIGHT: Fields = {
    "state": State.ARCHIVED.value,
    "archived_because": ArchivedBecause.WEIGHT.value,
}


def tidy(sunk: Collection[int], archive_threshold: float, max_weight: float) -> Decide:
    """What becomes of memories that are read now: `sunk` were below the threshold when they were looked for. One that
    is merged with a heavier one weighs as much."""

    def decide(memories: Sequence[Memory]) -> Mapping[int, Fields]:
        wanted: dict[int, Fields] = {}
        for group in twins(memories):
            wanted[group.kept.id] = _together(group, max_weight)
            wanted.update({each.id: superseded_by(group.kept.id) for each in group.others})
        for memory in memories:
            together = wanted.get(memory.id, {})
            if memory.id in sunk and _sinks(MEMORIES.changed(memory, together), archive_threshold):
                wanted[memory.id] = {**together, **ARCHIVED_FOR_WEIGHT}
        return wanted

    return decide


def _sinks(memory: Memory, archive_threshold: float) -> bool:
    return memory.state is State.LIVE and not memory.pinned and memory.weight < archive_threshold


def _together(group: Twins, max_weight: float) -> Fields:
    """What the one that stays has of the others. A pinned one stays as it is."""
    kept, memories = group.kept, (group.kept, *group.others)
    if kept.pinned:
        return {}
    return {
        "tags": list(dict.fromkeys(tag for each in memories for tag in each.tags))[:MAX_TAGS],
        "confidence": max(each.confidence for each in memories),
        "weight": max(kept.weight, min(max_weight, max(each.weight for each in memories))),
        "seen": sum(each.seen for each in memories),
    }
