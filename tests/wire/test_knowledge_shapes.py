"""Knowledge in JSON: what clients read of it."""

from __future__ import annotations

from datetime import UTC, datetime

from orca_core.domain.memories import Origin, OriginKind, Status
from orca_core.domain.work.consolidating import TargetCount
from orca_core.domain.work.knowledge import Knowledge
from orca_core.domain.work.views import KnowledgeView
from orca_core.wire.work import knowledge_json, targets_json

AT = datetime(2026, 11, 20, 12, 0, tzinfo=UTC)
KNOWN = Knowledge(
    2,
    "u",
    "text",
    "pools",
    "Raise it.",
    AT,
    AT,
    target="orders",
    key_points=("look",),
    source_episodes=(3, 4),
    confidence=0.8,
    version=2,
    origin=Origin(OriginKind.EXTRACTION, model="m"),
)
KNOWN_JSON = {
    "id": "k2",
    "uid": "u",
    "target": "orders",
    "topic": "pools",
    "content": "Raise it.",
    "key_points": ["look"],
    "source_episodes": ["e3", "e4"],
    "confidence": 0.8,
    "access_count": 0,
    "last_accessed": None,
    "pinned": False,
    "status": "active",
    "held_because": None,
    "archived_because": None,
    "version": 2,
    "origin": {"kind": "extraction", "session_id": None, "rounds": [], "quote": None, "model": "m"},
    "created_at": "2026-11-20T12:00:00.000Z",
    "updated_at": "2026-11-20T12:00:00.000Z",
}


def test_knowledge_has_these_keys_in_this_order() -> None:
    shaped = knowledge_json(KnowledgeView(KNOWN, Status.ACTIVE))

    assert shaped == KNOWN_JSON
    assert list(shaped) == list(KNOWN_JSON)


def test_a_target_says_what_there_is_on_it() -> None:
    assert targets_json([TargetCount("orders", 4, 2, 1, (2,))]) == {
        "targets": [
            {
                "target": "orders",
                "episodes": 4,
                "waiting": 2,
                "unread": 1,
                "knowledge": ["k2"],
                "kept_by_hand": False,
                "held": False,
            }
        ]
    }
