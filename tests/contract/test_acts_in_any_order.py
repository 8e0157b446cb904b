"""Acts, takings back, readings, undo and redo, in any order: a memory that acts alone show waits as long as one of them
stands that was read for it, and no longer."""

from __future__ import annotations

import asyncio

from fakes.acts_read import claim, everything, recorded, shown
from fakes.records import header, later
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from orca_core.model.feedback import ActBatch, Action, ActionRead, ActionState
from orca_core.model.learning import RunEnd, RunState
from orca_core.model.memories import ArchivedBecause, State
from orca_core.model.records import ACTION
from orca_core.operations.stores import Stores
from orca_core.rules.learning.resolve import settle

WHAT = "like like like cancel cancel dislike claim claim end end give_back fail delete".split()
ACTS = st.lists(st.tuples(st.sampled_from(WHAT), st.integers(1, 3)), max_size=25)


class Story:
    """What is done to a store, one after the other; what can't be done does nothing."""

    def __init__(self, stores: Stores) -> None:
        self.stores = stores
        self.batch: ActBatch | None = None
        self.made: set[int] = set()
        self.minutes = 2

    async def like(self, which: int) -> None:
        self.made.add(await recorded(self.stores, "LIKE", which))

    async def dislike(self, which: int) -> None:
        self.made.add(await recorded(self.stores, "DISLIKE", which))

    async def cancel(self, which: int) -> None:
        self.made.add(await recorded(self.stores, "CANCEL_LIKE", which))

    async def claim(self, _which: int) -> None:
        if self.batch is None:
            self.batch = await claim(self.stores, everything=True)

    async def end(self, _which: int) -> None:
        if self.batch is not None:
            found = [shown(each.id, content=f"The user likes dish{each.round}") for each in self.batch.actions]
            await self.stores.act_readings.finish(self.batch, found, (), settle, RunEnd(later(self.minutes)))
            self.batch = None

    async def give_back(self, _which: int) -> None:
        if self.batch is not None:
            await self.stores.learning.release(self.batch)
            self.batch = None

    async def fail(self, _which: int) -> None:
        if self.batch is not None:
            ended = RunEnd(later(self.minutes))
            await self.stores.learning.fail(self.batch, RunState.FAILED, "down", later(self.minutes), ended)
            self.batch = None

    async def delete(self, which: int) -> None:
        acts = await self.acts()
        if which <= len(acts):
            await self.stores.records[ACTION].delete([acts[which - 1].id], header("delete"))

    async def acts(self) -> list[Action]:
        return await self.stores.records[ACTION].get(sorted(self.made), missing_ok=True)


async def check(story: Story) -> None:
    acts = await story.acts()
    read = [each for each in acts if each.read is ActionRead.DONE and each.stands]
    for memory in await everything(story.stores):
        number = int(memory.content.removeprefix("The user likes dish"))
        standing = [each for each in read if each.round == number]
        if standing:
            assert memory.state is State.CANDIDATE
        elif memory.state is not State.CANDIDATE:  # a deleted act leaves its supports as they stood
            assert memory.archived_because is ArchivedBecause.WITHDRAWN
    assert all(each.stands or each.state is ActionState.WITHDRAWN for each in acts)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(ACTS)
def test_what_waits_is_what_acts_show_that_stand(engine, told: list[tuple[str, int]]) -> None:
    async def tell() -> None:
        database = await engine()
        stores = database.scope(f"story {next(NUMBERS)}")
        story = Story(stores)
        try:
            for what, which in told:
                await getattr(story, what)(which)
                await check(story)
        finally:
            await stores.housekeeping.aclose()
            await database.aclose()

    asyncio.run(tell())


NUMBERS = iter(range(10**9))
"""Each story has a scope of its own."""
