"""Acts read for what they show: claimed when enough wait, settled with their run; acts that stand support it."""

from __future__ import annotations

import asyncio

from fakes.acts_read import SHORT, claim, claimed, due, everything, finish, only, recorded, shown
from fakes.records import AT, begin, chat, header, later
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from orca_core.model.feedback import ActBatch, Action, ActionState, ActsLearnt, ReadingState
from orca_core.model.learning import AgentMessage, DroppedFact, RunEnd, RunKind, RunState
from orca_core.model.memories import ArchivedBecause, MemoryType, NewMemory, State
from orca_core.model.record_types import ACTION
from orca_core.operations.stores import Stores
from orca_core.rules.feedback import preference_claims
from orca_core.rules.learning.resolve import settle


async def test_five_acts_of_a_session_start_a_run(stores) -> None:
    for number in range(1, 5):
        await recorded(stores, number=number)
        await recorded(stores, number=number, session="t")
    assert await claim(stores) is None
    await recorded(stores, "EDIT_FILE", 5, data={"previous": "a", "current": "b"})
    batch = await claim(stores)

    assert (batch.kind, batch.session_id, batch.candidate) == (RunKind.ACTIONS, "s", None)
    assert [each.round for each in batch.actions] == [1, 2, 3, 4, 5]
    assert (
        await stores.feedback.claim_acts(due(everything=True, session_id="nowhere"), preference_claims.acts_due) is None
    )


async def test_what_ended_or_is_asked_for_is_read_at_once(stores) -> None:
    await recorded(stores)
    await recorded(stores, session="t")
    ended = await claim(stores, ended=("t",))
    asked_for = await claim(stores, everything=True, besides=(1,))

    assert (ended.session_id, asked_for.session_id) == ("t", "s")
    assert await stores.feedback.acts_waiting() == 2


async def test_what_is_due_is_found_behind_any_number_that_is_not(stores) -> None:
    for number in range(210):
        await recorded(stores, session=f"early {number}")
    for number in range(1, 6):
        await recorded(stores, "EDIT_FILE", number, session="late", data={"previous": "a", "current": "b"})
    batch = await claim(stores)

    assert (batch.session_id, len(batch.actions)) == ("late", 5)
    assert batch.actions[0].data == {"previous": "a", "current": "b"}


async def test_each_act_supports_what_it_shows(stores) -> None:
    await chat(stores)
    first, second = await recorded(stores), await recorded(stores, number=2)
    batch = await claimed(stores)
    grown = await finish(stores, batch, shown(first), shown(second))

    assert [each.number for each in batch.rounds] == [1]
    assert grown == ActsLearnt(grown.learnt, (1,)) if grown else False
    memory = await only(stores)
    assert (memory.state, memory.held_because, memory.seen) == (State.CANDIDATE, "unproven", 2)
    assert [each.read for each in await stores.records[ACTION].get([first, second])] == [ReadingState.DONE] * 2
    assert await claim(stores, everything=True) is None
    run, _ = await stores.learning.run(batch.run)
    assert (run.state, run.result and run.result.supported) == (RunState.DONE, (1,))


async def test_no_act_speaks_before_its_round_or_its_recording(stores) -> None:
    await chat(stores)
    acts = [await recorded(stores, days=-3), await recorded(stores, "DISLIKE", 2, days=-2)]
    acts.append(await recorded(stores, number=None, message="m", days=-1))
    await finish(stores, await claimed(stores), shown(*acts))
    memory = await only(stores)

    supports = (await stores.feedback.supports_of([memory.id]))[memory.id]
    assert {each.act: each.at for each in supports} == dict.fromkeys(acts, AT)


async def test_what_only_acts_show_that_were_taken_back_meanwhile_is_not_stored(stores) -> None:
    first, second = await recorded(stores), await recorded(stores, number=2)
    batch = await claimed(stores)
    await recorded(stores, "CANCEL_LIKE")
    grown = await finish(stores, batch, shown(first), shown(second, content="The user likes tables"))

    assert grown.learnt.dropped == (DroppedFact(SHORT, "taken_back"),)
    assert (await only(stores)).content == "The user likes tables"


async def test_what_a_person_wrote_is_only_proposed_to_be_replaced(stores) -> None:
    known = NewMemory("The user prefers long answers", MemoryType.PREFERENCE)
    by_hand = (await stores.memories.add(known, header())).memory
    act = await recorded(stores)
    await finish(stores, await claimed(stores), shown(act, replaces=by_hand.id))

    kept, made = await everything(stores)
    assert (kept.state, made.state, made.would_replace) == (State.LIVE, State.CANDIDATE, by_hand.id)


async def test_a_failed_run_waits_is_tried_again_and_parked(stores) -> None:
    await recorded(stores)
    batch = await claimed(stores)
    ended = RunEnd(later(2))
    await stores.learning.fail(batch, RunState.FAILED, "no answer", later(30), ended)
    assert await claim(stores, everything=False, ended=("s",)) is None
    again = await claim(stores, everything=True)
    assert (again.run, again.tries) == (batch.run, 2)
    await stores.learning.release(again)
    resumed = await claimed(stores)
    assert (resumed.run, resumed.tries) == (batch.run, 2)


async def test_the_exchange_goes_with_an_act_that_is_deleted(stores) -> None:
    act = await recorded(stores)
    batch = await claimed(stores)
    said = AgentMessage("assistant", "quokka", later(2))
    await finish(stores, batch, exchange=(said,))
    _, exchange = await stores.learning.run(batch.run)
    assert [each.content for each in exchange] == ["quokka"]
    await stores.records[ACTION].delete([act], header("delete"))

    assert (await stores.learning.run(batch.run))[1] == []


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
            await self.stores.feedback.finish_acts(self.batch, found, (), settle, RunEnd(later(self.minutes)))
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
    read = [each for each in acts if each.read is ReadingState.DONE and each.stands]
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
            await stores.upkeep.aclose()
            await database.aclose()

    asyncio.run(tell())


NUMBERS = iter(range(10**9))
"""Each story has a scope of its own."""


async def test_a_run_whose_round_was_replaced_is_void(stores) -> None:
    await chat(stores)
    act = await recorded(stores)
    batch = await claimed(stores)
    await begin(stores, replaces=1)

    assert await finish(stores, batch, shown(act)) is None
    assert await everything(stores) == []
    run, _ = await stores.learning.run(batch.run)
    assert run.state is RunState.NONE
