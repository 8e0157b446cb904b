"""`orca task edit`: all steps at once, from an editor or from stdin."""

from __future__ import annotations

import pytest
from fakes.terminal import MadeOnce, OrcaHome


def begin(home: OrcaHome) -> None:
    assert home.orca("task", "start", "the build is red", "--session", "s").status == 0
    for step in ("read the log", "restart it", "tell the others"):
        assert home.orca("task", "step", step).status == 0
    assert home.orca("task", "step", "1", "--status", "completed").status == 0


@pytest.fixture
def begun(made_once: MadeOnce) -> OrcaHome:
    return made_once(begin)


def steps(home: OrcaHome) -> list[tuple[int, str, str]]:
    shown = home.orca("task", "show", "w1", "--json").json["steps"]
    return [(number, each["description"], each["status"]) for number, each in enumerate(shown, 1)]


def test_lines_from_stdin_become_the_steps_and_undo_brings_the_others_back(begun: OrcaHome) -> None:
    before = steps(begun)
    text = "read the log\n# a note\nwrite a test\n[x] restart it\n"
    ran = begun.orca("task", "edit", "w1", "--steps", "-", stdin=text)
    assert (ran.status, ran.stdout.splitlines()[0]) == (0, "changed  w1  the build is red")
    assert "4 write a test" in ran.stdout
    assert [each[1:] for each in steps(begun)] == [
        ("read the log", "completed"),
        ("write a test", "pending"),
        ("restart it", "completed"),
    ]
    [act] = begun.orca("action", "list", "--json").json["actions"]
    assert (act["type"], act["task_id"]) == ("EDIT_ROADMAP", "w1")
    assert act["data"]["current"] == "read the log\nwrite a test\nrestart it"

    assert begun.orca("memory", "undo").status == 0
    assert steps(begun) == before
    assert begun.orca("action", "list", "--json").json["actions"] == []


def test_json_has_the_task_and_what_takes_it_back(begun: OrcaHome) -> None:
    told = begun.orca("task", "edit", "--steps", "read the log\nrestart it now", "--json").json
    [task] = told["changed"]
    assert [step["description"] for step in task["steps"]] == ["read the log", "restart it now"]
    assert isinstance(told["operation"], int)
    again = begun.orca("task", "edit", "--steps", "read the log\nrestart it now", "--json").json
    assert again["operation"] is None


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("restart it", "step 1 has ended"),
        ("new\nread the log", "step 1 has ended"),
        ("1. [?] read the log", "no step stands like this"),
        ("1. [x] read the log\n9. [ ] other", "no step 9"),
        ("read the log\n" + "x" * 3000, "3000 characters"),
        ("read the log\n" + "x\n" * 501, "500"),
    ],
)
def test_what_can_not_be_is_refused_in_a_line_and_changes_nothing(begun: OrcaHome, text: str, why: str) -> None:
    before = steps(begun)
    refused = begun.orca("task", "edit", "w1", "--steps", text)
    assert (refused.status, len(refused.stderr.splitlines())) == (2, 1)
    assert why in refused.stderr
    assert steps(begun) == before


def test_the_editor_shows_the_steps_and_without_a_terminal_it_says_so(begun: OrcaHome) -> None:
    refused = begun.orca("task", "edit")
    assert (refused.status, "--steps -" in refused.stderr) == (2, True)
    with begun.at_a_terminal("task", "edit", VISUAL="", EDITOR="sed -i s/restart/start/") as typist:
        assert typist.end() == 0
    assert [each[1] for each in steps(begun)] == ["read the log", "start it", "tell the others"]
