"""`orca task | episode | tool | action`: work is recorded, listed, changed by hand."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from fakes.terminal import MadeOnce, OrcaHome


def begin(home: OrcaHome) -> None:
    assert home.orca("task", "start", "the build is red", "--target", "ci", "--tag", "work").status == 0
    assert home.orca("task", "step", "read the log", "--tool", "cat", "--args", '{"path": "/x"}').status == 0


@pytest.fixture
def begun(made_once: MadeOnce) -> OrcaHome:
    return made_once(begin)


def test_several_are_named_at_once_by_number_or_name(begun: OrcaHome) -> None:
    assert begun.orca("task", "start", "another", "--trigger", "alert", "--session", "s2").status == 0
    both = begun.orca("task", "show", "1", "w2", "--json").json
    assert [task["id"] for task in both["tasks"]] == ["w1", "w2"]

    dropped = begun.orca("task", "drop", "w2", "1", "--json").json
    assert [(task["id"], task["status"]) for task in dropped["changed"]] == [("w2", "dropped"), ("w1", "dropped")]
    assert dropped["operation"] == dropped["operations"][-1]
    assert len(dropped["operations"]) == 2


@pytest.mark.parametrize(
    "arguments",
    [
        ["show", "99"],
        ["show", "e1"],
        ["show", "--session", "nowhere"],
        ["start", "  "],
        ["step", "9", "--status", "completed"],
        ["step", "1"],
        ["step", "text", "--args", "[1]"],
        ["step", "text", "--args", "[" * 9999],
        ["step", "text", "--description", "other"],
        ["done", "splendid", "it works"],
        ["list", "--status", "open-ish"],
    ],
)
def test_wrong_use_says_why_and_changes_nothing(begun: OrcaHome, arguments: list[str]) -> None:
    before = begun.orca("task", "list", "--json").stdout

    refused = begun.orca("task", *arguments)

    assert refused.status == 2
    assert refused.stderr.startswith("orca: ")
    assert len(refused.stderr.splitlines()) == 1
    assert begun.orca("task", "list", "--json").stdout == before


def steps(home: OrcaHome) -> list[tuple[int, str, str]]:
    shown = home.orca("task", "show", "w1", "--json").json["steps"]
    return [(number, each["description"], each["status"]) for number, each in enumerate(shown, 1)]


def work(home: OrcaHome) -> None:
    """A home with two episodes, of ended tasks."""
    home.orca("task", "start", "nginx answers 502 after the deploy", "--target", "nginx")
    home.orca("task", "step", "raised the keepalive timeout")
    home.orca("task", "done", "success", "it works now")
    home.orca("task", "start", "move the photos", "--target", "nas")
    home.orca("task", "done", "failed", "the disk is full")


@pytest.fixture
def worked(made_once: MadeOnce) -> OrcaHome:
    return made_once(work)


def test_a_hand_changes_them_and_takes_it_back(worked: OrcaHome) -> None:
    assert "pinned  e1" in worked.orca("episode", "pin", "e1").stdout
    worked.orca("episode", "edit", "1", "--step", "restarted it", "--outcome", "partial", "--tag", "web")
    shown = worked.orca("episode", "show", "1", "--json").json
    assert (shown["pinned"], shown["steps"], shown["outcome"], shown["tags"]) == (
        True, ["restarted it"], "partial", ["web"],
    )  # fmt: skip
    assert worked.orca("episode", "archive", "e1", "e2").status == 0
    assert worked.orca("episode", "list", "--json").json["total"] == 0
    worked.orca("memory", "undo")
    assert worked.orca("episode", "list", "--json").json["total"] == 2
    history = worked.orca("episode", "history", "e1", "--json").json
    assert (history["id"], [each["action"] for each in history["changes"]][-3:]) == ("e1", ["edit", "archive", "undo"])


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
    assert "call 3: this call can't be read" in ran.stdout
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


def test_an_edit_is_read_from_two_files(home: OrcaHome, tmp_path: Path) -> None:
    before, after = tmp_path / "before", tmp_path / "after"
    before.write_text("很长的一段\n", "utf-8")
    after.write_bytes(b"short \xff\n")

    edited = home.orca(
        *("action", "add", "EDIT_FILE", "--session", "s", "--round", "1", "--json"),
        *("--previous", str(before), "--current", str(after)),
    )

    assert edited.json["changed"][0]["data"] == {"previous": "很长的一段\n", "current": "short \ufffd\n"}
    shown = home.orca("action", "show", "a1").stdout
    assert "current: short" in shown
    assert "supports no memory" in shown
