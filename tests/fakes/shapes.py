"""A memory, items and an injection with the JSON that they are to become."""

from __future__ import annotations

from datetime import UTC, datetime

from orca_core.domain.memories import ConfirmedBy, Memory, MemoryType, Origin, OriginKind, State, Status
from orca_core.domain.recall import (
    Injection,
    Item,
    Level,
    ScoreParts,
    Shortfall,
)
from orca_core.domain.refs import memory_ref, summary_ref
from orca_core.domain.views import Forecast, MemoryView

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


def a_view() -> MemoryView:
    return MemoryView(a_memory(), Status.ACTIVE, Forecast(4, 8), 0.15)


MEMORY_JSON = {
    "id": 7,
    "uid": "u7",
    "content": "用 neovim",
    "type": "preference",
    "tags": ["偏好"],
    "confidence": 0.85,
    "weight": 1.5,
    "status": "active",
    "held_because": None,
    "pinned": False,
    "access_count": 3,
    "used": 2,
    "seen": 1,
    "last_accessed": None,
    "created_at": "2026-05-04T12:00:00.250Z",
    "updated_at": "2026-05-04T12:00:00.250Z",
    "origin": {
        "kind": "extraction",
        "session_id": "s-1",
        "rounds": [3, 4],
        "quote": "我用 neovim",
        "model": "deepseek",
        "program": None,
        "chat": None,
    },
    "superseded_by": None,
    "cues": [],
    "confirmed_by": "typed",
}
LONG_JSON = {
    "id": 7,
    "kind": "long",
    "content": "uses neovim",
    "score": 0.8125,
    "parts": {"vector": 0.5, "text": 0.25, "weight": 0.05, "recency": 0.0125},
    "reason": "technical: vim",
    "shortfall": None,
}
SHORT_JSON = {
    **LONG_JSON,
    "id": "s41",
    "kind": "short",
    "content": "User asked: …",
    "reason": "below_floor",
    "shortfall": {"near": 1.7, "asked": 2.5},
}
