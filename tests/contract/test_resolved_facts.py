"""What later words do to earlier ones, and earlier ones to what was said since: one value of a slot lives."""

from __future__ import annotations

from datetime import datetime
from itertools import count

import pytest
from fakes.records import AT, begin, header, later, record

from orca_core.model.learning import Batch, Due, LearntFacts, Proposal, RunEnd
from orca_core.model.memories import Memory, NewMemory, Origin, OriginKind, State
from orca_core.model.views import MemoryQuery
from orca_core.operations.stores import Stores
from orca_core.rules.learning import transcripts
from orca_core.rules.learning.resolve import settle
from orca_core.rules.memory import memory_curation

VIM, HELIX, ZED = "User writes code with Vim", "User writes code with Helix", "User writes code with Zed"


class Told:
    """A user who talks, an hour after the last time each, and a memory agent and a verifier that say what a test says."""

    def __init__(self, stores: Stores) -> None:
        self.stores = stores
        self._hours = count(1)
        self.at = AT

    async def say(self, session_id: str) -> None:
        self.at = later(60 * next(self._hours))
        started = await begin(self.stores, session_id, at=self.at)
        await self.stores.sessions.finish_round(record(started, at=self.at))

    async def claim(self) -> Batch:
        due = Due(self.at, 1, self.at, everything=True)
        batch = await self.stores.learning.claim(due, transcripts.how_many_fit)
        assert batch is not None
        return batch

    async def claim_again(self, session_id: str) -> Batch:
        batch = await self.stores.learning.claim_again(session_id, 0, self.at, transcripts.how_many_fit)
        assert batch is not None
        return batch

    async def learn(
        self, batch: Batch, content: str, *, same: int | None = None, replaces: int | None = None, held: str = ""
    ) -> LearntFacts:
        rounds = tuple(each.number for each in batch.rounds)
        origin = Origin(OriginKind.EXTRACTION, batch.session_id, rounds, f"{content}, I said")
        state = State.CANDIDATE if held else State.LIVE
        new = NewMemory(content, origin=origin, state=state, held_because=held or None)
        everything = await self.stores.memories.page(MemoryQuery(memory_curation.criteria("all", 5.0)))
        proposal = Proposal(new, tuple(each.id for each in everything.records), same=same, replaces=replaces)
        learnt = await self.stores.learning.finish_run(batch, [proposal], [], settle, RunEnd(self.at))
        assert learnt is not None
        return learnt

    async def hear(self, content: str, **verified: object) -> LearntFacts:
        await self.say(content)
        return await self.learn(await self.claim(), content, **verified)  # type: ignore[arg-type]

    async def say_unheard(self, session_id: str) -> None:
        """What was said, and a memory agent found nothing in."""
        await self.say(session_id)
        await self.stores.learning.finish_run(await self.claim(), [], [], settle, RunEnd(self.at))

    async def live(self) -> list[str]:
        page = await self.stores.memories.page(MemoryQuery(memory_curation.criteria("live", 5.0)))
        return sorted(memory.content for memory in page.records)

    async def memory(self, memory_id: int) -> Memory:
        [memory] = await self.stores.memories.get([memory_id])
        return memory

    async def pairs(self) -> list[tuple[int, int]]:
        return [(each.newer.id, each.older.id) for each in await self.stores.memories.undecided()]

    async def by_hand(self, memory_id: int, change: memory_curation.OfOne) -> None:
        at: datetime = later(60 * next(self._hours))
        await self.stores.memories.change_all([memory_id], header("edit", at), memory_curation.each(change))


async def test_a_change_is_undone_and_done_again_with_its_run(stores) -> None:
    told = Told(stores)
    await told.hear(VIM)
    learnt = await told.hear(HELIX, replaces=1)
    assert (learnt.replaced, await told.live()) == (((1, 2),), [HELIX])
    await stores.history.undo(learnt.operation, told.at)
    assert await told.live() == [VIM]
    await stores.history.redo(None, told.at)
    assert await told.live() == [HELIX]


async def test_what_comes_back_takes_the_place_of_the_last_of_its_successors(stores) -> None:
    told = Told(stores)
    for content, replaces in ((VIM, None), (HELIX, 1), (ZED, 2)):
        await told.hear(content, replaces=replaces)
    await told.hear("User codes in Vim", same=1)
    assert (await told.live(), (await told.memory(3)).superseded_by) == ([VIM], 1)


