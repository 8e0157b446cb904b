"""Knowledge in JSON: what is known, targets, and runs that make it."""

from __future__ import annotations

from collections.abc import Sequence

from orca_core.domain.refs import EPISODE, KNOWLEDGE
from orca_core.domain.work.consolidating import TargetCount
from orca_core.domain.work.records import WorkDeletion
from orca_core.domain.work.views import KnowledgeView
from orca_core.wire.values import Json, number, timestamp_json
from orca_core.wire.work import origin_json, work_id


def knowledge_json(view: KnowledgeView) -> Json:
    """Knowledge as people see it."""
    known = view.knowledge
    return {
        "id": work_id(KNOWLEDGE, known.id),
        "uid": known.uid,
        "target": known.target,
        "topic": known.topic,
        "content": known.content,
        "key_points": list(known.key_points),
        "source_episodes": [work_id(EPISODE, each) for each in known.source_episodes],
        "confidence": number(known.confidence),
        "access_count": known.access_count,
        "last_accessed": timestamp_json(known.last_accessed),
        "pinned": known.pinned,
        "status": view.status.value,
        "held_because": known.held_because,
        "archived_because": None if known.archived_because is None else known.archived_because.value,
        "version": known.version,
        "origin": origin_json(known.origin),
        "created_at": timestamp_json(known.created_at),
        "updated_at": timestamp_json(known.updated_at),
    }


def left_json(deletion: WorkDeletion) -> Json:
    """What a delete left of the knowledge that was made of what is gone; nothing where it left all as it was."""
    held, kept = ([work_id(KNOWLEDGE, each) for each in some] for some in (deletion.held, deletion.kept))
    return {**({"held": held} if held else {}), **({"kept": kept} if kept else {})}


def targets_json(counts: Sequence[TargetCount]) -> Json:
    """What work is about."""
    return {
        "targets": [
            {
                "target": each.target,
                "episodes": each.episodes,
                "waiting": each.waiting,
                "unread": each.unread,
                "knowledge": [work_id(KNOWLEDGE, known) for known in each.knowledge],
                "kept_by_hand": each.is_kept_by_hand,
                "held": each.is_held,
            }
            for each in counts
        ]
    }
