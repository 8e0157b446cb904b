"""kill -9 while acts are recorded, read, let speak and taken back: each speaks once, as long as it stands."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from fakes import endless_promoting
from fakes.killing import killed

pytestmark = pytest.mark.long

KILLS = 3


def test_no_act_is_lost_and_none_speaks_twice(run, tmp_path: Path) -> None:
    chance = random.Random(7)
    said: list[str] = []
    for _ in range(KILLS):
        said += killed(endless_promoting, tmp_path, chance, 0.8)
        assert run(endless_promoting.look(tmp_path, said)) == {}
    assert len(said) > KILLS
