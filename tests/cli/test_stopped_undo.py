"""Ctrl+C in the middle of an undo, a redo or an import, wherever it comes: what stands of it is said."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any, TypeVar

import pytest
from fakes.slices import ENDED, CutError, cut_before, now_carried_on_by, slices_of
from fakes.terminal import MadeOnce, OrcaHome, Ran

from orca_core import open as opening
from orca_tui.cli import undo
from orca_tui.cli.runtime import OpenOrca

pytestmark = pytest.mark.long

T = TypeVar("T")
LINES = "\n".join(f"Uses tool number {number}" for number in range(8))
run = OpenOrca.run


def interrupted(*_given: object, **_named: object) -> Any:
    raise KeyboardInterrupt


def run_until_cut(orca: OpenOrca, work: Awaitable[T], cut: Callable[[], None] | None = None) -> T:
    try:
        return run(orca, work, cut)
    except CutError:
        raise KeyboardInterrupt from None


def bring(home: OrcaHome) -> None:
    home.orca("memory", "import", "--trust", stdin=LINES)


@pytest.fixture
def brought(made_once: MadeOnce) -> OrcaHome:
    return made_once(bring)


def stopped(ran: Ran) -> str:
    assert ran.status == 130
    [told] = [ran.json["error"]]
    assert (told["kind"], ran.stderr) == ("stopped", f"orca: {told['message']}\n")
    return str(told["message"])


def live(home: OrcaHome) -> int:
    return int(home.orca("memory", "list", "--json").json["total"])


@pytest.mark.parametrize("command", [("undo",), ("redo",), ("import", "-")])
def test_before_anything_is_done_nothing_was(
    brought: OrcaHome, monkeypatch: pytest.MonkeyPatch, command: tuple[str, ...]
) -> None:
    with monkeypatch.context() as patched:
        patched.setattr(opening, "open_orca", interrupted)
        said = stopped(brought.orca("memory", *command, "--json"))

    assert said == f"stopped: nothing was {'brought in' if 'import' in command else 'taken back'}"
    assert live(brought) == 8


@pytest.mark.parametrize(("command", "other"), [("undo", "redo"), ("redo", "undo")])
def test_one_that_is_under_way_says_how_far_and_what_turns_it_round(
    brought: OrcaHome, monkeypatch: pytest.MonkeyPatch, command: str, other: str
) -> None:
    if command == "redo":
        brought.orca("memory", "undo")
    before = live(brought)
    with monkeypatch.context() as patched, slices_of(2), cut_before(3):
        patched.setattr(OpenOrca, "run", run_until_cut)
        said = stopped(brought.orca("memory", command, "--json"))

    number = 2 if command == "undo" else 3
    way = f"orca memory {other} {number}"
    assert said == f"stopped at 12 %: [{number}] goes on in the app or by orca upkeep; {way} turns it round"
    assert 0 < live(brought) < 8
    assert brought.orca(*way.split()[1:]).status == 0
    assert live(brought) == before


def test_one_that_was_done_by_then_says_so(brought: OrcaHome, monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as patched:
        patched.setattr(undo, "records_json", interrupted)
        said = stopped(brought.orca("memory", "undo", "--json"))

    assert said == "stopped, but all was taken back: orca memory redo 2 turns [2] round"
    assert live(brought) == 0


@pytest.fixture
def half_undone(brought: OrcaHome, monkeypatch: pytest.MonkeyPatch) -> OrcaHome:
    """The import was taken back by a command that was killed at 12 %."""
    with monkeypatch.context() as patched, slices_of(2), cut_before(3):
        patched.setattr(OpenOrca, "run", run_until_cut)
        brought.orca("memory", "undo", "--json")
    now_carried_on_by(brought.path, ENDED)
    return brought


@pytest.mark.parametrize("as_json", [True, False])
def test_what_was_half_done_is_said_to_be_finished(half_undone: OrcaHome, as_json: bool) -> None:
    ran = half_undone.orca("memory", "undo", *(["--json"] if as_json else []))

    assert ran.status == 0
    assert live(half_undone) == 0
    if as_json:
        assert [each["id"] for each in ran.json["finished"]] == [ran.json["operation"]] == [2]
    else:
        assert ran.stdout.startswith("[2] was half done: it is finished now, and nothing else was taken back\n")


def test_lists_and_the_doctor_say_what_waits(half_undone: OrcaHome) -> None:
    said = "[2] is half done (12 %): orca memory undo finishes it"
    for command in (("memory", "list"), ("memory", "list", "--json"), ("episode", "list")):
        ran = half_undone.orca(*command)
        assert (ran.status, said in ran.stderr) == (0, True), command

    [check] = [each for each in half_undone.orca("doctor", "--json").json["checks"] if each["name"] == "undo"]
    assert (check["state"], check["detail"]) == ("warn", "[2] is half done (12 %), and waits")
    assert check["fix"].startswith("orca memory undo finishes it")

    half_undone.orca("memory", "undo")
    assert "half done" not in half_undone.orca("memory", "list").stderr


def test_one_that_was_finished_by_then_says_so(half_undone: OrcaHome, monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as patched:
        patched.setattr(undo, "records_json", interrupted)
        said = stopped(half_undone.orca("memory", "undo", "--json"))

    assert said == "stopped, but all was taken back: orca memory redo 2 turns [2] round"
    assert live(half_undone) == 0
