"""JSON that is derived from values, and shapes that no command of tests/golden shows."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path
from typing import Any

import pytest
from fakes.shapes import PARTS
from fakes.work import AT
from msgspec.structs import replace

from orca_core.model.diagnosis import Diagnosis, Finding, FindingEvidence, Repair
from orca_core.model.errors import InvalidInput
from orca_core.model.learning import DroppedFact
from orca_core.model.memories import Status
from orca_core.model.recall import (
    Injection,
    Level,
    Receipt,
    References,
)
from orca_core.model.record_types import EPISODE, Cause, Ref, memory_ref
from orca_core.model.sessions import Round, RoundState, Session
from orca_core.model.tools import Guide, ToolCall
from orca_core.rules.work.reported_calls import call_identity, checked_call
from orca_core.serialize.memory_json import receipt_json
from orca_core.serialize.reports import diagnosis_json, dialogue_json, error_json, outcome_json, sessions_json
from orca_core.serialize.values import name_of, names_of, pick, plain
from orca_core.serialize.work import call_json, calls_from

NOON = datetime(2026, 5, 4, 12, 0, 0, 250_999, UTC)
SESSION = Session("s", "", NOON, 2)


@pytest.mark.parametrize(
    ("value", "told"),
    [
        (None, None),
        ("a", "a"),
        (True, True),
        (0.1 + 0.2, 0.1 + 0.2),
        (Status.ACTIVE, "active"),
        (Level.FULL, 1),
        (Path("a/b"), "a/b"),
        (NOON, "2026-05-04T12:00:00.250Z"),
        (datetime(2026, 5, 4, 20, 0, tzinfo=timezone(timedelta(hours=8))), "2026-05-04T12:00:00.000Z"),
        (memory_ref(7), 7),
        (Ref(EPISODE, 3), "e3"),
        ((1, ("a", None)), [1, ["a", None]]),
        ({"at": NOON, "to": {"ref": memory_ref(1)}}, {"at": "2026-05-04T12:00:00.250Z", "to": {"ref": 1}}),
        ([DroppedFact("x", "short")], [{"content": "x", "reason": "short"}]),
        (References((memory_ref(7),), (), (Ref(EPISODE, 1),)), {"used": [7], "unused": [], "unknown": ["e1"]}),
        (PARTS, {"vector": 0.5, "text": 0.25, "weight": 0.05, "recency": 0.0125}),
        (SESSION, {"id": "s", "title": "", "created_at": "2026-05-04T12:00:00.250Z", "rounds": 2}),
    ],
)
def test_a_value_is_told_by_its_fields(value: Any, told: Any) -> None:
    found = plain(value)

    assert found == told
    assert type(found) is type(told)
    assert not isinstance(told, dict) or list(found) == list(told)


@pytest.mark.parametrize(
    ("names", "told"),
    [
        ("rounds id", {"rounds": 2, "id": "s"}),
        ("id:session", {"session": "s"}),
        ("title title:name?", {"title": "", "name": None}),
        ("rounds?", {"rounds": 2}),
    ],
)
def test_attributes_are_picked_in_the_order_of_their_names(names: str, told: dict[str, Any]) -> None:
    picked = pick(SESSION, names)

    assert list(picked.items()) == list(told.items())


def test_what_is_no_attribute_is_a_mistake() -> None:
    with pytest.raises(AttributeError):
        pick(SESSION, "rounds length")


def test_records_are_named_as_lists_name_them() -> None:
    assert (name_of(EPISODE, 3), name_of(EPISODE, None)) == ("e3", None)
    assert names_of(EPISODE, (3, 4)) == ["e3", "e4"]


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
    found = (
        FindingEvidence(Ref(EPISODE, 3), "a wren"),
        FindingEvidence(text="/home/orca.db", command="chmod 600 /home/orca.db"),
    )
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


@pytest.mark.parametrize(
    ("operations", "last", "all_of_them"),
    [((), None, []), ((None,), None, []), ((4,), 4, [4]), ((4, None, 6), 6, [4, 6]), ((4, None), 4, [4])],
)
def test_the_last_operation_is_what_an_undo_takes(
    operations: tuple[int | None, ...], last: int | None, all_of_them: list[int]
) -> None:
    shaped = outcome_json(operations, [{"id": "e3"}], wiped=True)

    assert shaped == {
        "operation": last,
        "operations": all_of_them,
        "changed": [{"id": "e3"}],
        "refused": [],
        "wiped": True,
    }
    assert list(shaped)[:4] == ["operation", "operations", "changed", "refused"]


def test_a_failure_is_a_document_or_a_last_event() -> None:
    assert error_json("invalid", "no", "do") == {"error": {"kind": "invalid", "message": "no", "hint": "do"}}
    assert error_json("invalid", "no", is_event=True) == {
        "event": "error",
        "kind": "invalid",
        "message": "no",
        "hint": "",
    }


GUIDE_3 = Guide(3, "u3", "Keep it short.", "web_search", AT, AT, version=2)
CALL = ToolCall(7, "web_search", "nginx", "three results", True, AT, "c1", "s", None, 0.5, 12)


def test_a_call_that_was_told_is_the_same_call_when_it_is_reported() -> None:
    told = json.loads(json.dumps(call_json(CALL)))
    [given] = calls_from({"calls": [told]})
    again = checked_call(given, AT + timedelta(days=1))

    assert call_identity(again) == call_identity(checked_call(call_json(CALL), AT))
    assert {name: getattr(again, name) for name in told if name != "at"} == {
        name: getattr(CALL, name) for name in told if name != "at"
    }
    assert again.at == CALL.at


@pytest.mark.parametrize(
    ("document", "count"), [({"tool": "x"}, 1), ([{"tool": "x"}] * 2, 2), ({"calls": []}, 0), ([], 0)]
)
def test_a_report_is_one_call_or_several(document: Any, count: int) -> None:
    assert len(calls_from(document)) == count


@pytest.mark.parametrize("document", [None, 3, "x", {"calls": 3}, {"calls": None}])
def test_anything_else_is_no_report(document: Any) -> None:
    with pytest.raises(InvalidInput):
        calls_from(document)
