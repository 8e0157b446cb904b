"""What the facts of a run come to inside its transaction, whatever the rule says of each."""

from __future__ import annotations

import asyncio
from datetime import timedelta

import pytest
from fakes.looks import meanwhile
from fakes.records import AT, chat, later, remember

from orca_core.model.learning import Batch, Due, Known, Proposal, RunEnd, Settlement
from orca_core.model.memories import NewMemory, State
from orca_core.operations.stores import Stores
from orca_core.rules.learning import fact_extraction


async def claimed(stores: Stores) -> Batch | None:
    return await stores.learning.claim(Due(AT, 1, AT - timedelta(days=1)), fact_extraction.how_many_fit)


async def test_what_waits_for_review_archives_nothing_whatever_the_rule_says(opened) -> None:
    async with opened() as stores:
        [old] = await remember(stores, "the user lives in Shanghai")
        await chat(stores)
        batch = await claimed(stores)
        assert batch is not None
        new = NewMemory("the user lives in Hangzhou", state=State.CANDIDATE, held_because="unread")

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

        assert seen == [[], ["the user drinks tea"]]


async def test_what_was_said_before_what_it_would_replace_is_archived_at_once(opened) -> None:
    async with opened() as stores:
        [newer] = await remember(stores, "the user lives in Hangzhou")
        await chat(stores)
        batch = await claimed(stores)
        assert batch is not None

        def late(proposal: Proposal, _beside: Known) -> Settlement:
            return Settlement(store=proposal.new, outdated_by=newer)

        facts = [Proposal(NewMemory("the user lives in Shanghai"))]
        learnt = await stores.learning.finish_run(batch, facts, [], late, RunEnd(later()))

        assert learnt is not None
        [(old, by)] = learnt.replaced
        assert (by, learnt.stored, learnt.candidates) == (newer, (), ())
        [there, stays] = await stores.memories.get([old, newer])
        assert (there.content, there.state, there.superseded_by) == (
            "the user lives in Shanghai", State.ARCHIVED, newer,
        )  # fmt: skip
        assert stays.state is State.LIVE


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
        await remember(stores, "the user has a cat")  # one writes at a time

        assert [each.content for each in await stores.memories.get([1])] == ["the user drinks tea"]


async def _set(event: asyncio.Event) -> None:
    event.set()
