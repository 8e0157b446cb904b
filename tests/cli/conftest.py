"""Every test of the commands has a home of its own."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from fakes.terminal import MadeOnce, OrcaHome


@pytest.fixture
def home(tmp_path: Path) -> OrcaHome:
    return OrcaHome(tmp_path / "home")


@pytest.fixture(scope="session")
def homes_made() -> dict[Callable[[OrcaHome], None], OrcaHome]:
    return {}


@pytest.fixture
def made_once(
    home: OrcaHome,
    homes_made: dict[Callable[[OrcaHome], None], OrcaHome],
    tmp_path_factory: pytest.TempPathFactory,
) -> MadeOnce:
    """Where many tests begin in the same home, the commands that make it take longer than what they look at."""

    def copied(make: Callable[[OrcaHome], None]) -> OrcaHome:
        if make not in homes_made:
            first = OrcaHome(tmp_path_factory.mktemp("made") / "home")
            make(first)
            homes_made[make] = first
        shutil.copytree(homes_made[make].path, home.path)
        return home

    return copied


@pytest.fixture(autouse=True)
def the_demo_types_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """In this process; one of its own pauses before each word, as for a reader."""
    monkeypatch.setattr("orca_core.demo.demo_model.PAUSE_S", 0.0)
