"""`orca task …`, end to end on a real database."""

from __future__ import annotations

import pytest
from fakes.terminal import MadeOnce, OrcaHome

HOSTILE = (
    "\x1b]52;c;ZXZpbA==\x1b\\ clip",
    "abc \u202egpj.exe",
    "zero\u200bwidth",
    "[@click=app.quit]x[/]",
    "\u009b2J c1",
)
UNSEEN = set("\x1b\x08\r\x7f\u009b\u202e\u200b")


def begin(home: OrcaHome) -> None:
    assert home.orca("task", "start", "the build is red", "--target", "ci", "--tag", "work").status == 0
    assert home.orca("task", "step", "read the log", "--tool", "cat", "--args", '{"path": "/x"}').status == 0


@pytest.fixture
def begun(made_once: MadeOnce) -> OrcaHome:
    return made_once(begin)


def test_a_task_is_worked_on_and_becomes_an_episode(begun: OrcaHome) -> None:
    assert begun.orca("task", "step", "1", "--status", "completed", "--result", "one\ntwo").status == 0
    task = begun.orca("task", "show", "--json").json
    assert (task["id"], task["status"], task["current_step"], task["tags"]) == ("w1", "in_progress", None, ["work"])
    [step] = task["steps"]
    assert (step["description"], step["tool"], step["args"]) == ("read the log", "cat", {"path": "/x"})
    assert (step["result"], step["status"]) == ("one\ntwo", "completed")

    [ended, episode] = begun.orca("task", "done", "partial", "half of it", "--json").json["changed"]
    assert (ended["status"], ended["outcome"], ended["outcome_summary"]) == ("completed", "partial", "half of it")
    assert (episode["id"], episode["outcome"]) == ("e1", "partial")
    assert begun.orca("task", "list", "--status", "in_progress", "--json").json == {"tasks": [], "total": 0}


def test_a_text_alone_is_the_summary_of_a_success(begun: OrcaHome) -> None:
    [ended, _episode] = begun.orca("task", "done", "green again", "--json").json["changed"]

    assert (ended["outcome"], ended["outcome_summary"]) == ("success", "green again")


def test_undo_opens_an_ended_task_again(begun: OrcaHome) -> None:
    assert begun.orca("task", "done").status == 0
    assert begun.orca("memory", "undo").status == 0
    assert begun.orca("task", "show", "--json").json["status"] == "in_progress"
    assert begun.orca("memory", "redo").status == 0
    assert begun.orca("task", "show", "w1", "--json").json["status"] == "completed"


def test_several_are_named_at_once_by_number_or_name(begun: OrcaHome) -> None:
    assert begun.orca("task", "start", "another", "--trigger", "alert", "--session", "s2").status == 0
    both = begun.orca("task", "show", "1", "w2", "--json").json
    assert [task["id"] for task in both["tasks"]] == ["w1", "w2"]

    dropped = begun.orca("task", "drop", "w2", "1", "--json").json
    assert [(task["id"], task["status"]) for task in dropped["changed"]] == [("w2", "dropped"), ("w1", "dropped")]
    assert dropped["operation"] == dropped["operations"][-1]
    assert len(dropped["operations"]) == 2


def test_none_is_ended_where_one_of_them_is_over(begun: OrcaHome) -> None:
    begun.orca("task", "start", "another")
    begun.orca("task", "drop", "2")

    refused = begun.orca("task", "done", "--task", "1", "--task", "2")

    assert refused.status == 2
    assert "task 2 is dropped already" in refused.stderr
    assert begun.orca("task", "show", "1", "--json").json["status"] == "in_progress"


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


def test_a_completed_step_stays_so(begun: OrcaHome) -> None:
    assert begun.orca("task", "step", "1", "--status", "completed").status == 0
    refused = begun.orca("task", "step", "1", "--status", "pending")

    assert refused.status == 2
    assert "completed" in refused.stderr


@pytest.mark.parametrize("text", HOSTILE)
def test_no_text_reaches_the_terminal_unclean(home: OrcaHome, text: str) -> None:
    assert home.orca("task", "start", text, "--target", text, "--summary", text, "--tag", text).status == 0
    assert home.orca("task", "step", text, "--tool", text, "--result", text).status == 0
    for arguments in (["list"], ["show"], ["done", "success", text], ["show", "1"]):
        shown = home.orca("task", *arguments)
        assert shown.status == 0
        assert not UNSEEN & set((shown.stdout + shown.stderr).replace("\n", ""))
    assert home.orca("task", "show", "1", "--json").json["outcome"] == "success"


def test_a_list_says_where_nothing_is(home: OrcaHome) -> None:
    listed = home.orca("task", "list")

    assert (listed.status, listed.stdout) == (0, "")
    assert "orca task start" in listed.stderr


def test_a_deleted_task_is_gone_and_its_episode_stays(begun: OrcaHome) -> None:
    begun.orca("task", "done")
    unasked = begun.orca("task", "delete", "1")
    assert (unasked.status, "--yes" in unasked.stderr) == (2, True)

    assert begun.orca("task", "delete", "w1", "1", "--yes").status == 0

    assert begun.orca("task", "list", "--json").json["total"] == 0
    assert begun.orca("task", "show", "1").status == 2
    assert begun.orca("memory", "undo", "4").status == 2
