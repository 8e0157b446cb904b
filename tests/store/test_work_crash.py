"""kill -9 while tasks are worked on: what was acknowledged is there, once, and no end without its episode."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from fakes import endless_tasks
from fakes.killing import killed

pytestmark = pytest.mark.long

KILLS = 5


def test_no_end_of_a_task_is_lost_or_doubled(run, tmp_path: Path) -> None:
    chance = random.Random(5)
    said: list[str] = []
    for _ in range(KILLS):
        said += killed(endless_tasks, tmp_path, chance, 0.15)
        assert run(endless_tasks.look(tmp_path, said)) == {}
    assert len(said) > KILLS
