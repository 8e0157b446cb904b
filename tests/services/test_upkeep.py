"""Upkeep for who keeps no Orca open: on asking, and at most once a day behind a command."""

from __future__ import annotations

import pytest
from fakes.embedders import FailingEmbedder
from msgspec.structs import replace

from orca_core.model.errors import StoreBusy
from orca_core.model.memories import State

DAY_S = 86_400.0
PATIENCE_S = 30.0


async def test_a_change_wakes_nothing_where_upkeep_waits_to_be_asked(open_engine) -> None:
    async with open_engine(keeps_up=False) as engine:
        await engine.memories.add("a light one")
        await engine.memories.edit(1, weight=0.1)
        engine.worker.wake()
        await engine.worker.drain()
        assert not engine.worker._upkeep._task.is_busy
        assert (await engine.memories.counts())["active"] == 1


async def test_it_is_done_once_a_day_whichever_orca_does_it(open_engine, clock) -> None:
    async def left_after_a_light_one() -> bool:
        """Add a memory that sank, by an Orca of its own, and ask for upkeep; whether it was left alone."""
        async with open_engine(keeps_up=False) as engine:
            added = await engine.memories.add(f"seen at {clock.now()}")
            await engine.memories.edit(added.memory.id, weight=0.1)
            await engine.upkeep.once_a_day(PATIENCE_S)
            [memory] = await engine.memories.get([added.memory.id])
            return memory.state is State.LIVE

    assert not await left_after_a_light_one()
    clock.advance(DAY_S - 1)
    assert await left_after_a_light_one()
    clock.advance(2)
    assert not await left_after_a_light_one()


async def test_asked_for_it_is_done_whenever_it_was_done(open_engine) -> None:
    async with open_engine(keeps_up=False) as engine:
        for number in (1, 2):
            await engine.memories.add(f"bird {number}")
            await engine.memories.edit(number, weight=0.1)
            done = await engine.upkeep.run()
            assert not done.failed
            assert done.is_wiped
            [memory] = await engine.memories.get([number])
            assert memory.state is State.ARCHIVED


async def test_what_fails_is_named_and_the_rest_is_done(open_engine) -> None:
    async with open_engine(keeps_up=False, embedder=FailingEmbedder()) as engine:
        await engine.memories.add("a wren in the hedge")
        done = await engine.upkeep.run()
        assert done.failed
        assert [each.name for each in done.jobs if each.failure] == ["embedding"]
        assert "cleaning" in [each.name for each in done.jobs]


async def test_embedding_alone_leaves_the_rest(open_engine) -> None:
    async with open_engine(keeps_up=False) as engine:
        await engine.memories.add("a wren in the hedge")
        await engine.memories.add("a light one")
        await engine.memories.edit(2, weight=0.1)
        await engine.worker.embed(PATIENCE_S)
        assert (await engine.memories.counts())["active"] == 2
        hits = (await engine.search.find("a wren in the hedge", 5)).hits
        assert hits[0].parts.vector > 0


@pytest.mark.parametrize("at", ["upkeep_at", "note_upkeep"])
async def test_a_database_that_is_busy_leaves_it_to_the_next_one(open_engine, at: str) -> None:
    class Busy:
        def __init__(self, cleaning: object) -> None:
            self._cleaning = cleaning

        def __getattr__(self, name: str) -> object:
            if name == at:
                raise StoreBusy(path="orca.db")
            return getattr(self._cleaning, name)

    async with open_engine(
        keeps_up=False, behind=lambda stores: replace(stores, cleaning=Busy(stores.cleaning))
    ) as engine:
        await engine.memories.add("a light one")
        await engine.memories.edit(1, weight=0.1)
        await engine.upkeep.once_a_day(PATIENCE_S)
        assert (await engine.memories.counts())["active"] == 1
