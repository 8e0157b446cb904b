"""`--json`: every command has it, prints one document on stdout, and one where it is refused."""

from __future__ import annotations

import json
import shlex
import shutil
from collections.abc import Iterator
from typing import Any

import click
import pytest
from fakes.terminal import OrcaHome, Ran

from orca_tui.cli.commands import Command, LazyGroup
from orca_tui.cli.root import orca

OUTCOME = {"operation", "operations", "changed", "refused"}

PRINT_NO_RECORDS = {
    "chat": "prints events, one a line",
    "completion": "prints a script for a shell",
    "demo": "opens the app",
}


def commands(group: LazyGroup = orca, path: tuple[str, ...] = ()) -> Iterator[tuple[str, Command]]:  # type: ignore[assignment]
    context = click.Context(group)
    for name in group.list_commands(context):
        found = group.get_command(context, name)
        if isinstance(found, LazyGroup):
            yield from commands(found, (*path, name))
        else:
            assert isinstance(found, Command)
            yield " ".join((*path, name)), found


COMMANDS = dict(commands())

WORKED = (
    "task start 'nginx answers 502' --target nginx --session s",
    "task step 'raised the timeout' --task 1",
    "task done success 'works now' --task 1",
    "task start 'move the photos' --target nginx --session s",
    "task done failed 'disk full' --task 2",
    "task start 'renew the certificate' --target nginx --session s",
    "memory add 'I use neovim'",
    "memory add 'Answer in short sentences'",
    "tool record --tool web_search --input nginx --output '3 results' --session s --call c0",
    "tool write web_search",
)

CHANGES: tuple[tuple[str, tuple[str, ...], list[int | str]], ...] = (
    ("memory add 'I live in Oslo'", (), [3]),
    ("memory edit 1 --tag editor", (), [1]),
    ("memory pin 1 2", (), [1, 2]),
    ("memory unpin 1", ("memory pin 1",), [1]),
    ("memory archive 1", (), [1]),
    ("memory restore 1", ("memory archive 1",), [1]),
    ("memory never 1", (), [1]),
    ("memory merge 1 2", (), [1, 2]),
    ("memory delete 1 --yes", (), [1]),
    ("memory undo", ("episode pin e1",), ["e1"]),
    ("memory redo", ("episode pin e1", "memory undo"), ["e1"]),
    ("memory reindex", (), []),
    ("memory clean", (), []),
    ("memory clean", ("memory edit 1 --weight 0.1",), [1]),
    ("episode pin e1 e2", (), ["e1", "e2"]),
    ("episode unpin e1", ("episode pin e1",), ["e1"]),
    ("episode unpin e1", (), []),
    ("episode archive e1", (), ["e1"]),
    ("episode restore e1", ("episode archive e1",), ["e1"]),
    ("episode edit e1 --tag web", (), ["e1"]),
    ("episode delete e1 --yes", (), ["e1"]),
    ("episode fade", (), []),
    ("episode target rename nginx web", (), ["e1", "e2", "w1", "w2", "w3"]),
    ("consolidate --target nginx", (), ["k1", "e1", "e2"]),
    ("knowledge pin k1", ("consolidate --target nginx",), ["k1"]),
    ("knowledge unpin k1", ("consolidate --target nginx", "knowledge pin k1"), ["k1"]),
    ("knowledge archive k1", ("consolidate --target nginx",), ["k1"]),
    ("knowledge restore k1", ("consolidate --target nginx", "knowledge archive k1"), ["k1"]),
    ("knowledge edit k1 --topic pools", ("consolidate --target nginx",), ["k1"]),
    ("knowledge delete k1 --yes", ("consolidate --target nginx",), ["k1"]),
    ("task start 'one more' --session s", (), ["w4"]),
    ("task step 'looked' --task 3", (), ["w3"]),
    ("task done success ok --task 3", (), ["w3", "e3"]),
    ("task drop 3", (), ["w3"]),
    ("task delete 3 --yes", (), ["w3"]),
    ("session rename s 'another title'", ("chat hello --session s",), ["s"]),
    ("session delete s --yes", ("chat hello --session s",), ["s"]),
    ("extract", (), []),
    ("action add LIKE --session s --round 1", (), ["a1"]),
    ("action add CANCEL_LIKE --session s --round 1", ("action add LIKE --session s --round 1",), ["a2", "a1"]),
    ("memory undo", ("action add LIKE --session s --round 1",), ["a1"]),
    ("tool record --tool shell --output ok", (), []),
    ("tool write web_search", ("tool record --tool web_search --output ok",), ["g1"]),
    ("tool edit g1 --text 'Keep it short.'", (), ["g1"]),
    ("tool pin g1", (), ["g1"]),
    ("tool unpin g1", ("tool pin g1",), ["g1"]),
    ("tool archive g1", (), ["g1"]),
    ("tool restore g1", ("tool archive g1",), ["g1"]),
    ("tool delete web_search --yes", (), ["g1"]),
    ("memory undo", ("tool pin g1",), ["g1"]),
)

