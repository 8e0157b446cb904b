"""Decide what becomes of a memory that is said again, what it lives on, what stands against it, and when a candidate
has waited too long."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta

from orca_core.model.memories import (
    BIRTH_WEIGHT,
    Added,
    ArchivedBecause,
    Candidate,
    ConfirmedBy,
    Fields,
    Memory,
    NewMemory,
    Origin,
    OriginKind,
    SaidAgain,
    State,
)
from orca_core.model.views import InboxCount

BY_HAND: Fields = {"confirmed_by": ConfirmedBy.HAND.value}
UNCONFIRMED: Fields = {"confirmed_by": None}
"""What waits lives on nothing yet."""
ITS_WORD = ("content", "type", "tags")
"""What a memory says: who words that anew gives it their word."""
BY_MACHINE = (OriginKind.EXTRACTION, OriginKind.ACTION)


def confirmed_at_birth(new: NewMemory) -> ConfirmedBy | None:
    """Return what a memory lives on when it is made. What a machine may make live was typed; None where it does not
    live."""
    if new.state is not State.LIVE:
        return None
    return ConfirmedBy.TYPED if new.origin.kind in BY_MACHINE else ConfirmedBy.HAND


def confirmed_when_said(existing: Memory, new: NewMemory) -> Fields:
    """Return what a memory lives on that lives and is said again. A hand outlasts words."""
    if existing.confirmed_by is ConfirmedBy.HAND:
        return BY_HAND
    by = confirmed_at_birth(new)
    return {} if by is None else {"confirmed_by": by.value}


def is_confirmed_by_hand(after: Fields, was: str | None) -> bool:
    """Tell whether a change by hand gives that person's word to a memory that lived on what it `was`: they worded it
    anew, said it again, let it live; or pinned what lived on supports alone."""
    is_said = any(name in after for name in (*ITS_WORD, "seen"))
    return is_said or after.get("state") == State.LIVE or (was is None and after.get("pinned") is True)


EXPIRE = "expire"
"""The action of the operation."""
EXPIRED = "expired"
"""Why a candidate is rejected that no person decided about in time. What it was held for stands behind it."""
CANDIDATE_SOURCE = "candidate_source"
"""Why knowledge is held back that rests on an episode which is a candidate itself."""


def waits_since(candidate: Candidate) -> datetime:
    """Return what happened to it last counts: that it was found, confirmed, edited, or put back by an undo."""
    return candidate.updated_at


def count_waiting(candidates: Sequence[Candidate]) -> InboxCount:
    """Tell how many wait, and since when the oldest does."""
    return InboxCount(len(candidates), min(map(waits_since, candidates), default=None))


def joined_waiting(several: Sequence[InboxCount]) -> InboxCount:
    """Those of several kinds."""
    since = [each.since for each in several if each.since is not None]
    return InboxCount(sum(each.count for each in several), min(since, default=None))


def expires_before(now: datetime, days: int) -> datetime:
    """Return what has waited since then, or longer, has waited too long."""
    return now - timedelta(days=days)


def expire(candidate: Candidate) -> Fields:
    """No person has refused it: said anew it may come back, and what it was held for then counts again."""
    if candidate.state is not State.CANDIDATE:
        return {}
    held = candidate.held_because
    return {"state": State.REJECTED.value, "held_because": f"{EXPIRED}: {held}" if held else EXPIRED}


def is_expired(memory: Candidate) -> bool:
    """Tell whether it was rejected because nobody decided about it."""
    return memory.state is State.REJECTED and _parts(memory)[0] == EXPIRED


def held_before(memory: Candidate) -> str | None:
    """Return what an expired candidate was held for."""
    return _parts(memory)[1] or None


def _parts(memory: Candidate) -> tuple[str, str]:
    reason, _colon, held = (memory.held_because or "").partition(": ")
    return reason, held


UNPROVEN = "unproven"
"""Why a memory waits that acts show and nobody said."""
NOT_TYPED = "not_typed"
NOT_SAID = "not_said"
UNREAD = "unread"
ASK = "ask"
"""Why a memory waits that a person decides about, whatever a verifier says."""
LIFTED_BY_FILES = frozenset({UNPROVEN, NOT_SAID, UNREAD})
"""The reasons for which a candidate is held that go away when whatever may live confirms it."""
KEPT_FROM_TYPING = frozenset({"secret", "account_number", "risky_instruction"})
"""Those that stay though it is typed anew: a person accepts it, or nobody."""
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


def said_again(existing: Memory, new: NewMemory, *, is_new_evidence: bool = False) -> SaidAgain:
    """Return what becomes of a memory whose content is stored already. What a candidate was to replace stays where it
    is: that is for a person to accept, or for the new words to say. What a person took back comes again by
    `is_new_evidence`: words that were typed since."""
    confirmed = _confirmation(existing, new)
    match existing.state:
        case State.LIVE:
            return SaidAgain(Added.CONFIRMED, {**confirmed, **confirmed_when_said(existing, new)})
        case State.CANDIDATE:
            if new.state is State.LIVE and may_promote_itself(existing.held_because, new):
                return SaidAgain(
                    Added.PROMOTED,
                    {**confirmed, **ACCEPTED, **confirmed_when_said(existing, new), **origin_fields(new.origin)},
                )
            return SaidAgain(Added.CONFIRMED, confirmed)
    if is_expired(existing):
        return _expired_said_again(existing, new, confirmed)
    by_hand = new.origin.kind is OriginKind.USER
    reason = refusal_reason(existing)
    if existing.archived_because is ArchivedBecause.UNDONE and is_new_evidence and new.state is State.LIVE:
        reason = ""
    if reason and not by_hand:
        return SaidAgain(Added.DROPPED, {}, reason)
    if new.state is not State.LIVE:
        return SaidAgain(Added.RESTORED, {**confirmed, **_to_candidate(existing, new)})
    successor = () if existing.superseded_by is None else (existing.superseded_by,)
    alive = {**confirmed, **ACCEPTED, **confirmed_when_said(existing, new), "weight": BIRTH_WEIGHT}
    return SaidAgain(Added.RESTORED, alive, archives=successor)


def may_promote_itself(held_because: str | None, new: NewMemory) -> bool:
    """Tell whether saying it again is enough for a candidate to live: by hand always; typed and verified, unless what
    it says is dangerous by itself; by a file only if a verifier or acts were all that it lacked."""
    match new.origin.kind:
        case OriginKind.USER:
            return True
        case OriginKind.EXTRACTION:
            return held_because is not None and held_because not in KEPT_FROM_TYPING
    return held_because in LIFTED_BY_FILES


def _expired_said_again(existing: Memory, new: NewMemory, confirmed: Fields) -> SaidAgain:
    """Nobody has refused it, and nobody has accepted it: it stands again as the candidate that it was."""
    held = held_before(existing)
    again = {**confirmed, "weight": BIRTH_WEIGHT}
    if new.state is State.LIVE and may_promote_itself(held, new):
        return SaidAgain(
            Added.RESTORED, {**again, **ACCEPTED, **confirmed_when_said(existing, new), **origin_fields(new.origin)}
        )
    waits = {"state": State.CANDIDATE.value, "held_because": held, **UNCONFIRMED}
    return SaidAgain(Added.RESTORED, {**again, **waits})


def with_last_successors(archives: Sequence[int], said: Memory, known: Sequence[Memory]) -> tuple[int, ...]:
    """The archives, in which the first of those that took the place of what is said, one after the other, gives way to
    the last: that one stands today."""
    return tuple(last_successor(each, known) if each == said.superseded_by else each for each in archives)


def last_successor(memory_id: int, known: Sequence[Memory]) -> int:
    """The last of those that took a memory's place, one after the other; itself where none did."""
    after = {memory.id: memory.superseded_by for memory in known if memory.state is State.ARCHIVED}
    passed: list[int] = []
    while memory_id not in passed and (successor := after.get(memory_id)) is not None:
        passed.append(memory_id)
        memory_id = successor
    return memory_id


