"""One database, many scopes: views of one handle, and a scope that reads another one with its own."""

from __future__ import annotations

import pytest
from fakes.asking import asked
from fakes.records import EVOLVE, begin, chat, header, record, remember

from orca_core.model.errors import NotFound, StoreOutOfReach
from orca_core.model.memories import State, Use
from orca_core.model.recall import TokenStatistics
from orca_core.model.records import memory_ref
from orca_core.model.views import MemoryQuery, StatusCriteria
from orca_core.rules.memory import memory_curation

EVERYTHING = MemoryQuery(StatusCriteria((State.LIVE,)))
NEAR, BESIDE = [1.0, 0.0], [0.8, 0.6]


async def test_a_list_holds_what_both_scopes_remember(opened) -> None:
    async with opened("team") as team, opened("me", "team") as mine, opened("other") as other:
        [shared] = await remember(team, "a giraffe of the team")
        [own] = await remember(mine, "a giraffe of mine")
        await remember(other, "a giraffe of nobody here")

        page = await mine.memories.page(EVERYTHING)
        assert ([memory.id for memory in page.memories], page.total) == ([shared, own], 2)
        assert [memory.id for memory in await mine.memories.get([own, shared])] == [own, shared]
        assert (await mine.memories.counts())["state"] == {"live": 2}
        assert (await team.memories.page(EVERYTHING)).total == 1


async def test_a_search_by_words_finds_in_both_scopes(opened) -> None:
    async with opened("team") as team, opened("me", "team") as mine, opened("other") as other:
        [shared] = await remember(team, "a giraffe of the team")
        [own] = await remember(mine, "a giraffe of mine")
        await remember(other, "a giraffe of nobody here")

        assert {hit.ref.id for hit in await asked(mine).by_tokens(["giraff"], 9)} == {shared, own}
        assert [hit.ref.id for hit in await asked(team).by_tokens(["giraff"], 9)] == [shared]
        assert await asked(mine).statistics(["giraff"]) == TokenStatistics(2, {"giraff": 2})
        assert await asked(other).statistics(["giraff"]) == TokenStatistics(1, {"giraff": 1})


@pytest.mark.parametrize("is_indexed", [False, True])
async def test_a_search_by_vectors_finds_in_both_scopes(opened, is_indexed: bool) -> None:
    async with opened("team") as team, opened("me", "team") as mine, opened("other") as other:
        [shared] = await remember(team, "shared")
        [own] = await remember(mine, "own")
        [hidden] = await remember(other, "hidden")
        await team.vectors.put("m", [(memory_ref(shared), "shared", NEAR)])
        await mine.vectors.put("m", [(memory_ref(own), "own", BESIDE)])
        await other.vectors.put("m", [(memory_ref(hidden), "hidden", NEAR)])
        if is_indexed:
            assert await mine.vectors.refresh_index("m")

        assert [hit.ref.id for hit in await asked(mine).by_vector("m", NEAR, 9)] == [shared, own]
        assert [hit.ref.id for hit in await asked(mine).by_vector("m", NEAR, 1)] == [shared]
        assert [hit.ref.id for hit in await asked(team).by_vector("m", BESIDE, 9)] == [shared]
        assert len(await mine.search.random_cosines("m", 9, 1)) == 1


async def test_what_another_scope_shares_is_read_and_never_written(opened) -> None:
    async with opened("team") as team, opened("me", "team") as mine:
        [shared] = await remember(team, "a giraffe of the team")
        assert len(await mine.history.history(shared)) == 1
        with pytest.raises(NotFound):
            await mine.memories.change([shared], header("pin"), memory_curation.each(memory_curation.pin))
        with pytest.raises(NotFound):
            await mine.memories.delete([shared], header("delete"))
        started = await begin(mine)
        await mine.sessions.finish_round(record(started, uses={shared: Use.USED}), EVOLVE)

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
    await mine.housekeeping.aclose()
    with pytest.raises(StoreOutOfReach):
        await mine.sessions.sessions()
    await remember(work, "still there")
    await work.housekeeping.aclose()
    await work.housekeeping.aclose()
    with pytest.raises(StoreOutOfReach):
        await work.sessions.sessions()
    with pytest.raises(StoreOutOfReach):
        database.scope("late")


async def test_a_handle_keeps_the_database_between_two_scopes(engine) -> None:
    database = await engine()
    first = database.scope("me")
    await remember(first, "a giraffe")
    await first.housekeeping.aclose()
    second = database.scope("me")
    assert (await second.memories.counts())["state"] == {"live": 1}
    await second.housekeeping.aclose()
    await database.aclose()
