"""Scopes of one database: neither reads nor writes what is the other's, one may read another besides, one leads."""

from __future__ import annotations

import asyncio

import pytest
from fakes.asking import asked
from fakes.records import AT, begin, chat, header, later, record, remember, usage

from orca_core.model.errors import NotFound, StoreOutOfReach
from orca_core.model.memories import NewMemory, Use
from orca_core.model.recall import TokenStatistics
from orca_core.model.record_types import memory_ref
from orca_core.model.views import MemoryQuery
from orca_core.rules.memory import memory_curation
from orca_core.rules.memory.memory_curation import criteria


async def test_a_profile_counts_its_own_words_only(opened) -> None:
    async with opened("me") as mine, opened("work") as work:
        await remember(mine, "giraffe one", "giraffe two", "zebra")
        await remember(work, "zebra at work", "nothing else")

        assert await asked(mine).statistics(["giraff", "zebra"]) == TokenStatistics(3, {"giraff": 2, "zebra": 1})
        assert await asked(work).statistics(["giraff", "zebra"]) == TokenStatistics(2, {"giraff": 0, "zebra": 1})


async def test_undo_and_redo_take_the_profiles_own_operations(opened) -> None:
    async with opened("me") as mine, opened("work") as work:
        ids = await remember(mine, "mine")
        with pytest.raises(NotFound):
            await work.history.undo(None, AT)
        undone = await mine.history.undo(None, AT)
        for named in (None, undone.operation):
            with pytest.raises(NotFound):
                await work.history.redo(named, AT)
        await mine.history.redo(None, AT)

        assert [memory.state for memory in await mine.memories.get(ids)] == ["live"]


async def test_deleting_with_messages_leaves_another_profiles_session_of_that_name(opened) -> None:
    async with opened("me") as mine, opened("work") as work:
        for stores in (mine, work):
            started = await begin(stores, "s", remember=NewMemory("a giraffe"))
            await stores.sessions.finish_round(record(started))
        [ours] = [memory.id for memory in await work.memories.get([2])]
        await work.memories.delete([ours], header("delete"), with_messages=True)

        assert await work.sessions.rounds("s") == []
        assert [each.user for each in await mine.sessions.rounds("s")] == ["a question"]
        assert (await mine.sessions.receipt("s", 1)).round == 1
        assert len(await mine.search.short_term("s", later(), 30, 5)) == 1


NEAR, BESIDE = [1.0, 0.0], [0.8, 0.6]


async def test_a_search_by_words_finds_in_both_scopes(opened) -> None:
    async with opened("team") as team, opened("me", "team") as mine, opened("other") as other:
        [shared] = await remember(team, "a giraffe of the team")
        [own] = await remember(mine, "a giraffe of mine")
        await remember(other, "a giraffe of nobody here")

        assert {hit.ref.id for hit in await asked(mine).by_tokens(["giraff"], 9)} == {shared, own}
        assert [hit.ref.id for hit in await asked(team).by_tokens(["giraff"], 9)] == [shared]
        assert await asked(mine).statistics(["giraff"]) == TokenStatistics(2, {"giraff": 2})
        assert await asked(other).statistics(["giraff"]) == TokenStatistics(1, {"giraff": 1})


async def test_what_another_scope_shares_is_read_and_never_written(opened) -> None:
    async with opened("team") as team, opened("me", "team") as mine:
        [shared] = await remember(team, "a giraffe of the team")
        assert len(await mine.memories.history(shared)) == 1
        with pytest.raises(NotFound):
            await mine.memories.change_all([shared], header("pin"), memory_curation.each(memory_curation.pin))
        with pytest.raises(NotFound):
            await mine.memories.delete([shared], header("delete"))
        started = await begin(mine)
        await mine.sessions.finish_round(record(started, uses={shared: Use.USED}))

        [memory] = await team.memories.get([shared])
        assert (memory.weight, memory.pinned) == (1.0, False)
        [own] = await remember(mine, "a giraffe of the team")
        assert own != shared


async def test_what_was_said_is_never_shared(opened) -> None:
    async with opened("team") as team, opened("me", "team") as mine:
        await chat(team)
        assert await mine.sessions.sessions() == []
        assert await mine.sessions.rounds("s") == []
        assert await mine.history.operations(9) == []
        assert (await mine.learning.queue()).rounds == 0


async def test_the_last_scope_closes_the_database(engine) -> None:
    database = await engine()
    mine, work = database.scope("me"), database.scope("work")
    await database.aclose()
    await mine.upkeep.aclose()
    with pytest.raises(StoreOutOfReach):
        await mine.sessions.sessions()
    await remember(work, "still there")
    await work.upkeep.aclose()
    await work.upkeep.aclose()
    with pytest.raises(StoreOutOfReach):
        await work.sessions.sessions()
    with pytest.raises(StoreOutOfReach):
        database.scope("late")


async def test_a_wait_for_the_lead_that_is_cancelled_leaves_it_to_the_next(stores) -> None:
    assert await stores.upkeep.acquire_lead()
    waiting = [asyncio.create_task(stores.upkeep.acquire_lead()) for _ in range(2)]
    await asyncio.sleep(0)
    waiting[0].cancel()
    await stores.upkeep.resign_lead()
    assert await asyncio.wait_for(waiting[1], 30)


async def test_another_scope_sees_nothing(opened) -> None:
    async with opened("me") as mine, opened("work") as work:
        [memory_id] = await remember(mine, "my neovim secret")
        await mine.vectors.put("m", [(memory_ref(memory_id), "my neovim secret", [1.0, 0.0])])
        await chat(mine, usage=usage(10))

        assert await work.sessions.sessions() == []
        assert await work.sessions.rounds("s") == []
        assert (await work.memories.page(MemoryQuery(criteria("all", 5.0)))).total == 0
        assert await work.memories.counts() == {"state": {}, "type": {}}
        assert await asked(work).by_tokens(["neovim"], 5) == []
        assert await asked(work).by_vector("m", [1.0, 0.0], 5) == []
        assert await work.search.short_term("s", later(), 30, 5) == []
        assert await work.search.random_cosines("m", 10, 1) == []
        assert await work.vectors.unembedded("other", 5) == []
        assert await work.vectors.progress("m") == (0, 0)
        assert await work.history.operations(5) == []
        for refused in (
            work.memories.get([memory_id]),
            work.memories.history(memory_id),
            work.memories.delete([memory_id], header("delete")),
            work.memories.change_all([memory_id], header("pin"), memory_curation.each(lambda memory: {"pinned": True})),
            work.sessions.session("s"),
            work.sessions.receipt("s", 1),
            work.history.undo(1, AT),
        ):
            with pytest.raises(NotFound):
                await refused
        assert await remember(work, "my neovim secret") != [memory_id]
