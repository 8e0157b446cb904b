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


@pytest.mark.parametrize(
    ("said", "wrong"),
    [
        (["started 99"], {"tasks lost": 1}),
        (["step 1", "step 1"], {"steps lost": 1}),
        (["over 1 dropped"], {"ends lost": 1}),
        (["over 2 ended"], {"ends lost": 1}),
        (["started 1", "step 1", "over 1 ended"], {}),
    ],
)
def test_the_look_notices_what_is_lost(run, tmp_path: Path, said: list[str], wrong: dict[str, int]) -> None:
    async def work() -> None:
        stores = await endless_tasks.opened(tmp_path)
        tasks = endless_tasks.tasks_on(stores)
        await tasks.start("s", "mend the build")
        await tasks.add_step(1, "read the log")
        await tasks.complete(1)
        await tasks.start("s", "another")
        await stores.housekeeping.aclose()

    run(work())
    assert run(endless_tasks.look(tmp_path, said)) == wrong
