"""`orca episode …`: what was done, listed, found, changed, deleted."""

from __future__ import annotations

import pytest
from fakes.terminal import MadeOnce, OrcaHome


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


def test_they_are_listed_shown_and_found(worked: OrcaHome) -> None:
    listed = worked.orca("episode", "list", "--json").json
    assert [(each["id"], each["outcome"]) for each in listed["episodes"]] == [("e2", "failed"), ("e1", "success")]
    assert worked.orca("episode", "list", "--target", "nas", "--json").json["total"] == 1
    found = worked.orca("episode", "search", "502 from nginx", "--json").json
    assert [each["id"] for each in found["episodes"]] == ["e1"]
    assert {"score", "parts", "importance", "forecast"} <= found["episodes"][0].keys()
    shown = worked.orca("episode", "show", "e1", "--json").json
    assert (shown["id"], shown["target"], shown["steps"]) == ("e1", "nginx", ["raised the keepalive timeout"])
    assert "it works now" in worked.orca("episode", "show", "1").stdout
    assert "nginx answers 502" in worked.orca("episode", "list").stdout


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


def test_a_delete_is_for_good(worked: OrcaHome) -> None:
    assert worked.orca("episode", "delete", "e2").status == 2
    assert "deleted  e2" in worked.orca("episode", "delete", "e2", "--yes").stdout
    assert worked.orca("episode", "show", "e2").status == 2


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("accept", "e1"), "episode e1 is active, it can not be accepted"),
        (("show", "k1"), "names no episode"),
        (("list", "--status", "splendid"), "no such status"),
        (("edit", "e1"), "nothing to change"),
        (("edit", "e1", "--outcome", "splendid"), "no such outcome"),
    ],
)
def test_a_wrong_use_says_why(worked: OrcaHome, arguments: tuple[str, ...], words: str) -> None:
    ran = worked.orca("episode", *arguments)

    assert ran.status == 2
    assert words in ran.stderr


def test_a_chat_that_ended_is_read_by_the_demo(home: OrcaHome) -> None:
    home.orca("chat", "nginx fails with 502 since the deploy", "--session", "s")
    home.orca("chat", "I raised the timeout and restarted nginx. it works now", "--session", "s")
    ran = home.orca("extract")

    assert "1 episode noted" in ran.stdout
    [episode] = home.orca("episode", "list", "--json").json["episodes"]
    assert (episode["target"], episode["outcome"], episode["origin"]["quote"]) == ("nginx", "success", "it works now")


@pytest.mark.parametrize(
    ("sort", "ids"),
    [("new", ["e2", "e1"]), ("old", ["e1", "e2"]), ("importance", ["e1", "e2"]), ("target", ["e2", "e1"])],
)
def test_a_list_is_sorted_by_a_word(worked: OrcaHome, sort: str, ids: list[str]) -> None:
    listed = worked.orca("episode", "list", "--sort", sort, "--json").json["episodes"]
    page = worked.orca("episode", "list", "--sort", sort, "--limit", "1", "--offset", "1", "--json").json

    assert [each["id"] for each in listed] == ids
    assert ([each["id"] for each in page["episodes"]], page["total"]) == (ids[1:], 2)


def test_an_order_that_is_none_is_wrong_use(worked: OrcaHome) -> None:
    assert worked.orca("episode", "list", "--sort", "confidence").status == 2
    assert worked.orca("knowledge", "list", "--sort", "confidence").status == 0
