"""A call as it is kept: what is checked of it, and by what it is known again."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from msgspec.structs import replace

from orca_core.model.errors import InvalidInput
from orca_core.model.tasks import Step, StepStatus, Task
from orca_core.model.tools import Guide, ToolFigures
from orca_core.rules.text import token_count
from orca_core.rules.work.record_texts import MAX_BYTES
from orca_core.rules.work.reported_calls import (
    MAX_MESSAGES,
    call_identity,
    call_of_step,
    calls_in_session,
    checked_call,
    error_of,
    fold_tool,
    listed_tool_names,
    tools_named_by_task,
    tools_named_in,
)
from orca_core.rules.work.tool_guides import GUIDE_TOKENS, guide_line

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

    call = checked_call(given, NOW)

    assert (call.tool, call.input, call.success) == ("web_search", '{"query": "nginx"}', False)
    assert (call.seconds, call.tokens, call.at) == (1.5, 12, NOW - timedelta(hours=1))
    assert (call.is_timed, call.error, call.session_id) == (True, "three results", "s1")


@pytest.mark.parametrize(
    "wrong",
    [
        {},
        {"tool": 5},
        {"tool": "x", "success": "true"},
        {"tool": "x", "seconds": float("nan")},
        {"tool": "x", "seconds": True},
        {"tool": "x", "tokens": 1.5},
        {"tool": "x", "at": "yesterday"},
        {"tool": "x", "at": "0001-01-01T00:00:00Z"},
        {"tool": "x", "sucess": True},
        {5: "x"},
        5,
        "tool",
    ],
    ids=repr,
)
def test_a_malformed_call_is_refused(wrong: Any) -> None:
    with pytest.raises(InvalidInput):
        checked_call(wrong, NOW)


@pytest.mark.parametrize("between", [",", "，", "、", ";", "；", "\n", "\r\n"])
def test_a_tool_that_nobody_could_ask_for_is_refused(between: str) -> None:
    with pytest.raises(InvalidInput):
        checked_call({"tool": f"search{between}web"}, NOW)
    assert checked_call({"tool": " search web\n"}, NOW).tool == "search web"


@pytest.mark.parametrize("field", ["tool", "call_id", "session_id", "success", "seconds", "tokens", "at", "step"])
@pytest.mark.parametrize("digits", [400, 5000])
def test_a_number_without_end_is_refused(field: str, digits: int) -> None:
    with pytest.raises(InvalidInput):
        checked_call({"tool": "x", field: 10**digits}, NOW)
    with pytest.raises(InvalidInput):
        checked_call({"tool": "x", 10**digits: field}, NOW)
    with pytest.raises(InvalidInput):
        checked_call(10**digits, NOW)


def test_what_is_too_long_is_cut_and_says_so() -> None:
    call = checked_call({"tool": "read", "input": {"text": "ä" * 70_000}, "output": "好" * 70_000}, NOW)

    assert len(call.input.encode()) <= MAX_BYTES
    assert len(call.output.encode()) <= MAX_BYTES
    assert "bytes cut" in call.input
    assert "bytes cut" in call.output
    assert json.loads(call.input)


BASE = checked_call({"tool": "Web_Search", "input": "q", "output": "a", "at": "2026-11-20T11:00:00Z"}, NOW)
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
    assert (call_identity(call) == call_identity(BASE)) is is_same, name


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


def test_an_error_is_counted_by_its_beginning_but_never_a_secret() -> None:
    assert error_of("\n  TimeoutError: no answer\nTraceback …") == "TimeoutError: no answer"
    assert len(error_of("x" * 500)) == 80
    assert error_of("bad token: sk-abcdefghijklmnop1234") == ""


AT = datetime(2026, 11, 20, 12, tzinfo=UTC)
TOOLS = ["web_search", "write_file", "search", "read-page", "查天气"]
NAMED = [
    ("How do I use web_search?", ["web_search"]),
    ("write_file after web_search", ["write_file", "web_search"]),
    ("web_search-index and lib.web_search.core", []),
    ("Use the `search` tool", ["search"]),
    ("why is tool search slow", ["search"]),
    ("用 web_search 查一下", ["web_search"]),
    ("用search工具", ["search"]),
    ("the research tool", []),
    ("「查天气」怎么用", ["查天气"]),
    ("再查天气工具", []),
    ("`read-page` first", ["read-page"]),
    ("", []),
]


@pytest.mark.parametrize(("text", "named"), NAMED)
def test_which_tools_a_text_names(text: str, named: list[str]) -> None:
    assert tools_named_in(text, TOOLS) == named


HOSTILE = [
    "the",
    "is",
    "工具",
    "的",
    "不",
    "?",
    ".",
    "502",
    "and/or",
    "e-mail",
    "_",
    "__",
    ".*",
    "(.+)+",
    "x_",
    "\\",
    "]",
    "`",
]


@pytest.mark.parametrize(
    "text",
    [
        "Is the tool broken? It is the 502 and/or the e-mail ... (see __init__, x__y)",
        "这个工具不好用，它的 502 是什么意思？",
        "the tool is slow, this tool the least",
    ],
)
def test_a_name_that_sentences_hold_by_chance_is_not_named(text: str) -> None:
    assert tools_named_in(text, HOSTILE) == []


def step(number: int, description: str, tool: str = "", **fields: Any) -> Step:
    return Step(id=number, task=1, number=number, description=description, tool=tool, **fields)


@pytest.mark.parametrize(
    ("text", "steps", "named"),
    [
        ("go on", [], []),
        ("go on", [step(1, "look", "Web_Search")], ["web_search"]),
        ("go on", [step(1, "look", "search")], ["search"]),
        ("go on", [step(1, "look", "web_search2")], []),
        ("go on", [step(1, "look", "search"), step(2, "save", "write_file")], ["write_file", "search"]),
        ("use write_file", [step(1, "look", "search"), step(2, "save", "write_file")], ["write_file", "search"]),
        ("go on", [step(1, "ask web_search for it")], ["web_search"]),
        ("go on", [step(1, "search for it")], []),
        ("go on", [step(1, "look", "other", args={"tool": "search"}, result="call web_search now")], []),
    ],
)
def test_a_task_names_the_tools_of_its_steps(text: str, steps: list[Step], named: list[str]) -> None:
    assert tools_named_by_task(text, steps, TOOLS) == named


def test_names_that_are_asked_for_keep_their_order() -> None:
    assert listed_tool_names(" web_search, Write_File,,web_search ，search") == ["web_search", "Write_File", "search"]
    assert listed_tool_names("  ") == []
    assert fold_tool("  Ｗeb_Search ") == "web_search"


def test_a_line_never_costs_more_than_knowledge_does() -> None:
    figures = ToolFigures("web_search", 42, 39, 1.234, 3.0)
    short, long = (
        Guide(1, "u", text, "web_search", AT, AT) for text in ("Keep queries short.", "Keep it short. " * 90)
    )

    assert guide_line(short, figures) == "web_search: Keep queries short. (calls: 42, succeeded: 93 %, usually 1.23 s)"
    assert token_count.estimate(guide_line(long, figures)) <= GUIDE_TOKENS
    assert guide_line(long, figures).endswith("usually 1.23 s)")


AT_SESSION_CONTENT = "2026-11-20T11:00:00"
LATER = "2026-11-20T11:00:02.500000"


def use(call_id: str, tool: str = "web_search", **more: Any) -> dict[str, Any]:
    content = json.dumps([{"type": "tool_use", "id": call_id, "name": tool, "input": {"query": "nginx"}}])
    message = {"role": "assistant", "type": "tool_use", "content": content, "status": "finished", "tool_name": tool}
    return {
        "id": "m",
        "message": {**message, "arguments": {"query": "nginx"}, **more},
        "create_time": AT_SESSION_CONTENT,
    }


def result(call_id: str, output: Any = "ok", status: str = "finished", **more: Any) -> dict[str, Any]:
    content = json.dumps([{"type": "tool_result", "id": call_id, "name": "web_search", "output": output}])
    message = {"role": "system", "type": "tool_result", "content": content, "status": status, **more}
    return {"id": "r", "message": message, "create_time": AT_SESSION_CONTENT, "update_time": LATER}


SHAPES: list[tuple[str, Any, list[tuple[str, bool]], int]] = [
    ("nothing", None, [], 0),
    ("no list", "text", [], 1),
    ("an object", {"a": 1}, [], 1),
    ("chat alone", [{"message": {"role": "user", "type": "user", "content": "hi"}}], [], 0),
    ("failed", [use("c"), result("c", status="error")], [("c", False)], 0),
    ("two at once, mixed", [use("a"), use("b"), result("b"), result("a")], [("a", True), ("b", True)], 0),
    ("still running", [use("a"), result("a", status="running")], [], 0),
    ("running, then finished", [use("a"), result("a", status="running"), result("a")], [("a", True)], 0),
    ("no result", [use("a")], [], 0),
    ("a result that names its tool", [result("a")], [("a", True)], 0),
    ("without an envelope", [use("a")["message"], result("a")["message"]], [("a", True)], 0),
    ("tool_call", [use("a", type="tool_call"), result("a")], [("a", True)], 0),
    ("content a list", [use("a", content=[{"id": "a", "name": "x"}]), result("a")], [("a", True)], 0),
    ("content one object", [use("a", content='{"id": "a", "name": "x"}'), result("a")], [("a", True)], 0),
    ("no JSON", [use("a", content="oops"), use("b"), result("b")], [("b", True)], 1),
    ("no id", [use("a", content='[{"name": "x"}]'), use("b"), result("b")], [("b", True)], 1),
    ("no status", [use("a"), result("a", status=None), use("b"), result("b")], [("b", True)], 1),  # type: ignore[arg-type]
    ("no message", [5, use("b"), result("b")], [("b", True)], 1),
    ("no tool", [{"message": {"type": "tool_result", "content": '[{"id": "z"}]', "status": "finished"}}], [], 1),
    (
        "the id beside the content",
        [use("a", content='[{"name": "x"}]', tool_call_id="a"), result("a")],
        [("a", True)],
        0,
    ),
]


@pytest.mark.parametrize(("name", "content", "found", "refused"), SHAPES, ids=[each[0] for each in SHAPES])
def test_the_shapes_that_occur(name: str, content: Any, found: list[tuple[str, bool]], refused: int) -> None:
    calls, not_read = calls_in_session(content)

    assert [(call["call_id"], call["success"]) for _place, call in calls] == found, name
    assert len(not_read) == refused


def test_one_that_can_not_be_read_says_where_it_stands() -> None:
    _calls, refused = calls_in_session([use("a"), result("a"), use("b", content="{")])

    assert [each.place for each in refused] == [2]
    assert "JSON" in refused[0].reason


@pytest.mark.parametrize("ended", ["0001-01-01T00:00:00", "9999-12-31T23:59:59-14:00", "soon", 5])
def test_what_is_no_time_is_not_said(ended: object) -> None:
    [(_, call)] = calls_in_session([{**result("c"), "update_time": ended, "create_time": ended}])[0]

    assert (call["at"], call["seconds"]) == (None, None)


@pytest.mark.parametrize("call_id", [10**5000, 1.5, True, None, ["a"], {"a": 1}], ids=lambda each: type(each).__name__)
def test_an_id_that_names_nothing_is_refused_by_itself(call_id: Any) -> None:
    calls, refused = calls_in_session([use("a"), use("b", content=[{"id": call_id, "input": {}}]), result("a")])

    assert [call["call_id"] for _place, call in calls] == ["a"]
    assert [each.place for each in refused] == [1]


def test_of_a_session_that_is_too_long_the_newest_is_read() -> None:
    filling = [{"message": {"role": "user", "content": "hi"}}] * (MAX_MESSAGES - 3)
    content = [use("old"), result("old"), use("half"), *filling, result("half"), use("new"), result("new")]

    calls, refused = calls_in_session(content)

    assert [each["call_id"] for _, each in calls] == ["new"]
    assert [(each.place, "not read" in each.reason) for each in refused] == [(0, True)]
