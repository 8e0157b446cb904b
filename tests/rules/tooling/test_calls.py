"""A call as it is kept: what is checked of it, and by what it is known again."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from msgspec.structs import replace

from orca_core.model.errors import InvalidInput
from orca_core.model.tasks import Step, StepStatus, Task
from orca_core.rules.work.record_texts import MAX_BYTES
from orca_core.rules.work.tool_calls import MAX_SECONDS, asked_for, call_of_step, checked, error_of, identity

NOW = datetime(2026, 11, 20, 12, tzinfo=UTC)


def test_a_whole_call_is_kept_as_it_is() -> None:
    given: dict[str, Any] = {
        "tool": "web_search",
        "call_id": "c1",
        "session_id": "s1",
        "input": {"query": "nginx"},
        "output": "three results",
        "success": False,
        "seconds": 1.5,
        "tokens": 12,
        "at": "2026-11-20T11:00:00Z",
    }

    call = checked(given, NOW)

    assert (call.tool, call.input, call.success) == ("web_search", '{"query": "nginx"}', False)
    assert (call.seconds, call.tokens, call.at) == (1.5, 12, NOW - timedelta(hours=1))
    assert (call.is_timed, call.error, call.session_id) == (True, "three results", "s1")


@pytest.mark.parametrize(
    "wrong",
    [
        {},
        {"tool": ""},
        {"tool": "\u200b \u202e"},
        {"tool": 5},
        {"tool": "x" * 201},
        {"tool": "x", "success": "true"},
        {"tool": "x", "success": 1},
        {"tool": "x", "seconds": -1},
        {"tool": "x", "seconds": float("nan")},
        {"tool": "x", "seconds": float("inf")},
        {"tool": "x", "seconds": True},
        {"tool": "x", "seconds": 1e308},
        {"tool": "x", "seconds": MAX_SECONDS + 1},
        {"tool": "x", "tokens": 1.5},
        {"tool": "x", "tokens": -1},
        {"tool": "x", "at": "yesterday"},
        {"tool": "x", "at": 1700000000},
        {"tool": "x", "at": datetime.fromisoformat("0001-01-01")},
        {"tool": "x", "at": "0001-01-01T00:00:00Z"},
        {"tool": "x", "call_id": ["c"]},
        {"tool": "x", "sucess": True},
        {"tool": "x", "input": {"a": {1}}},
        {"tool": "x", "input": {(1,): "a"}},
        {5: "x"},
        None,
        5,
        [],
        ["tool"],
        "tool",
    ],
    ids=repr,
)
def test_a_malformed_call_is_refused(wrong: Any) -> None:
    with pytest.raises(InvalidInput):
        checked(wrong, NOW)


@pytest.mark.parametrize("between", [",", "，", "、", ";", "；", "\n", "\r\n"])
def test_a_tool_that_nobody_could_ask_for_is_refused(between: str) -> None:
    with pytest.raises(InvalidInput):
        checked({"tool": f"search{between}web"}, NOW)
    assert checked({"tool": " search web\n"}, NOW).tool == "search web"


@pytest.mark.parametrize("field", ["tool", "call_id", "session_id", "success", "seconds", "tokens", "at", "step"])
@pytest.mark.parametrize("digits", [400, 5000])
def test_a_number_without_end_is_refused(field: str, digits: int) -> None:
    with pytest.raises(InvalidInput):
        checked({"tool": "x", field: 10**digits}, NOW)
    with pytest.raises(InvalidInput):
        checked({"tool": "x", 10**digits: field}, NOW)
    with pytest.raises(InvalidInput):
        checked(10**digits, NOW)


def test_what_was_given_may_hold_a_number_without_end() -> None:
    call = checked({"tool": "x", "input": {"a": 10**5000, 10**5000: 1}, "output": 10**5000}, NOW)

    assert call.input.count("0x") == 2
    assert "0x" in call.output


def test_what_is_too_long_is_cut_and_says_so() -> None:
    call = checked({"tool": "read", "input": {"text": "ä" * 70_000}, "output": "好" * 70_000}, NOW)

    assert len(call.input.encode()) <= MAX_BYTES
    assert len(call.output.encode()) <= MAX_BYTES
    assert "bytes cut" in call.input
    assert "bytes cut" in call.output
    assert json.loads(call.input)


def test_controls_are_taken_out() -> None:
    call = checked({"tool": "re\u202ead", "output": "a\x1b[31mb\u200bc\nd", "input": "x\x00y"}, NOW)

    assert call.tool == "read"
    assert call.output == "a[31mbc\nd"
    assert "\x00" not in call.input


def test_a_time_to_come_is_now() -> None:
    assert checked({"tool": "x", "at": "2030-01-01T00:00:00+00:00"}, NOW).at == NOW


BASE = checked({"tool": "Web_Search", "input": "q", "output": "a", "at": "2026-11-20T11:00:00Z"}, NOW)
IDENTITIES = [
    ("the same", BASE, True),
    ("another spelling of the tool", replace(BASE, tool="web_search"), True),
    ("another measure", replace(BASE, seconds=3.0), True),
    ("another session", replace(BASE, session_id="s2"), True),
    ("another time", replace(BASE, at=NOW), False),
    ("another input", replace(BASE, input="r"), False),
    ("another output", replace(BASE, output="b"), False),
    ("another tool", replace(BASE, tool="search"), False),
]


@pytest.mark.parametrize(("name", "call", "is_same"), IDENTITIES, ids=[each[0] for each in IDENTITIES])
def test_by_what_a_call_is_known_again(name: str, call: Any, is_same: bool) -> None:
    assert (identity(call) == identity(BASE)) is is_same, name


def test_a_named_call_of_a_session_is_one_whatever_it_says() -> None:
    named = replace(BASE, session_id="s", call_id="c")

    assert identity(named) == identity(replace(named, output="more", at=NOW, tool="other"))
    assert identity(named) != identity(replace(named, session_id="t"))
    assert identity(named) != identity(replace(named, call_id="d"))


def test_without_a_time_the_same_call_of_a_session_is_one() -> None:
    first = checked({"tool": "x", "output": "a"}, NOW, "s")

    assert identity(first) == identity(checked({"tool": "x", "output": "a"}, NOW + timedelta(days=1), "s"))
    assert identity(first) != identity(checked({"tool": "x", "output": "a"}, NOW, "t"))


TASK = Task(1, "u", "s1", "mend it", NOW, NOW)
STEP = Step(7, 1, 1, "look", "grep", {"pattern": "TODO"}, "none", StepStatus.FAILED, NOW, NOW + timedelta(seconds=4))


def test_a_step_that_is_over_is_a_call() -> None:
    call = call_of_step(STEP, TASK)

    assert call is not None
    assert (call.tool, call.success, call.seconds, call.session_id) == ("grep", False, 4.0, "s1")
    assert call.error == "none"


@pytest.mark.parametrize(
    "step",
    [
        replace(STEP, tool=""),
        replace(STEP, tool=", ;"),
        replace(STEP, status=StepStatus.IN_PROGRESS),
        replace(STEP, status=StepStatus.REMOVED),
        replace(STEP, completed_at=None),
    ],
)
def test_another_step_is_none(step: Step) -> None:
    assert call_of_step(step, TASK) is None


def test_a_time_that_no_call_takes_is_not_measured() -> None:
    assert STEP.completed_at is not None
    for began, seconds in ((timedelta(seconds=MAX_SECONDS), MAX_SECONDS), (timedelta(days=367), None)):
        call = call_of_step(replace(STEP, started_at=STEP.completed_at - began), TASK)
        assert call is not None
        assert call.seconds == seconds


def test_a_step_of_several_tools_is_a_call_that_can_be_asked_for() -> None:
    call = call_of_step(replace(STEP, tool="grep, sed；awk"), TASK)

    assert call is not None
    assert asked_for(call.tool) == ["grep sed awk"]


def test_an_error_is_counted_by_its_beginning_but_never_a_secret() -> None:
    assert error_of("\n  TimeoutError: no answer\nTraceback …") == "TimeoutError: no answer"
    assert len(error_of("x" * 500)) == 80
    assert error_of("bad token: sk-abcdefghijklmnop1234") == ""


@pytest.mark.parametrize("more", [{}, {"step": 3}], ids=repr)
def test_a_call_of_a_time_to_come_is_known_again_by_that_time(more: dict[str, Any]) -> None:
    given = {"tool": "x", "at": "2030-01-01T00:00:00Z", **more}

    assert identity(checked(given, NOW)) == identity(checked(given, NOW + timedelta(minutes=1)))
    assert identity(checked(given, NOW)) != identity(checked({**given, "at": "2031-01-01T00:00:00Z"}, NOW))
