"""What a memory lives on: a person's hand, words that were typed, or neither: what supports it."""

from __future__ import annotations

from orca_core.model.memories import ConfirmedBy, Fields, Memory, NewMemory, OriginKind, State

BY_HAND: Fields = {"confirmed_by": ConfirmedBy.HAND.value}
UNCONFIRMED: Fields = {"confirmed_by": None}
"""What waits lives on nothing yet."""
ITS_WORD = ("content", "type", "tags")
"""What a memory says: who words that anew gives it their word."""
BY_MACHINE = (OriginKind.EXTRACTION, OriginKind.ACTION)


def born_by(new: NewMemory) -> ConfirmedBy | None:
    """What a memory lives on when it is made. What a machine may make live was typed; None where it does not live."""
    if new.state is not State.LIVE:
        return None
    return ConfirmedBy.TYPED if new.origin.kind in BY_MACHINE else ConfirmedBy.HAND


def said_by(existing: Memory, new: NewMemory) -> Fields:
    """What a memory lives on that lives and is said again. A hand outlasts words."""
    if existing.confirmed_by is ConfirmedBy.HAND:
        return BY_HAND
    by = born_by(new)
    return {} if by is None else {"confirmed_by": by.value}


def speaks_by_hand(after: Fields, was: str | None) -> bool:
    """Whether a change by hand gives that person's word to a memory that lived on what it `was`: they worded it anew,
    said it again, let it live; or pinned what lived on supports alone."""
    is_said = any(name in after for name in (*ITS_WORD, "seen"))
    return is_said or after.get("state") == State.LIVE or (was is None and after.get("pinned") is True)
