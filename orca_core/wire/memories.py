"""Memories, what was found of them, and their history."""

from __future__ import annotations

from collections.abc import Sequence

from orca_core.domain.journal import Change
from orca_core.domain.memories import Elsewhere, Memory, Origin, Status
from orca_core.domain.views import MemoryView, SearchHit
from orca_core.wire.receipts import parts_json
from orca_core.wire.values import Json, number, timestamp_json


def memory_json(memory: Memory, status: Status) -> Json:
    """A memory, with the status that people see."""
    return {
        "id": memory.id,
        "uid": memory.uid,
        "content": memory.content,
        "type": memory.type.value,
        "tags": list(memory.tags),
        "confidence": memory.confidence,
        "weight": memory.weight,
        "status": status.value,
        "held_because": memory.held_because,
        "pinned": memory.pinned,
        "access_count": memory.access_count,
        "used": memory.used,
        "seen": memory.seen,
        "last_accessed": timestamp_json(memory.last_accessed),
        "created_at": timestamp_json(memory.created_at),
        "updated_at": timestamp_json(memory.updated_at),
        "origin": _origin_json(memory.origin, memory.elsewhere),
        "superseded_by": memory.superseded_by,
        "cues": list(memory.cues),
        "confirmed_by": None if memory.confirmed_by is None else memory.confirmed_by.value,
    }


def view_json(view: MemoryView) -> Json:
    """A memory as people see it."""
    return memory_json(view.memory, view.status)


def found_json(hits: Sequence[SearchHit], rules: Sequence[str] = ()) -> Json:
    """What a search found, best first; by what less was looked at, and what made that order beside the scores."""
    return {
        "memories": [
            {**view_json(hit.view), "score": number(hit.parts.total), "parts": parts_json(hit.parts)} for hit in hits
        ],
        "total": len(hits),
        "rules": list(rules),
    }


def history_json(memory_id: int, changes: Sequence[Change]) -> Json:
    """What happened to one memory, oldest first."""
    return {"id": memory_id, "changes": [change_json(change) for change in changes]}


def change_json(change: Change) -> Json:
    """What one operation did to a record."""
    return {
        "at": timestamp_json(change.at),
        "actor": change.actor.value,
        "action": change.action,
        "before": None if change.before is None else dict(change.before),
        "after": dict(change.after),
        "operation": change.operation,
    }


def _origin_json(origin: Origin, elsewhere: Elsewhere) -> Json:
    return {
        "kind": origin.kind.value,
        "session_id": origin.session_id,
        "rounds": list(origin.rounds),
        "quote": origin.quote,
        "model": origin.model,
        "program": elsewhere.program or None,
        "chat": elsewhere.chat or None,
    }
