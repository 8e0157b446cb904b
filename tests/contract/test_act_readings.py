"""Acts read for what they show: claimed when enough wait, settled with their run; acts that stand support it."""

from __future__ import annotations

from fakes.acts_read import SHORT, claim, claimed, due, everything, finish, only, recorded, shown
from fakes.records import AT, begin, chat, header

from orca_core.model.feedback import ActsLearnt, ReadingState
from orca_core.model.learning import DroppedFact, RunKind, RunState
from orca_core.model.memories import MemoryType, NewMemory, State
from orca_core.model.record_types import ACTION
from orca_core.rules.feedback import preference_claims


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
