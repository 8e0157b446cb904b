"""The JSON that other programs rely on, key by key."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone

import pytest

from orca_core.domain.diagnosis import Check, Diagnosis
from orca_core.domain.dialogues import Round, RoundState, Session
from orca_core.domain.events import (
    Archived,
    Delta,
    Done,
    Event,
    Failed,
    ForgetProposed,
    Injected,
    LevelChanged,
    Queued,
    Reasoning,
    Referenced,
    Remembered,
    Reply,
    WeightMoved,
)
from orca_core.domain.memories import Actor, Change, Memory, MemoryType, Origin, OriginKind, State, Status
from orca_core.domain.messages import Finish, Usage
from orca_core.domain.recall import (
    Citation,
    Injection,
    Item,
    Level,
    Receipt,
    References,
    ScoreParts,
    WeightMove,
)
from orca_core.domain.stores import StoreHealth
from orca_tui.cli import json_shapes
from orca_tui.cli.event_shapes import event_json

NOON = datetime(2026, 5, 4, 12, 0, 0, 250_000, UTC)
PARTS = ScoreParts(vector=0.5, text=0.25, weight=0.05, recency=0.0125)
LONG = Item("7", "long", "uses neovim", PARTS, "technical: vim", MemoryType.FACT)
SHORT = Item("s41", "short", "User asked: …", PARTS, "below_floor")
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
    )


def active(memory: Memory) -> Status:
    return Status.ACTIVE


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
    },
    "superseded_by": None,
}
LONG_JSON = {
    "id": 7,
    "kind": "long",
    "content": "uses neovim",
    "score": 0.8125,
    "parts": {"vector": 0.5, "text": 0.25, "weight": 0.05, "recency": 0.0125},
    "reason": "technical: vim",
}
SHORT_JSON = {**LONG_JSON, "id": "s41", "kind": "short", "content": "User asked: …", "reason": "below_floor"}


def test_a_memory_has_these_keys_in_this_order() -> None:
    shaped = json_shapes.memory_json(a_memory(), Status.ACTIVE)

    assert shaped == MEMORY_JSON
    assert list(shaped) == list(MEMORY_JSON)


def test_a_moment_of_another_zone_is_told_in_utc() -> None:
    moment = datetime(2026, 5, 4, 20, 0, tzinfo=timezone(timedelta(hours=8)))

    assert json_shapes.timestamp_json(moment) == "2026-05-04T12:00:00.000Z"


def test_a_list_counts_what_is_beyond_its_page() -> None:
    assert json_shapes.memories_json([a_memory()], 12, active) == {"memories": [MEMORY_JSON], "total": 12}


def test_a_search_adds_score_and_parts_to_each_memory() -> None:
    found = json_shapes.found_json([(a_memory(), PARTS)], active)

    assert found == {"memories": [{**MEMORY_JSON, "score": 0.8125, "parts": LONG_JSON["parts"]}], "total": 1}


def test_a_history_tells_each_change_with_its_operation() -> None:
    created = Change(9, 7, NOON, Actor.USER, "add", None, {"content": "用 neovim"})
    pinned = Change(10, 7, NOON, Actor.USER, "pin", {"pinned": False}, {"pinned": True})

    shaped = json_shapes.history_json(7, [created, pinned])

    assert shaped == {
        "id": 7,
        "changes": [
            {
                "at": "2026-05-04T12:00:00.250Z",
                "actor": "user",
                "action": "add",
                "before": None,
                "after": {"content": "用 neovim"},
                "operation": 9,
            },
            {
                "at": "2026-05-04T12:00:00.250Z",
                "actor": "user",
                "action": "pin",
                "before": {"pinned": False},
                "after": {"pinned": True},
                "operation": 10,
            },
        ],
    }


def test_sessions_and_their_rounds() -> None:
    session = Session("s-1", "部署", NOON, 1)
    said = Round(1, "s-1", 1, 1, "hi", (), "hello", RoundState.DONE, NOON)
    session_json = {"id": "s-1", "title": "部署", "created_at": "2026-05-04T12:00:00.250Z", "rounds": 1}

    assert json_shapes.sessions_json([session]) == {"sessions": [session_json]}
    assert json_shapes.dialogue_json(session, [said]) == {
        "session": session_json,
        "rounds": [{"round": 1, "user": "hi", "assistant": "hello", "state": "done", "at": "2026-05-04T12:00:00.250Z"}],
    }


def test_a_receipt_tells_all_that_was_considered() -> None:
    receipt = Receipt("s-1", 3, INJECTION, References(used=(7,)), (WeightMove(7, 1.0, 1.5),))

    shaped = json_shapes.receipt_json(receipt)

    assert shaped == {
        "session_id": "s-1",
        "round": 3,
        "level": 2,
        "rules": ["technical: vim"],
        "considered": [LONG_JSON, SHORT_JSON],
        "injected": [LONG_JSON],
        "dropped": [SHORT_JSON],
        "tokens": 30,
        "prompt_tokens": 200,
        "used": [7],
        "unused": [],
        "unknown": [],
        "weights": [{"id": 7, "before": 1.0, "after": 1.5}],
        "block": "[…]",
    }


def test_a_recall_that_failed_does_not_look_like_nothing_to_recall() -> None:
    failed = Receipt("s-1", 1, Injection(Level.SHORT_TERM_ONLY, (), failed="disk"), References())
    empty = Receipt("s-1", 1, Injection(Level.FULL, ()), References())

    assert json_shapes.receipt_json(failed)["rules"] == ["recall_failed: disk"]
    assert json_shapes.receipt_json(empty)["rules"] == []


def test_the_doctor_tells_level_and_checks() -> None:
    diagnosis = Diagnosis(Level.FULL, (Check("database", "ok", "fine"),))

    assert json_shapes.diagnosis_json(diagnosis) == {
        "level": 1,
        "checks": [{"name": "database", "state": "ok", "detail": "fine", "fix": ""}],
    }


def test_stats_tell_counts_queue_and_sizes() -> None:
    health = StoreHealth("/o.db", 1, 4096, "ok", True, "wal", {"queue": 2, "rounds": 5})

    assert json_shapes.stats_json({"active": 3}, {"fact": 3}, health) == {
        "status": {"active": 3},
        "type": {"fact": 3},
        "queue": 2,
        "last_extraction": None,
        "sizes": {"bytes": 4096, "queue": 2, "rounds": 5},
    }


EVENTS: list[tuple[Event, dict[str, object]]] = [
    (
        Injected(INJECTION),
        {
            "event": "injected",
            "short_term": [],
            "long_term": [LONG_JSON],
            "tokens": 30,
            "prompt_tokens": 200,
            "reasons": ["technical: vim"],
            "dropped": [SHORT_JSON],
            "seconds": 0.01,
        },
    ),
    (Delta("hi"), {"event": "delta", "text": "hi"}),
    (Reasoning("hm"), {"event": "reasoning", "text": "hm"}),
    (
        Reply("hi", (Citation(7, 2),), Finish.STOP, Usage(10, 5), 1.25),
        {
            "event": "reply",
            "text": "hi",
            "citations": [{"id": 7, "at": 2}],
            "finish": "stop",
            "usage": {"prompt_tokens": 10, "completion_tokens": 5, "cached_tokens": 0, "reasoning_tokens": 0},
            "seconds": 1.25,
        },
    ),
    (
        Reply("", (), Finish.INTERRUPTED, None, 0.5),
        {"event": "reply", "text": "", "citations": [], "finish": "interrupted", "usage": None, "seconds": 0.5},
    ),
    (Remembered(a_memory(), "created"), {"event": "remembered", "memory": MEMORY_JSON}),
    (ForgetProposed((7, 9)), {"event": "forget", "proposed": [7, 9]}),
    (
        Referenced(References((7,), (8,), (9,))),
        {"event": "references", "used": [7], "unused": [8], "unknown": [9]},
    ),
    (
        WeightMoved(7, 0.5, 0.2, Status.ARCHIVED),
        {"event": "weight", "id": 7, "before": 0.5, "after": 0.2, "status": "archived"},
    ),
    (Archived(7), {"event": "archived", "id": 7}),
    (LevelChanged(Level.TEXT_ONLY, "no network"), {"event": "level", "level": 2, "reason": "no network"}),
    (Queued("position 3"), {"event": "queued", "detail": "position 3"}),
    (
        Failed("model", "d: down", "wait", "{provider}: {detail}", "wait", {"provider": "d", "detail": "down"}),
        {"event": "error", "kind": "model", "message": "d: down", "hint": "wait"},
    ),
    (Done("s-1", 3), {"event": "done", "session_id": "s-1", "round": 3}),
]


@pytest.mark.parametrize(("event", "expected"), EVENTS, ids=lambda value: getattr(value, "event", None))
def test_an_event_is_one_object_with_its_name_first(event: Event, expected: dict[str, object]) -> None:
    shaped = event_json(event, active)

    assert shaped == expected
    assert list(shaped) == list(expected)


def test_every_kind_of_event_is_covered_here() -> None:
    assert {type(event) for event, _shape in EVENTS} == set(Event.__args__)
