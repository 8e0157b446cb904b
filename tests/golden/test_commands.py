"""`--json` of every command, and every help, as they were: `pytest tests/golden --golden-update` freezes them anew."""

from __future__ import annotations

import shlex
from collections import defaultdict
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest
from fakes.clocks import StillClock
from fakes.commands import COMMANDS, GROUPS
from fakes.model_server import ModelServer
from fakes.terminal import OrcaHome
from golden.conftest import Compare
from golden.story import ANSWERS, STORY, write_files
from golden.transcript import laid_out, shown

from orca_core.jobs.worker import Worker
from orca_tui.cli.root import orca

BEGAN = datetime(2026, 11, 20, 9, 0, tzinfo=UTC)
WITHOUT_JSON = {
    "completion": "prints a script for a shell",
    "demo": "opens the app",
}


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> StillClock:
    """The time of every Orca and every command."""
    still = StillClock(BEGAN)
    monkeypatch.setattr("orca_core.clock.SystemClock.now", lambda _: still.now())
    monkeypatch.setattr("orca_core.clock.SystemClock.monotonic", lambda _: still.monotonic())
    monkeypatch.setattr("orca_core.demo.demo_model.PAUSE_S", 0.0)
    return still


@pytest.fixture
def patience(monkeypatch: pytest.MonkeyPatch) -> None:
    """An Orca that is closed ends first what it has begun in the background, however slow the machine is."""
    close = Worker.aclose

    async def closed(worker: Worker) -> None:
        await worker.drain()
        await close(worker)

    monkeypatch.setattr(Worker, "aclose", closed)


@pytest.fixture
def model() -> Iterator[ModelServer]:
    with ModelServer() as server:
        server.will(*ANSWERS)
        yield server


@pytest.mark.usefixtures("patience")
def test_every_command_answers_as_it_did(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, clock: StillClock, model: ModelServer, compare: Compare
) -> None:
    monkeypatch.chdir(tmp_path)
    write_files(tmp_path, model.base_url)
    home = OrcaHome(tmp_path / "home")
    places = {str(home.path): "HOME", str(tmp_path): "HERE"}
    answers: dict[str, str] = defaultdict(str)

    for line in STORY.split("\n"):
        if line.startswith("then "):
            number, unit = line.removeprefix("then ").split()
            clock.advance(float(number) * {"h": 3600.0, "d": 86400.0}[unit])
        elif line:
            command, _, piped = line.partition(" < ")
            ran = home.orca(*shlex.split(command), "--json", stdin=(tmp_path / piped).read_text() if piped else "")
            clock.advance(1.0)
            said = "".join(f"! {each}\n" for each in shown(ran.stderr, places).splitlines())
            answers[called(command)] += f"$ orca {line}\n{laid_out(shown(ran.stdout, places))}{said}[{ran.status}]\n\n"

    differs = compare("commands", {f"{name.replace(' ', '-')}.txt": text for name, text in answers.items()})
    assert not differs, differs
    assert COMMANDS.keys() - answers.keys() == WITHOUT_JSON.keys()


@pytest.mark.parametrize("name", sorted(COMMANDS.keys() - WITHOUT_JSON.keys() - {"chat"}))
def test_every_command_takes_json(name: str) -> None:
    assert [each.opts for each in COMMANDS[name].params if each.name == "as_json"] == [["--json"]]


@pytest.mark.parametrize(("language", "lang"), [("en", "C.UTF-8"), ("zh", "zh_CN.UTF-8")])
def test_every_command_is_explained_as_it_was(tmp_path: Path, compare: Compare, language: str, lang: str) -> None:
    home = OrcaHome(tmp_path / "home")
    for each in (orca, *GROUPS.values(), *COMMANDS.values()):
        each._help_option = None  # Click keeps its own, in the language that was spoken first
    texts = {
        name: home.orca(*name.split(), "--help", LANG=lang, COLUMNS="80").stdout for name in ("", *GROUPS, *COMMANDS)
    }

    differs = compare(
        f"help-{language}", {f"{name.replace(' ', '-') or 'orca'}.txt": text for name, text in texts.items()}
    )
    assert not differs, differs


def called(line: str) -> str:
    """The command that a line calls: the longest name that it begins with."""
    words = line.split()
    names = [" ".join(words[:length]) for length in (3, 2, 1)]
    return next(name for name in names if name in COMMANDS or name in GROUPS)
