"""Shapes of JSON that no command of tests/golden shows."""

from __future__ import annotations

from fakes.shapes import NOON
from msgspec.structs import replace

from orca_core.model.doctor import Diagnosis, Evidence, Finding, Repair
from orca_core.model.recall import (
    Injection,
    Level,
    Receipt,
    References,
)
from orca_core.model.records import EPISODE, Cause, Ref
from orca_core.model.sessions import Round, RoundState, Session
from orca_core.serialize.memories import receipt_json
from orca_core.serialize.reports import diagnosis_json, dialogue_json, sessions_json


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
    checks = (Finding("database", "ok", "fine", evidence=found, found=7), Finding("chat", "warn", "the demo"))
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
