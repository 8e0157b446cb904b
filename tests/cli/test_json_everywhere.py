"""`--json` where a command is taken back, breaks, or is none; tests/golden has the answers of every command."""

from __future__ import annotations

import json
import shlex
import shutil
from typing import Any

import pytest
from fakes.terminal import OrcaHome, Ran

WORKED = (
    "task start 'nginx answers 502' --target nginx --session s",
    "task step 'raised the timeout' --task 1",
    "task done success 'works now' --task 1",
    "task start 'renew the certificate' --target nginx --session s",
)


def carried_out(home: OrcaHome, line: str, *more: str) -> Ran:
    return home.orca(*shlex.split(line), *more)


def document(ran: Ran) -> Any:
    """The one document on stdout; there is nothing else."""
    assert ran.stdout.count("\n") == 1, ran
    return json.loads(ran.stdout)


@pytest.fixture(scope="module")
def worked(tmp_path_factory: pytest.TempPathFactory) -> OrcaHome:
    home = OrcaHome(tmp_path_factory.mktemp("worked") / "home")
    for line in WORKED:
        assert carried_out(home, line).status == 0, line
    return home


@pytest.fixture
def copied(worked: OrcaHome, home: OrcaHome) -> OrcaHome:
    """The home that was worked in, for one test."""
    shutil.copytree(worked.path, home.path)
    return home


def test_what_json_names_can_be_taken_back(copied: OrcaHome) -> None:
    changed = carried_out(copied, "task done success ok --task 2", "--json").json

    undone = carried_out(copied, f"memory undo {changed['operation']}", "--json").json

    assert undone["undid"]["id"] == changed["operation"]
    assert [(each["id"], each["status"]) for each in undone["changed"]] == [("w2", "in_progress"), ("e2", "archived")]


def test_what_an_undo_leaves_alone_is_refused_by_name(copied: OrcaHome) -> None:
    first = carried_out(copied, "episode edit e1 --tag web", "--json").json
    carried_out(copied, "episode edit e1 --tag net")

    undone = carried_out(copied, f"memory undo {first['operation']}", "--json").json

    assert {"id": "e1", "field": "tags", "reason": "changed_later"} in undone["refused"]


def test_an_undone_step_is_told_as_its_task(copied: OrcaHome) -> None:
    carried_out(copied, "task step looked --task 2")

    [task] = carried_out(copied, "memory undo", "--json").json["changed"]

    assert (task["id"], task["steps"]) == ("w2", [])
    assert "#w2" in carried_out(copied, "memory redo").stdout


def test_a_failure_that_should_not_be_is_a_document(home: OrcaHome, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_given: object) -> object:
        raise RuntimeError

    monkeypatch.setattr("orca_core.open.open_orca", broken)

    ran = home.orca("memory", "list", "--json")

    assert ran.status == 1
    assert document(ran)["error"]["kind"] == "mistake"


def test_a_question_that_is_none_is_an_event(home: OrcaHome) -> None:
    ran = home.orca("chat", "hello", "--session", "../x", "--json")

    assert ran.status == 2
    assert document(ran)["event"] == "error"
