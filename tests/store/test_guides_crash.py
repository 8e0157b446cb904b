"""kill -9 while calls of tools are recorded and guides written of them: every call counts once, and teaches once."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from fakes import endless_guiding
from fakes.killing import killed

from orca_core.clock import SystemClock
from orca_core.model.operations import Actor, OperationHeader
from orca_core.model.records import GUIDE

pytestmark = pytest.mark.long

KILLS = 3


def test_no_call_is_lost_and_no_guide_is_written_twice(run, tmp_path: Path) -> None:
    chance = random.Random(7)
    said: list[str] = []
    for _ in range(KILLS):
        said += killed(endless_guiding, tmp_path, chance, 0.5)
        assert run(endless_guiding.look(tmp_path, said)) == {}
    assert len(said) > KILLS


@pytest.mark.parametrize(
    ("said", "wrong"),
    [
        (["called x"], {"calls lost": 1}),
        (["written 9 1"], {"guides lost": 1}),
        (["written 1 3"], {"guides lost": 1}),
        (["called a", "called e", "written 1 2"], {}),
    ],
)
def test_the_look_notices_what_is_not_as_it_was_said(
    run, tmp_path: Path, said: list[str], wrong: dict[str, int]
) -> None:
    async def work() -> None:
        stores = await endless_guiding.opened(tmp_path)
        for names in ("abcd", "defgh"):
            await endless_guiding.call(stores, "Shell", *names)
            assert len(await endless_guiding.write(stores)) == 1
        await stores.housekeeping.aclose()

    run(work())
    assert run(endless_guiding.look(tmp_path, said)) == wrong


async def test_the_look_notices_a_guide_that_was_written_twice_of_the_same_calls(tmp_path: Path) -> None:
    stores = await endless_guiding.opened(tmp_path)
    await endless_guiding.call(stores, "Shell", *"abcd")
    [guide] = await endless_guiding.write(stores)
    header = OperationHeader(Actor.GUIDES, "write_guide", SystemClock().now())
    await stores.records[GUIDE].change(guide.id, {"text": "again", "version": 2}, header)
    await stores.housekeeping.aclose()

    assert await endless_guiding.look(tmp_path, []) == {"guides written twice of the same calls": 1}
