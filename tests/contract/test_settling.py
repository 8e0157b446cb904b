"""What the facts of a run come to inside its transaction, whatever the rule says of each."""

from __future__ import annotations

import asyncio
from datetime import timedelta

import pytest
from fakes.looks import meanwhile
from fakes.records import AT, chat, later, remember

from orca_core.domain.learning import Batch, Due, RunEnd
from orca_core.domain.memories import NewMemory, State
from orca_core.domain.settling import Known, Proposal, Settlement
from orca_core.domain.stores import Stores
from orca_core.rules.learning.agent import transcripts


async def claimed(stores: Stores) -> Batch | None:
    return await stores.learning.claim(Due(AT, 1, AT - timedelta(days=1)), transcripts.how_many_fit)


async def test_what_waits_for_review_archives_nothing_whatever_the_rule_says(opened) -> None:
    async with opened() as stores:
        [old] = await remember(stores, "the user lives in Shanghai")
        await chat(stores)
        batch = await claimed(stores)
        assert batch is not None
        new = NewMemory("the user lives in Hangzhou", state=State.CANDIDATE, held_because="weak_evidence")

        def hasty(proposal: Proposal, _beside: object) -> Settlement:
            return Settlement(store=proposal.new, supersedes=(old,))

        learnt = await stores.learning.finish_run(batch, [Proposal(new, (old,))], [], hasty, RunEnd(later()))

        assert learnt is not None
        assert (len(learnt.candidates), learnt.replaced) == (1, ())
        [there] = await stores.memories.get([old])
        assert (there.state, there.superseded_by) == (State.LIVE, None)


async def test_a_fact_is_settled_beside_those_of_the_same_run(opened) -> None:
    async with opened() as stores:
        await chat(stores)
        batch = await claimed(stores)
        assert batch is not None
        seen: list[list[str]] = []

        def looking(proposal: Proposal, beside: Known) -> Settlement:
            seen.append([memory.content for memory in beside.memories])
            return Settlement(store=proposal.new)

        facts = [Proposal(NewMemory("the user drinks tea")), Proposal(NewMemory("the user drinks green tea"))]
        await stores.learning.finish_run(batch, facts, [], looking, RunEnd(later()))

        assert seen[-2:] == [[], ["the user drinks tea"]]  # what came before was rehearsed


@pytest.mark.parametrize("is_there", [True, False], ids=["there", "comes meanwhile"])
async def test_what_was_before_is_listed_though_it_comes_after_the_rehearsal(opened, is_there: bool) -> None:
    """Rules read what is near before the transaction; what somebody writes until then counts all the same."""
    before = "The game is made in Unity with the render pipeline."
    async with opened() as stores, opened() as other:
        if is_there:
            await remember(other, before)
        await chat(stores)
        batch = await claimed(stores)
        assert batch is not None
        asked: list[None] = []
        say = meanwhile(lambda: remember(other, before))

        def settle(proposal: Proposal, _beside: Known) -> Settlement:
            asked.append(None)
            if len(asked) == 1 and not is_there:
                say()
            return Settlement(store=proposal.new)

        new = NewMemory("The game runs on Godot with its own renderer.")
        learnt = await stores.learning.finish_run(batch, [Proposal(new)], [], settle, RunEnd(later()))
        assert learnt is not None
        [stored] = learnt.stored
        [pair] = await stores.memories.undecided()

    assert len(asked) == 2
    assert {pair.newer.content, pair.older.content} == {stored.memory.content, before}


async def test_a_run_whose_caller_is_cancelled_is_written_all_the_same(opened) -> None:
    async with opened() as stores:
        await chat(stores)
        batch = await claimed(stores)
        assert batch is not None
        is_asked = asyncio.Event()
        told = meanwhile(lambda: _set(is_asked))

        def settle(proposal: Proposal, _beside: Known) -> Settlement:
            if not is_asked.is_set():
                told()
            return Settlement(store=proposal.new)

        facts = [Proposal(NewMemory("the user drinks tea"))]
        ending = asyncio.ensure_future(stores.learning.finish_run(batch, facts, [], settle, RunEnd(later())))
        await is_asked.wait()
        ending.cancel()
        with pytest.raises(asyncio.CancelledError):
            await ending

        assert [each.content for each in await stores.memories.get([1])] == ["the user drinks tea"]


async def _set(event: asyncio.Event) -> None:
    event.set()
