"""The JSON of tools that other programs rely on, key by key; and calls, which can be reported as they were told."""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest
from fakes.work import AT

from orca_core.domain.errors import InvalidInput
from orca_core.domain.growth.tools import CallsTaken, Guide, GuideView, RefusedCall, ToolCall, ToolFigures
from orca_core.domain.memories import State, Status
from orca_core.rules.tooling.calls import checked, identity
from orca_core.wire.values import timestamp_json
from orca_core.wire.work import call_json, calls_from, guide_json, taken_json, tool_json, tool_shown_json, tools_json

FIGURES = ToolFigures("web_search", 4, 3, 0.5, 4.0, (("Timeout", 1),), AT)
GUIDE_3 = Guide(3, "u3", "Keep it short.", "web_search", AT, AT, version=2)
HELD_4 = replace(GUIDE_3, id=4, uid="u4", text="See evil.example", state=State.CANDIDATE, held_because="not_in_calls")
CALL = ToolCall(7, "web_search", "nginx", "three results", True, AT, "c1", "s", None, 0.5, 12)
STAMP = timestamp_json(AT)


def test_a_guide_has_its_words_and_its_figures() -> None:
    assert guide_json(GuideView(FIGURES, GUIDE_3)) == {
        "id": "g3",
        "tool": "web_search",
        "text": "Keep it short.",
        "calls": 4,
        "success_rate": 0.75,
        "median_s": 0.5,
        "p95_s": 4.0,
        "errors": [{"error": "Timeout", "count": 1}],
        "updated_at": STAMP,
    }


def test_people_see_more_of_it() -> None:
    view = GuideView(FIGURES, GUIDE_3, status=Status.ACTIVE)

    assert tool_json(view) == {
        **guide_json(view),
        "last_call_at": STAMP,
        "status": "active",
        "uid": "u3",
        "version": 2,
        "pinned": False,
        "held_because": None,
        "archived_because": None,
        "access_count": 0,
        "last_accessed": None,
        "created_at": STAMP,
        "waiting": None,
    }


def test_a_tool_without_a_guide_says_so() -> None:
    told = tool_json(GuideView(ToolFigures("shell", 1, 1, None, None)))

    nothing = ("id", "text", "status", "median_s", "updated_at", "last_call_at", "waiting")
    assert [told[name] for name in nothing] == [None] * len(nothing)
    assert (told["tool"], told["calls"], told["success_rate"]) == ("shell", 1, 1.0)


def test_what_waits_stands_apart_from_what_lives() -> None:
    told = tool_shown_json(GuideView(FIGURES, None, HELD_4), [CALL])

    assert (told["text"], told["waiting"]["text"]) == (None, "See evil.example")
    assert (told["waiting"]["id"], told["waiting"]["held_because"]) == ("g4", "not_in_calls")
    assert [each["call_id"] for each in told["latest"]] == ["c1"]
    assert tools_json([GuideView(FIGURES)])["total"] == 1


def test_a_call_that_was_told_is_the_same_call_when_it_is_reported() -> None:
    told = json.loads(json.dumps(call_json(CALL)))
    [given] = calls_from({"calls": [told]})
    again = checked(given, AT + timedelta(days=1))

    assert identity(again) == identity(checked(call_json(CALL), AT))
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


def test_what_became_of_a_report_is_counted_and_what_was_refused_is_named() -> None:
    error = InvalidInput(template="{field} must be a text", field="call_id")

    assert taken_json(CallsTaken((CALL,), 2, (RefusedCall(3, error),))) == {
        "taken": 1,
        "known": 2,
        "refused": [{"id": None, "place": 3, "reason": "call_id must be a text"}],
    }
