"""A memory, with everything said that a test does not care about."""

from __future__ import annotations

from datetime import UTC, datetime

from msgspec.structs import replace

from orca_core.model.memories import ConfirmedBy, Memory, MemoryType, Origin, OriginKind, State

AT = datetime(2026, 11, 20, 12, 0, tzinfo=UTC)

PLAIN = Memory(
    id=7,
    uid="u7",
    content="用户用 neovim",
    type=MemoryType.FACT,
    tags=(),
    confidence=0.8,
    weight=1.0,
    state=State.LIVE,
    created_at=AT,
    updated_at=AT,
    origin=Origin(),
)


def memory(**changes: object) -> Memory:
    """Where a test does not say what it lives on, that follows from where it came from."""
    made = replace(PLAIN, **changes)  # type: ignore[arg-type]
    if "confirmed_by" in changes or made.state in (State.CANDIDATE, State.REJECTED):
        return made
    is_typed = made.origin.kind is OriginKind.EXTRACTION
    return replace(made, confirmed_by=ConfirmedBy.TYPED if is_typed else ConfirmedBy.HAND)