async def test_a_run_takes_no_place_from_a_last_successor_that_a_person_edited(stores) -> None:
    told = Told(stores)
    for content, replaces in ((VIM, None), (HELIX, 1), (ZED, 2)):
        await told.hear(content, replaces=replaces)
    edit = memory_curation.edit(content="User writes code with Zed, in Vim mode", max_weight=10.0)
    await stores.memories.change_all([3], header("edit", later(240)), memory_curation.each(edit))
    await told.hear(VIM, replaces=3)
    vim, zed = await told.memory(1), await told.memory(3)
    assert (vim.state, vim.held_because, vim.would_replace) == (State.CANDIDATE, "kept_by_hand", 3)
    assert zed.state is State.LIVE


@pytest.mark.parametrize("is_confirmed", [False, True])
async def test_older_words_read_late_are_archived_at_once(stores, is_confirmed: bool) -> None:
    told = Told(stores)
    if is_confirmed:
        await told.hear(VIM)
    await told.say_unheard("old")
    await told.hear(VIM)
    learnt = await told.learn(await told.claim_again("old"), HELIX, replaces=1)
    assert (learnt.stored, learnt.replaced, await told.live()) == ((), ((2, 1),), [VIM])
    helix = await told.memory(2)
    assert (helix.state, helix.superseded_by) == (State.ARCHIVED, 1)


async def test_reading_again_stores_nothing_in_whatever_words(stores) -> None:
    told = Told(stores)
    await told.hear(VIM)
    await told.hear(HELIX, replaces=1)
    await told.learn(await told.claim_again(VIM), VIM)
    again = await told.claim_again(HELIX)
    reworded = Proposal(
        NewMemory("Helix is the user's editor", origin=Origin(OriginKind.EXTRACTION, HELIX, (1,), f"{HELIX}, I said")),
        (1, 2),
    )
    learnt = await stores.learning.finish_run(again, [reworded], [], settle, RunEnd(told.at))
    assert (learnt.stored, learnt.candidates, learnt.replaced) == ((), (), ())
    assert await told.live() == [HELIX]


async def test_what_a_person_took_back_is_learnt_again_from_new_words_alone(stores) -> None:
    told = Told(stores)
    learnt = await told.hear(VIM)
    await told.say_unheard("also before")
    at = later(600)
    await stores.history.undo(learnt.operation, at)
    again = await told.learn(await told.claim_again(VIM), VIM)
    assert ([each.reason for each in again.dropped], await told.live()) == (["archived: undone"], [])
    again = await told.learn(await told.claim_again("also before"), "Vim is the user's editor", same=1)
    assert ([each.reason for each in again.dropped], await told.live()) == (["archived: undone"], [])
    for _ in range(12):
        await told.say("since")
    await told.learn(await told.claim(), "Vim is the user's editor", same=1)
    assert await told.live() == [VIM]


async def test_what_waits_to_replace_archives_nothing_before_a_person_accepts(stores) -> None:
    told = Told(stores)
    await stores.memories.add(NewMemory(VIM), header())
    await told.hear(HELIX, replaces=1)
    assert (await told.live(), (await told.memory(2)).would_replace) == ([VIM], 1)
    await stores.memories.change_all([1, 2], header("accept", later(600)), memory_curation.accept({2: HELIX}))
    assert (await told.live(), (await told.memory(1)).superseded_by) == ([HELIX], 2)


async def test_what_is_verified_late_yields_to_newer_words(stores) -> None:
    told = Told(stores)
    await told.hear(VIM, held="unread")
    await told.hear(HELIX)
    learnt = await told.learn(await told.claim_again(VIM), VIM, replaces=2)
    assert (learnt.stored, learnt.replaced, await told.live()) == ((), ((1, 2),), [HELIX])
    vim = await told.memory(1)
    assert (vim.state, vim.superseded_by) == (State.ARCHIVED, 2)
    await stores.history.undo(learnt.operation, told.at)
    assert (await told.memory(1)).state is State.CANDIDATE


async def test_what_a_run_replaced_is_a_second_value_when_a_person_restores_it(stores) -> None:
    told = Told(stores)
    for content, replaces in ((VIM, None), (HELIX, 1), (ZED, 2)):
        await told.hear(content, replaces=replaces)
    restore = memory_curation.each(lambda memory: memory_curation.restore(memory, archive_threshold=0.3))
    await stores.memories.change_all([1], header("restore", later(600)), restore)
    assert (await told.live(), await told.pairs()) == ([VIM, ZED], [(1, 3)])


async def test_what_is_verified_late_and_known_in_other_words_confirms_these(stores) -> None:
    told = Told(stores)
    await told.hear(VIM, held="unread")
    await told.hear("Vim is the editor of the user")
    learnt = await told.learn(await told.claim_again(VIM), VIM, same=2)
    assert (learnt.stored, learnt.confirmed) == ((), (2,))
    assert await told.live() == ["Vim is the editor of the user"]
    assert (await told.memory(1)).state is State.ARCHIVED
