"""kill -9 while episodes are forgotten, brought back and deleted: each is wholly what it is."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from fakes import endless_fading
from fakes.killing import killed

pytestmark = pytest.mark.long

KILLS = 4


def test_no_episode_is_half_forgotten(run, tmp_path: Path) -> None:
    chance = random.Random(5)
    said: list[str] = []
    for _ in range(KILLS):
        said += killed(endless_fading, tmp_path, chance, 0.3)
        assert run(endless_fading.look(tmp_path, said)) == {}
    assert len(said) > KILLS
