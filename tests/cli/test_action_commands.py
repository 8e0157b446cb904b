"""`orca action`: acts are recorded, listed and shown, and each can be taken back."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from fakes.terminal import OrcaHome, Ran

KEYS = [
    *("id", "uid", "type", "session_id", "round", "message_id", "task_id", "tool", "call_id"),
    *("at", "data", "state", "read", "supports"),
]


def liked(home: OrcaHome, *more: str) -> Ran:
    return home.orca("action", "add", "LIKE", "--session", "s", "--round", "1", *more)


def test_an_act_is_told_with_what_takes_it_back(home: OrcaHome) -> None:
    ran = liked(home)

    assert ran.stdout == "recorded  a1  LIKE  session s, round 1\n"
    assert ran.stderr == "orca memory undo 1 takes it back\n"


def test_an_act_in_json_has_all_of_it(home: OrcaHome) -> None:
    home.orca("task", "start", "mend it", "--session", "s")
    ran = home.orca(
        *("action", "add", "collect_tool", "--session", "s", "--message", "m-1", "--task", "w1"),
        *("--tool", "web_search", "--call", "c1", "--data", '{"x": [1]}', "--at", "2026-01-02T03:04:05Z", "--json"),
    )

    [act] = ran.json["changed"]
    assert list(act) == KEYS
    assert act | {"uid": ""} == {
        "id": "a1",
        "uid": "",
        "type": "COLLECT_TOOL",
        "session_id": "s",
        "round": None,
        "message_id": "m-1",
        "task_id": "w1",
        "tool": "web_search",
        "call_id": "c1",
        "at": "2026-01-02T03:04:05.000Z",
        "data": {"x": [1]},
        "state": "standing",
        "read": "waiting",
        "supports": [],
    }


def test_an_act_takes_back_what_it_can_not_stand_beside(home: OrcaHome) -> None:
    liked(home)

    ran = home.orca("action", "add", "DISLIKE", "--session", "s", "--round", "1")

    assert ran.stdout.splitlines() == [
        "recorded  a2  DISLIKE  session s, round 1",
        "taken back  a1  LIKE  session s, round 1",
    ]
    listed = home.orca("action", "list", "--json").json
    assert [(each["id"], each["state"]) for each in listed["actions"]] == [("a2", "standing"), ("a1", "withdrawn")]
    standing = home.orca("action", "list", "--standing", "--session", "s", "--json").json
    assert (standing["total"], standing["actions"][0]["id"]) == (1, "a2")


def test_what_did_not_help_is_named_by_its_record(home: OrcaHome) -> None:
    said = ("action", "add", "NOT_HELPFUL", "--session", "s", "--round", "1", "--record")

    assert home.orca(*said, "e3").stdout == "recorded  a1  NOT_HELPFUL  session s, round 1, #e3\n"
    assert home.orca(*said, "3").stdout == "recorded  a2  NOT_HELPFUL  session s, round 1, #3\n"
    assert home.orca(*said, "e3").stdout == "stands already  a1  NOT_HELPFUL  session s, round 1, #e3\n"
    shown = home.orca("action", "show", "a1", "--json").json
    assert (shown["data"], shown["read"]) == ({"record": {"kind": "episode", "id": 3}}, "never")
    assert "found something not helpful" in home.orca("action", "show", "a1").stdout
    cancelled = home.orca("action", "add", "CANCEL_NOT_HELPFUL", *said[3:], "m3")
    assert cancelled.stdout.splitlines()[1] == "taken back  a2  NOT_HELPFUL  session s, round 1, #3"
    assert home.orca(*said[:-1]).status == home.orca(*said, "s3").status == 2


def test_a_cancel_that_takes_back_nothing_says_so(home: OrcaHome) -> None:
    liked(home)

    missed = home.orca("action", "add", "CANCEL_LIKE", "--session", "s", "--round", "2")
    met = home.orca("action", "add", "CANCEL_LIKE", "--session", "s", "--round", "1")

    assert missed.stdout.splitlines()[1:] == ["nothing was taken back: no act stands on what it names"]
    assert met.stdout.splitlines()[1:] == ["taken back  a1  LIKE  session s, round 1"]
    assert home.orca("action", "list", "--standing").stdout == ""


def test_an_act_that_stands_already_changes_nothing(home: OrcaHome) -> None:
    liked(home)

    told, in_json = liked(home), liked(home, "--json").json

    assert (told.status, told.stdout) == (0, "stands already  a1  LIKE  session s, round 1\n")
    assert in_json["operation"] is None
    assert in_json["refused"] == [{"id": "a1", "reason": "stands_already"}]


def test_an_unknown_type_names_those_that_are_known(home: OrcaHome) -> None:
    ran = home.orca("action", "add", "LOVE", "--session", "s")

    assert ran.status == 2
    assert "there is no action LOVE — one of LIKE, DISLIKE, CANCEL_LIKE" in ran.stderr


def test_undo_takes_an_act_back_and_redo_brings_it_again(home: OrcaHome) -> None:
    liked(home)

    [undone] = home.orca("memory", "undo", "1", "--json").json["changed"]
    assert (undone["id"], undone["state"]) == ("a1", "undone")
    assert home.orca("action", "list").stdout == ""

    [again] = home.orca("memory", "redo", "--json").json["changed"]
    assert (again["id"], again["state"]) == ("a1", "standing")


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


@pytest.mark.parametrize(
    ("given", "complaint"),
    [
        (("--query", "x", "--data", "{}"), "only one of them can be given"),
        (("--previous", "/dev/null"), "--previous and --current belong together"),
        (("--previous", "/nosuch", "--current", "/dev/null"), "/nosuch can't be read: No such file or directory"),
        (("--at", "yesterday"), "'yesterday' is no point in time — such as 2026-03-01T09:30"),
        (("--data", "[]"), "--data is no JSON object"),
    ],
)
def test_what_can_not_be_read_is_wrong_use(home: OrcaHome, given: tuple[str, ...], complaint: str) -> None:
    ran = home.orca("action", "add", "EDIT_FILE", "--session", "s", *given)

    assert (ran.status, ran.stdout) == (2, "")
    assert complaint in ran.stderr


def test_acts_can_be_switched_off(home: OrcaHome) -> None:
    home.configure("[memory.actions]\nenabled = false\n")

    told, in_json = liked(home), liked(home, "--json").json

    assert "acts are not recorded: memory.actions.enabled is false" in told.stderr
    assert (in_json["operation"], in_json["refused"]) == (None, [{"id": None, "reason": "disabled"}])


def test_acts_are_told_in_chinese(home: OrcaHome) -> None:
    zh = {"LANG": "zh_CN.UTF-8", "PYTHONUTF8": "1"}
    home.orca("action", "add", "LIKE", "--session", "s", "--round", "1", **zh)

    assert "行为: 赞了回答" in home.orca("action", "show", "a1", **zh).stdout
    assert "有效，等待阅读" in home.orca("action", "list", **zh).stdout


def test_acts_are_counted_by_how_they_stand(home: OrcaHome) -> None:
    liked(home)
    home.orca("action", "add", "DISLIKE", "--session", "s", "--round", "1")

    kinds = home.orca("stats", "--json").json["kinds"]
    assert kinds["action"] == {"standing": 1, "withdrawn": 1, "undone": 0, "waiting": 1}
    assert kinds["support"] == {"standing": 0, "withdrawn": 0, "undone": 0}
    assert "acts: 1 stands, 1 cancelled, 1 to read" in home.orca("stats").stdout
    assert "1 stand, 1 of them wait to be read" in home.orca("doctor").stdout


@pytest.mark.parametrize("are_on", ["true", "false"])
def test_a_task_that_stopped_tells_in_json_what_became_of_its_calls(home: OrcaHome, are_on: str) -> None:
    home.orca("config", "set", "memory.actions.enabled", are_on)
    use = {"type": "tool_use", "content": [{"id": "c1", "name": "web_search", "input": {"query": "nginx"}}]}
    result = {"type": "tool_result", "status": "finished", "content": [{"id": "c1", "output": "3 results"}]}
    data = json.dumps({"session_content": [use, result, {"type": "tool_use", "content": "{"}]})

    ran = home.orca("action", "add", "TASK_STOP", "--session", "s", "--data", data, "--json")
    assert (ran.json["calls"]["taken"], ran.json["calls"]["known"]) == (1, 0)
    assert [each["place"] for each in ran.json["calls"]["refused"]] == [2]
    again = home.orca("action", "add", "TASK_STOP", "--session", "s", "--data", data, "--json").json
    assert (again["calls"]["taken"], again["calls"]["known"]) == (0, 1)
    assert "calls" not in liked(home, "--json").json
