"""kill -9 while calls of tools are recorded and guides written of them: every call counts once, and teaches once."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from fakes import endless_guiding
from fakes.killing import killed

pytestmark = pytest.mark.long

KILLS = 3


def test_no_call_is_lost_and_no_guide_is_written_twice(run, tmp_path: Path) -> None:
    chance = random.Random(7)
    said: list[str] = []
    for _ in range(KILLS):
        said += killed(endless_guiding, tmp_path, chance, 0.5)
        assert run(endless_guiding.look(tmp_path, said)) == {}
    assert len(said) > KILLS
