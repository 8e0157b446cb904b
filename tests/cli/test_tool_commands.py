"""`orca tool …` end to end on a real database, with the demo's memory agent."""

from __future__ import annotations

import json
from typing import Any

import pytest
from fakes.terminal import OrcaHome


def report(count: int = 3, tool: str = "web_search", prefix: str = "c", **fields: Any) -> list[dict[str, Any]]:
    one = {"tool": tool, "input": {"query": "nginx 502"}, "output": "three results", "seconds": 0.5, **fields}
    return [{**one, "call_id": f"{prefix}{number}"} for number in range(count)]


def recorded(home: OrcaHome, given: object, *arguments: str) -> Any:
    return home.orca("tool", "record", "--session", "s", "--json", *arguments, stdin=json.dumps(given)).json


def shown(home: OrcaHome, tool: str = "web_search") -> dict[str, Any]:
    return home.orca("tool", "show", tool, "--json").json


@pytest.fixture
def taught(home: OrcaHome) -> OrcaHome:
    recorded(home, report())
    recorded(home, report(1, prefix="f", success=False, output="Timeout: no answer", seconds=4))
    assert home.orca("tool", "write", "web_search").status == 0
    return home


@pytest.mark.parametrize(
    "given",
    [report(1)[0], report(1), {"calls": report(1)}],
    ids=["one call", "a list", "calls in a document"],
)
def test_calls_come_in_three_forms(home: OrcaHome, given: object) -> None:
    told = recorded(home, given)

    assert (told["taken"], told["known"], told["refused"]) == (1, 0, [])
    assert recorded(home, given)["known"] == 1


def test_a_malformed_call_is_refused_with_its_place_and_the_others_are_recorded(home: OrcaHome) -> None:
    given = [*report(1), {"tool": ""}, 7, {"tool": "x", "seconds": -1}]
    ran = home.orca("tool", "record", stdin=json.dumps(given))

    assert ran.status == 1
    assert "1 recorded, 0 known already, 3 refused" in ran.stdout
    assert "call 3: seconds must be a number from 0 to" in ran.stdout
    told = recorded(home, given)
    assert [each["place"] for each in told["refused"]] == [1, 2, 3]
    assert (
        "记下 0 次，已知 1 次，拒绝 3 次"
        in home.orca("tool", "record", stdin=json.dumps(given), LANG="zh_CN.UTF-8").stdout
    )


def test_one_call_is_recorded_by_options(home: OrcaHome) -> None:
    line = ("tool", "record", "--tool", "Shell", "--input", '{"command": "ls"}', "--call", "c1", "--session", "s")
    assert home.orca(*line, "--output", "no such file", "--failed", "--seconds", "0.1", "--tokens", "5").status == 0

    [call] = shown(home, "shell")["latest"]

    assert (call["tool"], call["input"], call["output"], call["success"]) == (
        "Shell",
        '{"command": "ls"}',
        "no such file",
        False,
    )
    assert (call["seconds"], call["tokens"], call["call_id"], call["session_id"]) == (0.1, 5, "c1", "s")


@pytest.mark.parametrize("stdin", ["", "no JSON", "3", '{"calls": 3}', "[NaN]"])
def test_what_is_no_report_is_refused_as_a_whole(home: OrcaHome, stdin: str) -> None:
    ran = home.orca("tool", "record", stdin=stdin)

    assert ran.status == 2
    assert "that is no report of calls" in ran.stderr


def test_a_report_is_given_in_one_way_alone(home: OrcaHome) -> None:
    assert "only one of them" in home.orca("tool", "record", "--tool", "x", "--file", "calls.json").stderr
    assert "name of its tool" in home.orca("tool", "record", "--output", "x").stderr


def test_calls_become_a_guide(taught: OrcaHome) -> None:
    [tool] = taught.orca("tool", "list", "--json").json["tools"]
    assert (tool["tool"], tool["id"], tool["status"], tool["calls"], tool["success_rate"]) == (
        "web_search",
        "g1",
        "active",
        4,
        0.75,
    )
    assert (tool["median_s"], tool["p95_s"], tool["waiting"]) == (0.5, 4.0, None)
    assert tool["errors"] == [{"error": "Timeout: no answer", "count": 1}]
    assert "Timeout" in tool["text"]

    text = taught.orca("tool", "show", "WEB_SEARCH").stdout
    assert "4 calls: 3 succeeded" in text
    assert "failed 1 time: Timeout: no answer" in text
    assert "g1" in taught.orca("tool", "list").stdout
    assert "no call came since" in taught.orca("tool", "write").stderr
    assert "learnt from calls #g1" in taught.orca("activity").stdout
    assert "1 tools, 4 calls, 1 guides, 0 in the inbox" in taught.orca("doctor").stdout
    stats = taught.orca("stats", "--json").json
    assert (stats["kinds"]["guide"]["active"], stats["sizes"]["tools"], stats["sizes"]["tool_calls"]) == (1, 1, 4)


def test_what_is_shown_of_a_call_is_known_when_it_is_reported(taught: OrcaHome) -> None:
    told = recorded(taught, shown(taught)["latest"])

    assert (told["taken"], told["known"], told["refused"]) == (0, 4, [])


def test_a_guide_is_changed_by_hand_and_taken_back(taught: OrcaHome) -> None:
    assert taught.orca("tool", "edit", "g1", "--text", "Keep it short.").status == 0
    for act, field, value in (("pin", "pinned", True), ("unpin", "pinned", False)):
        assert taught.orca("tool", act, "g1").status == 0
        assert shown(taught)[field] == value
    assert taught.orca("tool", "archive", "1", "--json").json["changed"][0]["status"] == "archived"
    assert shown(taught)["text"] is None
    assert taught.orca("tool", "restore", "g1").status == 0
    assert shown(taught)["text"] == "Keep it short."
    assert taught.orca("tool", "accept", "g1").status != 0
    actions = [each["action"] for each in taught.orca("tool", "history", "g1", "--json").json["changes"]]
    assert actions == ["write_guide", "edit", "pin", "unpin", "archive", "restore"]
    assert "→Keep it short." in taught.orca("tool", "history", "g1").stdout


def test_deleting_a_tool_deletes_calls_and_guides_or_the_ones_that_are_named(taught: OrcaHome) -> None:
    assert taught.orca("tool", "delete", "web_search").status != 0
    told = taught.orca("tool", "delete", "Web_Search", "--only", "calls", "--yes", "--json").json
    assert (told["calls"], told["changed"]) == (4, [])
    assert (shown(taught)["id"], shown(taught)["calls"], shown(taught)["latest"]) == ("g1", 0, [])
    told = taught.orca("tool", "delete", "web_search", "--yes", "--json").json
    assert (told["calls"], [each["id"] for each in told["changed"]]) == (0, ["g1"])
    for again in ("show", "write"):
        assert "orca tool list" in taught.orca("tool", again, "web_search").stderr
    assert "orca tool list" in taught.orca("tool", "delete", "web_search", "--yes").stderr


def test_where_calls_are_not_kept_that_is_said(home: OrcaHome) -> None:
    home.configure("[memory.tools]\nenabled = false\n")

    assert "calls are not recorded" in home.orca("tool", "record", "--tool", "x").stderr
    assert "no guides are written" in home.orca("tool", "write").stderr
