"""Every test of the commands has a home of its own."""

from __future__ import annotations

from pathlib import Path

import pytest
from fakes.terminal import OrcaHome


@pytest.fixture
def home(tmp_path: Path) -> OrcaHome:
    return OrcaHome(tmp_path / "home")
