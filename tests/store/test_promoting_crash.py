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


@pytest.mark.parametrize(
    ("said", "wrong"),
    [
        (["liked 99"], {"acts lost": 1}),
        (["cancelled 1"], {"taken back and standing": 1}),
        (["read 9 1"], {"readings lost": 1}),
        (["live 1", "live 2"], {"promotions lost": 1}),
        (["liked 1 2 3", "read 1 1 2 3", "live 1", "cancelling 4", "cancelled 4"], {}),
    ],
)
def test_the_look_notices_what_is_not_as_it_was_said(
    run, tmp_path: Path, said: list[str], wrong: dict[str, int]
) -> None:
    async def work() -> None:
        stores = await endless_promoting.opened(tmp_path)
        for number in (1, 2, 3):
            assert await endless_promoting.record(stores, "LIKE", "s", number) == number
        assert await endless_promoting.record(stores, "LIKE", "t", 1) == 4
        await endless_promoting.read(stores)
        assert [each.id for each in await endless_promoting.promote(stores)] == [1]
        await endless_promoting.record(stores, "CANCEL_LIKE", "t", 1)
        await stores.housekeeping.aclose()

    run(work())
    assert run(endless_promoting.look(tmp_path, said)) == wrong
