"""What another Orca knew, as an import brings it: every kind of record, in every state, held back for every reason."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

HELD = (
    "unread", "not_typed", "unread", "url", "secret", "account_number", "contradicts_pinned",
    "kept_by_hand: 1", "unproven", "not_said", "unread", "imported", "undated",
)  # fmt: skip
"""Why a memory waits."""
HELD_WORK = ("not_typed", "nothing_done", "target_not_typed", "not_said", "unread", "secret")
"""Why an episode does."""
HELD_KNOWLEDGE = ("not_in_sources", "candidate_source", "source_deleted")
HELD_GUIDES = ("not_in_calls", "repeats_answer")
PLACES = (
    "Oslo", "Bergen", "Tromsø", "Kyoto", "Lima", "Quito", "Lyon", "Porto", "Gent", "Brno", "Turku", "Riga", "Split",
)  # fmt: skip
AT = "2026-10-01T08:00:00Z"
TIMES = {"created_at": AT, "updated_at": AT}


def document() -> dict[str, Any]:
    return {
        "orca_export": 1,
        "memories": list(memories()),
        "episodes": list(episodes()),
        "knowledge": list(knowledge()),
        "guides": list(guides()),
        "tool_calls": list(calls()),
    }


def memories() -> Iterator[dict[str, Any]]:
    lived: dict[str, dict[str, Any]] = {
        "I use neovim": {"type": "preference", "tags": ["editor"], "weight": 6.0, "pinned": True},
        "请用中文回答技术问题": {"type": "instruction", "tags": ["偏好"], "weight": 1.5},
        "The shop runs on nginx and postgres": {"type": "project", "tags": ["shop"], "weight": 2.5, "used": 2},
        "I met Ada in Turin in May": {"type": "event", "weight": 0.9},
        "I live in Rome": {"status": "archived", "archived_because": "superseded", "superseded_by": "u5"},
        "I live in Milan": {
            "origin": {"kind": "extraction", "session_id": "old", "rounds": [3], "quote": "I live in Milan"}
        },
        "The moon is made of cheese": {"status": "rejected", "held_because": "rejected"},
        "I play the cello": {"status": "rejected", "held_because": "expired: not_typed"},
    }
    for number, (content, fields) in enumerate(lived.items()):
        yield {"uid": f"u{number}", "content": content, **TIMES, **fields}
    for place, reason in zip(PLACES, HELD, strict=True):
        origin = {
            "kind": "extraction",
            "session_id": "old",
            "rounds": [7],
            "quote": f"went to {place}",
            "model": "demo",
        }
        waits = {"status": "candidate", "held_because": reason, "origin": origin}
        yield {"uid": f"c-{place}", "content": f"I have been to {place} on holiday", "type": "event", **TIMES, **waits}


def episodes() -> Iterator[dict[str, Any]]:
    states: tuple[dict[str, Any], ...] = (
        {},
        {"pinned": True, "tags": ["shop"]},
        {"outcome": "failed", "status": "archived", "archived_because": "hand"},
        {"outcome": "unknown", "status": "rejected"},
        *({"status": "candidate", "held_because": each} for each in HELD_WORK),
    )
    for number, fields in enumerate(states):
        trigger = f"the backup of server {number} stopped halfway"
        yield {
            "uid": f"e{number}",
            "text": f"server {number} · {trigger}",
            "trigger_summary": trigger,
            "target": f"server {number}",
            "steps": ["read the log", "made room on the disk"],
            "outcome": "success",
            "outcome_summary": "it ran through the night",
            "aged_from": AT,
            **TIMES,
            **fields,
        }


def knowledge() -> Iterator[dict[str, Any]]:
    states: tuple[dict[str, Any], ...] = (
        {"pinned": True, "version": 2},
        {"status": "archived", "archived_because": "hand"},
        *(
            {"status": "candidate", "held_because": each, "source_episodes": [f"e{4 + place}"]}
            for place, each in enumerate(HELD_KNOWLEDGE)
        ),
    )
    for number, fields in enumerate(states):
        topic = f"backups of server {number}"
        yield {
            "uid": f"k{number}",
            "text": f"{topic}: look at the disk first",
            "topic": topic,
            "content": "A backup that stops halfway lacked room each time.",
            "key_points": ["look at the disk first", "then run it again"],
            "target": f"server {number}",
            "source_episodes": [f"e{number}"],
            "confidence": 0.75,
            **TIMES,
            **fields,
        }


def guides() -> Iterator[dict[str, Any]]:
    states: tuple[dict[str, Any], ...] = (
        {"target": "ripgrep", "pinned": True},
        *(
            {"target": f"tool_{place}", "status": "candidate", "held_because": each}
            for place, each in enumerate(HELD_GUIDES)
        ),
    )
    for number, fields in enumerate(states):
        yield {"uid": f"g{number}", "text": "Search by a few words, not by a sentence.", **TIMES, **fields}


def calls() -> Iterator[dict[str, Any]]:
    for number in range(3):
        fields = {"call_id": f"r{number}", "session_id": "old", "seconds": 0.5 + number, "input": "nginx"}
        yield {
            "tool": "ripgrep",
            "at": AT,
            "success": number > 0,
            "output": "3 lines" if number else "timeout",
            **fields,
        }
