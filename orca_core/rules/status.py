"""What a memory's status is, in one place, and what happens when it is said again."""

from __future__ import annotations

from orca_core.domain.errors import InvalidInput
from orca_core.domain.memories import Added, ArchivedBecause, Memory, NewMemory, OriginKind, SaidAgain, State, Status
from orca_core.domain.queries import StatusCriteria

BIRTH_WEIGHT = 1.0
LIVE = "live"
ALL = "all"

_WITHOUT_WEIGHT = {
    State.CANDIDATE: Status.CANDIDATE,
    State.REJECTED: Status.REJECTED,
    State.ARCHIVED: Status.ARCHIVED,
}


def status_of(memory: Memory, core_threshold: float) -> Status:
    """The one derivation: a stored state says it all, but that a heavy live memory is core."""
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
            if new.state is State.LIVE:
                return SaidAgain(Added.PROMOTED, confirmed | {"state": State.LIVE.value, "held_because": None})
            return SaidAgain(Added.CONFIRMED, confirmed)
    by_hand = new.origin.kind is OriginKind.USER
    reason = _standing_refusal(existing)
    if reason and not by_hand:
        return SaidAgain(Added.DROPPED, {}, reason)
    restored = {"state": State.LIVE.value, "archived_because": None, "superseded_by": None, "weight": BIRTH_WEIGHT}
    return SaidAgain(Added.RESTORED, confirmed | restored)


def _confirmation(existing: Memory, new: NewMemory) -> dict[str, object]:
    changes: dict[str, object] = {
        "confidence": max(existing.confidence, new.confidence),
        "seen": existing.seen + 1,
    }
    if new.pinned and new.origin.kind is OriginKind.USER:
        changes["pinned"] = True
    return changes


def _standing_refusal(existing: Memory) -> str:
    """Why a machine may not bring it back; empty where it may."""
    if existing.state is State.REJECTED:
        return "rejected"
    if existing.archived_because in (ArchivedBecause.HAND, ArchivedBecause.UNDONE):
        return f"archived: {existing.archived_because.value}"
    return ""
