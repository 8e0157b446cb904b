"""kill -9 while episodes are forgotten, brought back and deleted: each is wholly what it is."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from fakes import endless_fading
from fakes.killing import killed

from orca_core.model.records import EPISODE
from orca_core.rules.memory import undo_rules

pytestmark = pytest.mark.long

KILLS = 4


def test_no_episode_is_half_forgotten(run, tmp_path: Path) -> None:
    chance = random.Random(5)
    said: list[str] = []
    for _ in range(KILLS):
        said += killed(endless_fading, tmp_path, chance, 0.3)
        assert run(endless_fading.look(tmp_path, said)) == {}
    assert len(said) > KILLS


@pytest.mark.parametrize(
    ("said", "wrong"),
    [
        (["made 99"], {"episodes lost": 1}),
        (["deleted 1"], {"deleted and there": 1}),
        (["faded 9 2"], {"forgotten and live": 1, "not in the operation of their run": 1}),
        (["returned 1"], {"brought back and away": 1}),
        (["made 1 2", "faded 2 1", "returning 2", "returned 2"], {}),
    ],
)
def test_the_look_notices_what_is_not_as_it_was_said(
    run, tmp_path: Path, said: list[str], wrong: dict[str, int]
) -> None:
    async def work() -> None:
        stores = await endless_fading.opened(tmp_path)
        assert await endless_fading.made(stores, 1) == [1]
        await endless_fading.fading_on(stores).run()
        assert await endless_fading.made(stores, 1) == [2]
        faded = await endless_fading.fading_on(stores).run()
        await stores.history.undo(faded.operation, endless_fading.NOW, undo_rules.plan)
        await stores.housekeeping.aclose()

    run(work())
    assert run(endless_fading.look(tmp_path, said)) == wrong


async def test_the_look_notices_what_is_archived_by_no_operation(tmp_path: Path) -> None:
    stores = await endless_fading.opened(tmp_path)
    await endless_fading.made(stores, 1)
    away = {"state": "archived", "archived_because": "hand"}
    header = endless_fading.OperationHeader(endless_fading.Actor.USER, "archive", endless_fading.NOW)
    await stores.records[EPISODE].change(1, away, header)
    await stores.housekeeping.aclose()

    assert await endless_fading.look(tmp_path, []) == {"half forgotten": 1}
