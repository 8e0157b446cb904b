"""The JSON that other programs rely on, key by key."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime, timedelta, timezone

from fakes.shapes import INJECTION, LONG_JSON, MEMORY_JSON, NOON, PARTS, SHORT_JSON, a_memory, a_view

from orca_core.domain.causes import Cause
from orca_core.domain.diagnosis import Check, Diagnosis, Evidence, Repair, StoreHealth
from orca_core.domain.dialogues import Round, RoundState, Session
from orca_core.domain.journal import Actor, Change
from orca_core.domain.learning import Queue
from orca_core.domain.memories import Status
from orca_core.domain.recall import (
    Injection,
    Level,
    Receipt,
    References,
    WeightMove,
)
from orca_core.domain.refs import EPISODE, Ref, memory_ref
from orca_core.domain.views import SearchHit, Stats
from orca_core.wire.memories import found_json, history_json, memory_json, receipt_json
from orca_core.wire.reports import diagnosis_json, dialogue_json, sessions_json, stats_json
from orca_core.wire.values import timestamp_json


def test_a_memory_has_these_keys_in_this_order() -> None:
    shaped = memory_json(a_memory(), Status.ACTIVE)

    assert shaped == MEMORY_JSON
    assert list(shaped) == list(MEMORY_JSON)


def test_a_moment_of_another_zone_is_told_in_utc() -> None:
    moment = datetime(2026, 5, 4, 20, 0, tzinfo=timezone(timedelta(hours=8)))

    assert timestamp_json(moment) == "2026-05-04T12:00:00.000Z"


def test_a_search_adds_score_and_parts_to_each_memory() -> None:
    found = found_json([SearchHit(a_view(), PARTS)])

    hit = {**MEMORY_JSON, "score": 0.8125, "parts": LONG_JSON["parts"]}
    assert found == {"memories": [hit], "total": 1, "rules": []}


def test_a_history_tells_each_change_with_its_operation() -> None:
    created = Change(9, memory_ref(7), NOON, Actor.USER, "add", None, {"content": "用 neovim"})
    pinned = Change(10, memory_ref(7), NOON, Actor.USER, "pin", {"pinned": False}, {"pinned": True})

    shaped = history_json(7, [created, pinned])

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
    cause = Cause("model_unavailable", "{provider}: the answer was cut off", "try again", {"provider": "p"})
    cut = replace(said, number=2, state=RoundState.INTERRUPTED, cause=cause)
    shaped = {"round": 1, "user": "hi", "assistant": "hello", "state": "done", "at": "2026-05-04T12:00:00.250Z"}
    cause_json = {"kind": "model_unavailable", "message": "p: the answer was cut off", "hint": "try again"}
    session_json = {"id": "s-1", "title": "部署", "created_at": "2026-05-04T12:00:00.250Z", "rounds": 1}

    assert sessions_json([session]) == {"sessions": [session_json]}
    assert dialogue_json(session, [said, cut]) == {
        "session": session_json,
        "rounds": [
            {**shaped, "cause": None},
            {**shaped, "round": 2, "state": "interrupted", "cause": cause_json},
        ],
    }


def test_a_receipt_tells_all_that_was_considered() -> None:
    receipt = Receipt("s-1", 3, INJECTION, References(used=(memory_ref(7),)), (WeightMove(memory_ref(7), 1.0, 1.5),))

    shaped = receipt_json(receipt)

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
    failed = Receipt(
        "s-1",
        1,
        Injection(Level.SHORT_TERM_ONLY, (), failed=Cause("disk", "{what}", "free some", {"what": "disk"})),
        References(),
    )
    empty = Receipt("s-1", 1, Injection(Level.FULL, ()), References())

    assert receipt_json(failed)["rules"] == ["recall_failed: disk — free some"]
    assert receipt_json(empty)["rules"] == []


def test_the_doctor_tells_level_and_checks() -> None:
    found = (Evidence(Ref(EPISODE, 3), "a wren"), Evidence(text="/home/orca.db", command="chmod 600 /home/orca.db"))
    repair = Repair("duplicates", "done", "{count} merged", {"count": 2}, 7)
    checks = (Check("database", "ok", "fine", evidence=found, found=7), Check("chat", "warn", "the demo"))
    diagnosis = Diagnosis(Level.FULL, checks, (repair,))

    evidence = [
        {"id": "e3", "text": "a wren", "what": None, "command": None},
        {"id": None, "text": "/home/orca.db", "what": None, "command": "chmod 600 /home/orca.db"},
    ]
    assert diagnosis_json(diagnosis) == {
        "level": 1,
        "checks": [
            {"name": "database", "state": "ok", "detail": "fine", "fix": "", "evidence": evidence, "more": 5},
            {"name": "chat", "state": "warn", "detail": "the demo", "fix": "", "evidence": [], "more": 0},
        ],
        "repairs": [{"name": "duplicates", "state": "done", "detail": "2 merged", "operation": 7}],
        "left": ["chat"],
    }


def test_stats_tell_counts_queue_and_sizes() -> None:
    health = StoreHealth("/o.db", 1, 4096, "ok", True, "wal", {"queue": 2, "rounds": 5})

    queue = Queue(waiting={"s": 2}, failing=1, last_error="no answer")

    assert stats_json(Stats({"active": 3}, {"fact": 3}, health, {"task": {"completed": 1}}), queue) == {
        "status": {"active": 3},
        "type": {"fact": 3},
        "kinds": {"memory": {"active": 3}, "task": {"completed": 1}},
        "queue": 2,
        "last_extraction": None,
        "sizes": {"bytes": 4096, "queue": 2, "rounds": 5},
        "failing": 1,
        "parked": 0,
        "last_error": "no answer",
    }
