"""Memories, what was found of them, and their history."""

from __future__ import annotations

from collections.abc import Sequence

from orca_core.domain.journal import Change
from orca_core.domain.memories import ConfirmedBy, Elsewhere, Memory, MemoryType, Origin, OriginKind, State, Status
from orca_core.domain.views import MemoryView, SearchHit, ViewPage
from orca_core.wire.receipts import parts_json
from orca_core.wire.values import Json, number, timestamp_from, timestamp_json

_STORED = {Status(state.value): state for state in State if state is not State.LIVE}
"""Statuses that say what is stored; the others say of a live memory how heavy it is."""


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


def memory_from(fields: Json) -> Memory:
    """The inverse of `memory_json`, which leaves out why a memory was archived, what a candidate would replace, and who
    wrote its cues."""
    return Memory(
        id=fields["id"],
        uid=fields["uid"],
        content=fields["content"],
        type=MemoryType(fields["type"]),
        tags=tuple(fields["tags"]),
        confidence=fields["confidence"],
        weight=fields["weight"],
        state=_STORED.get(status_from(fields), State.LIVE),
        created_at=timestamp_from(fields["created_at"]),
        updated_at=timestamp_from(fields["updated_at"]),
        origin=_origin_from(fields["origin"]),
        held_because=fields["held_because"],
        pinned=fields["pinned"],
        access_count=fields["access_count"],
        used=fields["used"],
        seen=fields["seen"],
        last_accessed=None if fields["last_accessed"] is None else timestamp_from(fields["last_accessed"]),
        superseded_by=fields["superseded_by"],
        cues=tuple(fields.get("cues", ())),
        confirmed_by=None if fields.get("confirmed_by") is None else ConfirmedBy(fields["confirmed_by"]),
        elsewhere=_elsewhere_from(fields["origin"]),
    )


def status_from(fields: Json) -> Status:
    """The status in the JSON of a memory."""
    return Status(fields["status"])


def view_json(view: MemoryView) -> Json:
    """A memory as people see it."""
    return memory_json(view.memory, view.status)


def memories_json(page: ViewPage) -> Json:
    """A page of memories; `total` counts those beyond the page too."""
    return {"memories": [view_json(view) for view in page.views], "total": page.total}


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


def _elsewhere_from(fields: Json) -> Elsewhere:
    return Elsewhere(fields.get("program") or "", fields.get("chat") or "")


def _origin_from(fields: Json) -> Origin:
    return Origin(
        OriginKind(fields["kind"]), fields["session_id"], tuple(fields["rounds"]), fields["quote"], fields["model"]
    )
