"""Every test of the commands has a home of its own."""

from __future__ import annotations

from pathlib import Path

import pytest
from fakes.terminal import OrcaHome


@pytest.fixture
def home(tmp_path: Path) -> OrcaHome:
    return OrcaHome(tmp_path / "home")


@pytest.fixture(autouse=True)
def the_demo_types_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """In this process; one of its own pauses before each word, as for a reader."""
    monkeypatch.setattr("orca_core.demo.model.PAUSE_S", 0.0)
