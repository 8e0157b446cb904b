"""What a memory's status is, in one place, and what happens when it is said again."""

from __future__ import annotations

from collections.abc import Mapping

from orca_core.domain.errors import InvalidInput
from orca_core.domain.memories import (
    BIRTH_WEIGHT,
    Added,
    ArchivedBecause,
    Fields,
    Memory,
    NewMemory,
    OriginKind,
    SaidAgain,
    State,
    Status,
)
from orca_core.domain.queries import StatusCriteria

LIVE = "live"
ALL = "all"
WEAK_EVIDENCE = "weak_evidence"
"""The one reason for which a candidate is held that goes away when typed text confirms it."""
UNDONE = "undone"
"""Why a machine leaves something alone that a person has taken back."""
NEVER = "never"
"""Why a memory is rejected that a person never wants to be learnt again, in whatever words."""

ACCEPTED: Mapping[str, object] = {
    "state": State.LIVE.value,
    "held_because": None,
    "archived_because": None,
    "superseded_by": None,
    "would_replace": None,
}
"""What makes a memory live, wherever it stood."""

_WITHOUT_WEIGHT = {
    State.CANDIDATE: Status.CANDIDATE,
    State.REJECTED: Status.REJECTED,
    State.ARCHIVED: Status.ARCHIVED,
}


def status_of(memory: Memory, core_threshold: float) -> Status:
    """The status of a memory. It is the stored state, except that a live memory above the threshold is core."""
    if memory.state is not State.LIVE:
        return _WITHOUT_WEIGHT[memory.state]
    return Status.CORE if memory.weight > core_threshold else Status.ACTIVE


def criteria(status_word: str, core_threshold: float) -> StatusCriteria:
    """What a store looks for: a status, `live` (active and core) or `all`. Raises InvalidInput."""
    if status_word == ALL:
        return StatusCriteria(tuple(State))
    if status_word in (LIVE, Status.CORE, Status.ACTIVE):
        return StatusCriteria(
            (State.LIVE,),
            weight_above=core_threshold if status_word == Status.CORE else None,
            weight_at_most=core_threshold if status_word == Status.ACTIVE else None,
        )
    for state, status in _WITHOUT_WEIGHT.items():
        if status_word == status:
            return StatusCriteria((state,))
    raise InvalidInput(
        template="no such status: {found}",
        hint="one of {known}",
        found=status_word,
        known=", ".join([LIVE, ALL, *Status]),
    )


def said_again(existing: Memory, new: NewMemory) -> SaidAgain:
    """What becomes of a memory whose content is stored already."""
    confirmed = _confirmation(existing, new)
    match existing.state:
        case State.LIVE:
            return SaidAgain(Added.CONFIRMED, confirmed)
        case State.CANDIDATE:
            if new.state is State.LIVE and may_promote_itself(existing, new):
                taken = () if existing.would_replace is None else (existing.would_replace,)
                return SaidAgain(Added.PROMOTED, {**confirmed, **ACCEPTED}, archives=taken)
            return SaidAgain(Added.CONFIRMED, confirmed)
    by_hand = new.origin.kind is OriginKind.USER
    reason = standing_refusal(existing)
    if reason and not by_hand:
        return SaidAgain(Added.DROPPED, {}, reason)
    if new.state is not State.LIVE:
        return SaidAgain(Added.RESTORED, {**confirmed, **_waiting(existing, new)})
    successor = () if existing.superseded_by is None else (existing.superseded_by,)
    return SaidAgain(Added.RESTORED, {**confirmed, **ACCEPTED, "weight": BIRTH_WEIGHT}, archives=successor)


def may_promote_itself(candidate: Memory, new: NewMemory) -> bool:
    """Whether saying it again is enough for a candidate to live: by hand always, else only if weak evidence held it."""
    return new.origin.kind is OriginKind.USER or candidate.held_because == WEAK_EVIDENCE


def superseded_by(successor: int) -> Fields:
    """What becomes of a memory whose place another one takes."""
    return {
        "state": State.ARCHIVED.value,
        "archived_because": ArchivedBecause.SUPERSEDED.value,
        "superseded_by": successor,
    }


def _confirmation(existing: Memory, new: NewMemory) -> dict[str, object]:
    changes: dict[str, object] = {
        "confidence": max(existing.confidence, new.confidence),
        "seen": existing.seen + 1,
    }
    if new.pinned and new.origin.kind is OriginKind.USER:
        changes["pinned"] = True
    return changes


def _waiting(existing: Memory, new: NewMemory) -> dict[str, object]:
    """What is not trusted makes nothing live: an archived memory becomes a candidate again, and its successor stays."""
    return {
        "state": State.CANDIDATE.value,
        "held_because": new.held_because,
        "archived_because": None,
        "superseded_by": None,
        "would_replace": existing.superseded_by,
        "weight": BIRTH_WEIGHT,
    }


def archived_reason(existing: Memory) -> str:
    """That a memory is archived, and why."""
    return "archived" if existing.archived_because is None else f"archived: {existing.archived_because.value}"


def standing_refusal(existing: Memory) -> str:
    """Why a machine may not bring it back; empty where it may."""
    if existing.state is State.REJECTED:
        return NEVER if existing.held_because == NEVER else "rejected"
    if existing.archived_because in (ArchivedBecause.HAND, ArchivedBecause.UNDONE):
        return archived_reason(existing)
    return ""
