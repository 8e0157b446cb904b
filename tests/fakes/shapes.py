"""A memory, and an injection with an item of each kind."""

from __future__ import annotations

from datetime import UTC, datetime

from orca_core.model.memories import ConfirmedBy, Memory, MemoryType, Origin, OriginKind, State
from orca_core.model.recall import (
    Injection,
    Item,
    Level,
    ScoreParts,
    Shortfall,
)
from orca_core.model.record_types import memory_ref, summary_ref

NOON = datetime(2026, 5, 4, 12, 0, 0, 250_000, UTC)
PARTS = ScoreParts(vector=0.5, text=0.25, weight=0.05, recency=0.0125)
LONG = Item(memory_ref(7), "uses neovim", PARTS, "technical: vim", MemoryType.FACT)
SHORT = Item(summary_ref(41), "User asked: …", PARTS, "below_floor", shortfall=Shortfall(1.7, 2.5))
INJECTION = Injection(
    Level.TEXT_ONLY, ("technical: vim",), (LONG,), (SHORT,), block="[…]", tokens=30, prompt_tokens=200, seconds=0.01
)


def a_memory() -> Memory:
    return Memory(
        id=7,
        uid="u7",
        content="用 neovim",
        type=MemoryType.PREFERENCE,
        tags=("偏好",),
        confidence=0.85,
        weight=1.5,
        state=State.LIVE,
        created_at=NOON,
        updated_at=NOON,
        origin=Origin(OriginKind.EXTRACTION, "s-1", (3, 4), "我用 neovim", "deepseek"),
        access_count=3,
        used=2,
        confirmed_by=ConfirmedBy.TYPED,
    )