REFUSED: tuple[tuple[str, str, int], ...] = (
    ("memory add ''", "invalid", 2),
    ("memory show 99", "not_found", 2),
    ("memory edit 1", "invalid", 2),
    ("memory pin 99", "not_found", 2),
    ("memory pin seven", "invalid", 2),
    ("memory accept 1", "invalid", 2),
    ("memory reject 99", "not_found", 2),
    ("memory never 99", "not_found", 2),
    ("memory merge 1 99", "not_found", 2),
    ("memory delete 1", "invalid", 2),
    ("memory undo 999", "not_found", 2),
    ("memory redo", "not_found", 2),
    ("memory duplicates --keep 1 99", "not_found", 2),
    ("memory list --status splendid", "invalid", 2),
    ("memory pin", "invalid", 2),
    ("episode pin e9", "not_found", 2),
    ("episode pin k1", "invalid", 2),
    ("episode accept e1", "invalid", 2),
    ("episode reject e9", "not_found", 2),
    ("episode edit e1 --outcome splendid", "invalid", 2),
    ("episode delete e1", "invalid", 2),
    ("episode show e9", "not_found", 2),
    ("episode history e9", "not_found", 2),
    ("memory why 99", "not_found", 2),
    ("knowledge why k9", "not_found", 2),
    ("episode target rename nothing web", "invalid", 2),
    ("knowledge accept k9", "not_found", 2),
    ("knowledge delete k9 --yes", "not_found", 2),
    ("task start ''", "invalid", 2),
    ("task step 9 --status completed --task 3", "not_found", 2),
    ("task done splendid ok --task 3", "invalid", 2),
    ("task drop 1", "invalid", 2),
    ("task delete 99 --yes", "not_found", 2),
    ("task show w9", "not_found", 2),
    ("session show nosuch", "not_found", 2),
    ("session rename nosuch x", "not_found", 2),
    ("session rename s ' '", "invalid", 2),
    ("session delete s", "invalid", 2),
    ("session delete s nosuch --yes", "not_found", 2),
    ("session export nosuch", "not_found", 2),
    ("session export s --format markdown", "invalid", 2),
    ("search '*'", "invalid", 2),
    ("search x --session nosuch", "not_found", 2),
    ("context x --session nosuch", "not_found", 2),
    ("extract --session nosuch", "not_found", 2),
    ("why 9", "not_found", 2),
    ("consolidate --frobnicate", "invalid", 2),
    ("action add LOVE --session s", "invalid", 2),
    ("action add LIKE --session s", "invalid", 2),
    ("action show a9", "not_found", 2),
    ("action show e1", "invalid", 2),
    ("tool record", "invalid", 2),
    ("tool record --tool x --file y", "invalid", 2),
    ("tool show shell", "not_found", 2),
    ("tool write shell", "not_found", 2),
    ("tool pin g9", "not_found", 2),
    ("tool pin k1", "invalid", 2),
    ("tool accept g1", "invalid", 2),
    ("tool reject g9", "not_found", 2),
    ("tool delete web_search", "invalid", 2),
    ("tool delete shell --yes", "not_found", 2),
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


@pytest.mark.parametrize("name", sorted(COMMANDS.keys() - PRINT_NO_RECORDS.keys()))
def test_every_command_takes_it(name: str) -> None:
    assert [each.opts for each in COMMANDS[name].params if each.name == "as_json"] == [["--json"]]


@pytest.mark.parametrize(("line", "before", "ids"), CHANGES, ids=[each[0] for each in CHANGES])
def test_a_change_is_one_document(copied: OrcaHome, line: str, before: tuple[str, ...], ids: list[int | str]) -> None:
    for each in before:
        assert carried_out(copied, each).status == 0, each

    ran = carried_out(copied, line, "--json")

    told = document(ran)
    assert ran.status == 0, ran
    assert told.keys() >= OUTCOME
    assert [each["id"] for each in told["changed"]] == ids
    assert (told["operation"] is None) == (not told["operations"])
    shown = {key for each in told["changed"] for key in each}
    assert {"status", "state"} & shown or "rounds" in shown or not ids  # a chat has its rounds, and no state


@pytest.mark.parametrize(("line", "kind", "status"), REFUSED, ids=[each[0] for each in REFUSED])
def test_a_refusal_is_one_document_too(worked: OrcaHome, line: str, kind: str, status: int) -> None:
    ran = carried_out(worked, line, "--json")

    told = document(ran)
    assert ran.status == status
    assert list(told) == ["error"]
    assert list(told["error"]) == ["kind", "message", "hint"]
    assert told["error"]["kind"] == kind
    assert told["error"]["message"] in ran.stderr


@pytest.mark.parametrize(
    "line",
    [
        "memory list", "memory search neovim", "memory show 1", "memory history 1", "memory inbox", "memory stats",
        "memory duplicates", "episode list", "episode search 502", "episode show e1 e2", "episode history e1",
        "episode target list", "memory why 1", "episode why e1", "knowledge list", "knowledge search x", "task list", "task show 1", "action list", "session list",
        "tool list", "tool show web_search", "tool history g1",
        "activity", "stats", "context nginx", "config path", "config check", "doctor", "models",
    ],
)  # fmt: skip
def test_a_look_is_one_document(worked: OrcaHome, line: str) -> None:
    ran = carried_out(worked, line, "--json")

    assert "error" not in document(ran)
    assert ran.status == 0


def test_what_json_names_can_be_taken_back(copied: OrcaHome) -> None:
    changed = carried_out(copied, "task done success ok --task 3", "--json").json

    undone = carried_out(copied, f"memory undo {changed['operation']}", "--json").json

    assert undone["undid"]["id"] == changed["operation"]
    assert [(each["id"], each["status"]) for each in undone["changed"]] == [("w3", "in_progress"), ("e3", "archived")]


def test_what_an_undo_leaves_alone_is_refused_by_name(copied: OrcaHome) -> None:
    first = carried_out(copied, "episode edit e1 --tag web", "--json").json
    carried_out(copied, "episode edit e1 --tag net")

    undone = carried_out(copied, f"memory undo {first['operation']}", "--json").json

    assert {"id": "e1", "field": "tags", "reason": "changed_later"} in undone["refused"]


def test_an_undone_step_is_told_as_its_task(copied: OrcaHome) -> None:
    carried_out(copied, "task step looked --task 3")

    [task] = carried_out(copied, "memory undo", "--json").json["changed"]

    assert (task["id"], task["steps"]) == ("w3", [])
    assert "#w3" in carried_out(copied, "memory redo").stdout


def test_a_failure_that_should_not_be_is_a_document(home: OrcaHome, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_given: object) -> object:
        raise RuntimeError

    monkeypatch.setattr("orca_tui.cli.runtime.core.open_orca", broken)

    ran = home.orca("memory", "list", "--json")

    assert ran.status == 1
    assert document(ran)["error"]["kind"] == "mistake"


def test_a_question_that_is_none_is_an_event(home: OrcaHome) -> None:
    ran = home.orca("chat", "hello", "--session", "../x", "--json")

    assert ran.status == 2
    assert document(ran)["event"] == "error"