SOURCE = frozenset({"origin_kind", "origin_session", "origin_rounds", "origin_quote", "origin_model"})


def origin_fields(origin: Origin) -> Fields:
    """Return what a memory that comes alive says of its source: the words that made it live, not those it was held
    for."""
    return {
        "origin_kind": origin.kind.value,
        "origin_session": origin.session_id,
        "origin_rounds": list(origin.rounds),
        "origin_quote": origin.quote,
        "origin_model": origin.model,
    }


def superseded_fields(successor: int) -> Fields:
    """Return what becomes of a memory whose place another one takes."""
    return {
        "state": State.ARCHIVED.value,
        "archived_because": ArchivedBecause.SUPERSEDED.value,
        "superseded_by": successor,
    }


RETRACTED: Fields = {
    "state": State.ARCHIVED.value,
    "archived_because": ArchivedBecause.RETRACTED.value,
}
"""What becomes of a memory that no longer holds, and whose place nothing takes."""


def _confirmation(existing: Memory, new: NewMemory) -> dict[str, object]:
    changes: dict[str, object] = {
        "confidence": max(existing.confidence, new.confidence),
        "seen": existing.seen + 1,
    }
    if new.pinned and new.origin.kind is OriginKind.USER:
        changes["pinned"] = True
    return changes


def _to_candidate(existing: Memory, new: NewMemory) -> dict[str, object]:
    """Return what is not trusted makes nothing live: an archived memory becomes a candidate again, and its successor
    stays."""
    return {
        "state": State.CANDIDATE.value,
        "held_because": new.held_because,
        "archived_because": None,
        "superseded_by": None,
        "would_replace": existing.superseded_by,
        "weight": BIRTH_WEIGHT,
        **UNCONFIRMED,
    }


def archived_reason(existing: Memory) -> str:
    """That a memory is archived, and why."""
    return "archived" if existing.archived_because is None else f"archived: {existing.archived_because.value}"


def refusal_reason(existing: Memory) -> str:
    """Tell why a machine may not bring it back; empty where it may. What only expired was never refused."""
    if existing.state is State.REJECTED and not is_expired(existing):
        return NEVER if existing.held_because == NEVER else "rejected"
    if existing.archived_because in (ArchivedBecause.HAND, ArchivedBecause.UNDONE):
        return archived_reason(existing)
    return ""
