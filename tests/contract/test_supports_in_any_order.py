"""Acts, takings back, undo and redo of anything, promotion, decisions of a person, deletes, in any order: exactly the
supports of the acts that stand remain, and what acts have grown stands as they say."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from datetime import timedelta
from functools import partial

from fakes.acts_read import claimed, everything, shown
from fakes.records import AT, begin, chat, header
from fakes.slices import SLICES, slices_of
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from orca_core.model.errors import InvalidInput, NotFound
from orca_core.model.feedback import Action, ActionType
from orca_core.model.learning import Due, RunEnd
from orca_core.model.memories import ArchivedBecause, Decide, Memory, State
from orca_core.model.records import ACTION
from orca_core.model.views import RecordQuery
from orca_core.operations.stores import Stores
from orca_core.rules.feedback import promotion_score, signals
from orca_core.rules.learning.resolve import settle
from orca_core.rules.memory import memory_curation, undo_rules

LIKES = 5
WHAT = (
    *("like",) * 6,
    *("cancel", "cancel", "dislike", "undo", "undo", "redo", "promote", "promote", "regenerate", "regenerate"),
    *("archive", "restore", "reject", "accept", "delete_act", "merge", "delete_session", "delete_memory"),
)
STEPS = st.lists(st.tuples(st.sampled_from(WHAT), st.integers(0, 9)), max_size=30)
CHOOSE = partial(promotion_score.promoted, temperature=0.001, min_support=3)


class Story:
    """What is done to a store, one thing after the other; what can't be done changes nothing. Two memories are grown:
    by likes of even and of odd rounds. Each round was liked on a day of its own."""

    def __init__(self, stores: Stores) -> None:
        self.stores = stores
        self.minutes = 0
        self.readings: dict[int, tuple[int, int | None]] = {}
        """By act: the memory that it showed, and the operation of the run that read it."""
        self.read: set[int] = set()
        """Acts that a run has read, also where nothing came of it: what a person took back is not made again."""
        self.replaced: set[int] = set()

    @property
    def now(self):
        self.minutes += 1
        return AT + timedelta(days=30, minutes=self.minutes)

    async def record(self, word: str, which: int) -> int:
        number = which % LIKES
        at = AT + timedelta(days=number)
        act = signals.checked(Action(0, "", signals.action_type(word), f"s{number % 2}", at, round=number))
        return (await self.stores.actions.record(act, header(word.lower(), self.now))).action.id

    async def like(self, which: int) -> None:
        act = await self.record("LIKE", which)
        if act not in self.read:
            batch = await claimed(self.stores)
            self.read.update(each.id for each in batch.actions)
            grown = await self.stores.act_readings.finish(
                batch,
                [shown(each.id, content=f"The user likes dish{(each.round or 0) % 2}") for each in batch.actions],
                (),
                settle,
                RunEnd(self.now),
            )
            assert grown is not None
            for each in batch.actions:
                if grown.supported:
                    self.readings[each.id] = (grown.supported[0], grown.learnt.operation)

    async def cancel(self, which: int) -> None:
        await self.record("CANCEL_LIKE", which)

    async def dislike(self, which: int) -> None:
        await self.record("DISLIKE", which)
        await self.record("CANCEL_DISLIKE", which)  # nothing of it is to be read

    async def undo(self, which: int) -> None:
        there = [each for each in await self.stores.history.operations(40) if each.header.action != "delete"]
        if which < len(there):
            await self.stores.history.undo(there[which].id, self.now, undo_rules.plan)

    async def redo(self, _which: int) -> None:
        await self.stores.history.redo(None, self.now, undo_rules.plan)

    async def promote(self, _which: int) -> None:
        """What is ready goes live."""
        batch = await self.stores.promotions.claim(Due(self.now, 5, self.now), CHOOSE)
        if batch is not None:
            await self.stores.promotions.finish(batch, RunEnd(self.now), lives=True)

    async def regenerate(self, _which: int) -> None:
        for said in await self.stores.sessions.rounds("s1"):
            await begin(self.stores, "s1", replaces=said.number, at=self.now)
            self.replaced.add(said.id)

    async def archive(self, which: int) -> None:
        await self.decided("archive", which, memory_curation.each(memory_curation.archive))

    async def restore(self, which: int) -> None:
        await self.decided(
            "restore", which, memory_curation.each(partial(memory_curation.restore, archive_threshold=0.3))
        )

    async def reject(self, which: int) -> None:
        await self.decided("reject", which, memory_curation.each(memory_curation.reject))

    async def accept(self, which: int) -> None:
        for memory in (await everything(self.stores))[which % 2 :][:1]:
            await self.decided("accept", which, memory_curation.accept({memory.id: memory.content}))

    async def merge(self, _which: int) -> None:
        if len(memories := await everything(self.stores)) == 2:
            decide = memory_curation.merge(memories[0].id, content=None, max_weight=10)
            await self.stores.memories.change([each.id for each in memories], header("merge", self.now), decide)

    async def delete_act(self, which: int) -> None:
        there = await self.stores.records[ACTION].get(sorted(self.readings), missing_ok=True)
        if which < len(there):
            await self.stores.records[ACTION].delete([there[which].id], header("delete", self.now))

    async def delete_session(self, which: int) -> None:
        await self.stores.sessions.delete(f"s{which % 2}", header("delete", self.now))

    async def delete_memory(self, which: int) -> None:
        for memory in (await everything(self.stores))[which % 2 :][:1]:
            if which > 7:
                await self.stores.memories.delete([memory.id], header("delete", self.now))

    async def decided(self, action: str, which: int, decide: Decide) -> None:
        for memory in (await everything(self.stores))[which % 2 :][:1]:
            await self.stores.memories.change([memory.id], header(action, self.now), decide)

    async def speaking(self, memory: int) -> list[int]:
        """The acts that are there and stand, of those that were read for this memory by a run that stands."""
        there = await self.stores.records[ACTION].get(sorted(self.readings), missing_ok=True)
        undone = {each.id for each in await self.stores.history.operations(10_000) if each.undone_by is not None}
        read_for_it = {act for act, (shows, run) in self.readings.items() if shows == memory and run not in undone}
        return [each.id for each in there if each.stands and each.id in read_for_it]


async def check(story: Story, is_merged: bool) -> None:
    there = (await story.stores.records[ACTION].page(RecordQuery({"state": ("standing",)}))).records
    marks = [(each.session_id, each.round) for each in there if each.type in (ActionType.LIKE, ActionType.DISLIKE)]
    assert len(marks) == len(set(marks))
    assert not {each.round_id for each in there if each.type is ActionType.LIKE} & story.replaced
    found = await everything(story.stores)
    supports = await story.stores.supports.of([each.id for each in found])
    for memory in found:
        standing = supports.get(memory.id, ())
        if not is_merged:
            assert sorted(each.act or 0 for each in standing) == await story.speaking(memory.id)
        assert follows(memory, promotion_score.days_of(standing)), (memory, standing)


def follows(memory: Memory, on_days: int) -> bool:
    """The table of docs/feedback.md."""
    if memory.confirmed_by is not None:
        return True
    if memory.state is State.LIVE:
        return on_days >= 3
    if memory.state is State.CANDIDATE:
        return on_days > 0
    return memory.archived_because is not ArchivedBecause.WITHDRAWN or on_days == 0


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@example([("like", 2), ("undo", 0), ("like", 4), ("like", 4)], 0)
@given(STEPS, SLICES)
def test_what_acts_have_grown_stands_as_they_say(engine, steps: list[tuple[str, int]], slices: int) -> None:
    async def tell() -> None:
        database = await engine()
        number = next(NUMBERS)
        stores, beside = database.scope(f"story {number}"), database.scope(f"beside {number}")
        other = Story(beside)
        await other.like(1)
        before = (await everything(beside), await beside.supports.pool())
        for session in ("s0", "s1"):
            await chat(stores, session)
        story = Story(stores)
        is_merged = False
        try:
            for what, which in steps:
                is_merged = is_merged or what == "merge"
                with suppress(InvalidInput, NotFound):  # it can't be done now, and nothing was
                    await getattr(story, what)(which)
                await check(story, is_merged)
            assert (await everything(beside), await beside.supports.pool()) == before
        finally:
            await stores.housekeeping.aclose()
            await beside.housekeeping.aclose()
            await database.aclose()

    with slices_of(slices):
        asyncio.run(tell())


NUMBERS = iter(range(10**9))
"""Each story has scopes of its own."""
