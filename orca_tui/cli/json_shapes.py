"""Domain values as the JSON that other programs rely on. Pure: nothing is asked, nothing is written."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from orca_core.domain.diagnosis import Diagnosis, StoreHealth
from orca_core.domain.dialogues import Cause, Round, Session
from orca_core.domain.learning import Queue
from orca_core.domain.memories import Change, Memory, Origin, Status
from orca_core.domain.recall import Injection, Item, Receipt, References, ScoreParts
from orca_tui.times import timestamp_json

Json = dict[str, Any]

StatusOf = Callable[[Memory], Status]


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
        "origin": _origin_json(memory.origin),
        "superseded_by": memory.superseded_by,
    }


def memories_json(memories: Sequence[Memory], total: int, status_of: StatusOf) -> Json:
    """A page of memories; `total` counts those beyond the page too."""
    return {"memories": [memory_json(memory, status_of(memory)) for memory in memories], "total": total}


def found_json(found: Sequence[tuple[Memory, ScoreParts]], status_of: StatusOf) -> Json:
    """What a search found, best first."""
    return {
        "memories": [
            {**memory_json(memory, status_of(memory)), "score": number(parts.total), "parts": parts_json(parts)}
            for memory, parts in found
        ],
        "total": len(found),
    }


def history_json(memory_id: int, changes: Sequence[Change]) -> Json:
    """What happened to one memory, oldest first."""
    return {
        "id": memory_id,
        "changes": [
            {
                "at": timestamp_json(change.at),
                "actor": change.actor.value,
                "action": change.action,
                "before": None if change.before is None else dict(change.before),
                "after": dict(change.after),
                "operation": change.operation,
            }
            for change in changes
        ],
    }


def session_json(session: Session) -> Json:
    """A session, without what was said in it."""
    return {
        "id": session.id,
        "title": session.title,
        "created_at": timestamp_json(session.created_at),
        "rounds": session.rounds,
    }


def sessions_json(sessions: Sequence[Session]) -> Json:
    """The sessions, newest first."""
    return {"sessions": [session_json(session) for session in sessions]}


def dialogue_json(session: Session, rounds: Sequence[Round]) -> Json:
    """A session and what was said in it, oldest first."""
    return {
        "session": session_json(session),
        "rounds": [
            {
                "round": each.number,
                "user": each.user,
                "assistant": each.assistant,
                "state": each.state.value,
                "at": timestamp_json(each.at),
                "cause": None if each.cause is None else cause_json(each.cause),
            }
            for each in rounds
        ],
    }


def cause_json(cause: Cause) -> Json:
    """Why a round ended as it did, in English, as errors are told."""
    return {
        "kind": cause.kind,
        "message": cause.template.format(**cause.fields),
        "hint": cause.hint_template.format(**cause.fields),
    }


def parts_json(parts: ScoreParts) -> Json:
    """The four parts of a score."""
    return {
        "vector": number(parts.vector),
        "text": number(parts.text),
        "weight": number(parts.weight),
        "recency": number(parts.recency),
    }


def item_json(item: Item) -> Json:
    """A memory as it stood before a turn."""
    return {
        "id": item.ref if item.kind == "short" else int(item.ref),
        "kind": item.kind,
        "content": item.content,
        "score": number(item.score),
        "parts": parts_json(item.parts),
        "reason": item.reason,
    }


def receipt_json(receipt: Receipt) -> Json:
    """Why a turn got what it got, and what came of it."""
    injection = receipt.injection
    return {
        "session_id": receipt.session_id,
        "round": receipt.round,
        "level": int(injection.level),
        "rules": rules_json(injection),
        "considered": [item_json(item) for item in injection.considered],
        "injected": [item_json(item) for item in injection.injected],
        "dropped": [item_json(item) for item in injection.dropped],
        "tokens": injection.tokens,
        "prompt_tokens": injection.prompt_tokens,
        **references_json(receipt.references),
        "weights": [{"id": move.id, "before": move.before, "after": move.after} for move in receipt.weights],
        "block": injection.block,
    }


def _origin_json(origin: Origin) -> Json:
    return {
        "kind": origin.kind.value,
        "session_id": origin.session_id,
        "rounds": list(origin.rounds),
        "quote": origin.quote,
        "model": origin.model,
    }


def stats_json(by_status: Mapping[str, int], by_type: Mapping[str, int], health: StoreHealth, queue: Queue) -> Json:
    """What is stored, and how large it is."""
    return {
        "status": dict(by_status),
        "type": dict(by_type),
        "queue": queue.rounds,
        "last_extraction": timestamp_json(queue.last_success),
        "sizes": {"bytes": health.bytes, **health.counts},
        "failing": queue.failing,
        "parked": queue.parked,
        "last_error": queue.last_error or None,
    }


def diagnosis_json(diagnosis: Diagnosis) -> Json:
    """What the doctor found."""
    return {
        "level": int(diagnosis.level),
        "checks": [
            {"name": check.name, "state": check.state, "detail": check.detail, "fix": check.fix}
            for check in diagnosis.checks
        ],
    }


def references_json(references: References) -> Json:
    """The injected memories by what the answer did with them."""
    return {"used": list(references.used), "unused": list(references.unused), "unknown": list(references.unknown)}


def rules_json(injection: Injection) -> list[str]:
    """The rules that decided; where recall could not look, that too."""
    failure = [f"recall_failed: {injection.failed}"] if injection.failed else []
    return [*injection.rules, *failure]


def number(value: float) -> float:
    """A measured value, without digits that mean nothing."""
    return round(value, 6)
