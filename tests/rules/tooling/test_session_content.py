"""The calls in a session, as clients hand it over: their messages in the shapes that occur."""

from __future__ import annotations

import json
from typing import Any

import pytest

from orca_core.rules.work.session_content import MAX_CHARS, MAX_MESSAGES, calls_in

AT = "2026-11-20T11:00:00"
LATER = "2026-11-20T11:00:02.500000"


def use(call_id: str, tool: str = "web_search", **more: Any) -> dict[str, Any]:
    content = json.dumps([{"type": "tool_use", "id": call_id, "name": tool, "input": {"query": "nginx"}}])
    message = {"role": "assistant", "type": "tool_use", "content": content, "status": "finished", "tool_name": tool}
    return {"id": "m", "message": {**message, "arguments": {"query": "nginx"}, **more}, "create_time": AT}


def result(call_id: str, output: Any = "ok", status: str = "finished", **more: Any) -> dict[str, Any]:
    content = json.dumps([{"type": "tool_result", "id": call_id, "name": "web_search", "output": output}])
    message = {"role": "system", "type": "tool_result", "content": content, "status": status, **more}
    return {"id": "r", "message": message, "create_time": AT, "update_time": LATER}


def test_a_call_and_its_result_are_one() -> None:
    calls, refused = calls_in([use("c1"), result("c1")])

    [(place, call)] = calls
    assert refused == []
    assert place == 0
    assert (call["tool"], call["call_id"], call["output"]) == ("web_search", "c1", "ok")
    assert (call["input"], call["success"], call["seconds"]) == ({"query": "nginx"}, True, 2.5)


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
    calls, not_read = calls_in(content)

    assert [(call["call_id"], call["success"]) for _place, call in calls] == found, name
    assert len(not_read) == refused


def test_one_that_can_not_be_read_says_where_it_stands() -> None:
    _calls, refused = calls_in([use("a"), result("a"), use("b", content="{")])

    assert [each.place for each in refused] == [2]
    assert "JSON" in refused[0].reason


def test_what_nests_without_end_is_refused_by_itself() -> None:
    calls, refused = calls_in([use("a", content="[" * 100_000), use("b"), result("b")])

    assert len(calls) == 1
    assert len(refused) == 1


@pytest.mark.parametrize("ended", ["0001-01-01T00:00:00", "9999-12-31T23:59:59-14:00", "soon", 5])
def test_what_is_no_time_is_not_said(ended: object) -> None:
    [(_, call)] = calls_in([{**result("c"), "update_time": ended, "create_time": ended}])[0]

    assert (call["at"], call["seconds"]) == (None, None)


@pytest.mark.parametrize("call_id", [10**5000, 1.5, True, None, ["a"], {"a": 1}], ids=lambda each: type(each).__name__)
def test_an_id_that_names_nothing_is_refused_by_itself(call_id: Any) -> None:
    calls, refused = calls_in([use("a"), use("b", content=[{"id": call_id, "input": {}}]), result("a")])

    assert [call["call_id"] for _place, call in calls] == ["a"]
    assert [each.place for each in refused] == [1]


def test_a_call_of_a_session_that_took_years_is_not_measured() -> None:
    calls, refused = calls_in([result("a", tool_name="x") | {"create_time": "2001-01-01T00:00:00"}])

    assert refused == []
    assert calls[0][1]["seconds"] is None


@pytest.mark.parametrize(
    "filling",
    [[{"message": {"role": "user", "content": "hi"}}] * MAX_MESSAGES, [{"content": "x" * (MAX_CHARS - 2_000)}]],
    ids=["messages", "characters"],
)
def test_of_a_session_that_is_too_long_the_newest_is_read(filling: list[Any]) -> None:
    halved = [{**use("half"), "note": "x" * 2_000}, *filling[3:], result("half"), use("new"), result("new")]

    calls, refused = calls_in(
        [use("old"), result("old"), *halved] if len(filling) > 1 else [*halved[:1], *filling, *halved[1:]]
    )

    assert [each["call_id"] for _, each in calls] == ["new"]
    assert [(each.place, "not read" in each.reason) for each in refused] == [(0, True)]


def test_a_session_that_holds_itself_is_read_in_bounded_time() -> None:
    hostile: list[Any] = []
    hostile += [hostile] * 1_000

    assert calls_in([{"type": "tool_use", "content": hostile}, use("c"), result("c")])[0]
