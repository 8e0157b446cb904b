"""What a program's search returns is visited by it; candidates are returned only where they are asked for."""

from __future__ import annotations

from pathlib import Path

from fakes.embedders import FailingEmbedder
from fakes.supported import LIKES_TABLES, by_act, shown, supported

from orca_core.orca import Orca
from orca_core.store.sqlite.store import open_stores


async def with_candidate(database: Path, content: str = LIKES_TABLES) -> None:
    stores = await open_stores(database, scope="me", must_exist=False)
    number = await shown(stores, content)
    await supported(stores, by_act(number, 10, 0))
    await stores.housekeeping.aclose()


async def visits(engine: Orca) -> int:
    return (await engine.feedback.pools.weighed())[1].visited


async def test_a_program_gets_candidates_where_it_asks_and_visits_them(open_engine, database: Path) -> None:
    async with open_engine() as engine:
        await with_candidate(database)
        await engine.memories.add("用户用表格记账")

        assert [hit.memory.id for hit in (await engine.memory.search_memories("表格")).hits] == [2]
        assert await visits(engine) == 1

        found = await engine.memory.search_memories("表格", with_candidates=True)
        assert {hit.memory.id: hit.view.status.value for hit in found.hits} == {1: "candidate", 2: "active"}
        assert [hit.parts.total for hit in found.hits] == sorted((h.parts.total for h in found.hits), reverse=True)
        assert await visits(engine) == 2
        assert len((await engine.memory.search_memories("表格", 1, with_candidates=True)).hits) == 1


async def test_what_waits_and_what_lives_is_measured_by_one_scale(open_engine, database: Path) -> None:
    async with open_engine() as engine:
        await with_candidate(database, "The production database listens on port 5432")
        heavy = await engine.memories.add("The staging server listens on port 9000")
        await engine.memories.edit(heavy.memory.id, weight=9.0)
        for number in range(9):
            await engine.memories.add(f"Something else of the kind {number}")

        hits = (await engine.memory.search_memories("production database port", with_candidates=True)).hits
        assert [hit.view.status.value for hit in hits] == ["candidate", "core"]
        assert hits[0].parts.text > hits[1].parts.text


async def test_what_lives_and_what_waits_is_found_by_one_vector(open_engine, database: Path) -> None:
    embedder = FailingEmbedder()
    embedder.fails = False
    async with open_engine(embedder=embedder) as engine:
        await with_candidate(database)
        await engine.worker.tidy()
        embedder.calls = 0
        await engine.memory.search_memories("表格", with_candidates=True)

    assert embedder.calls == 1


async def test_the_searches_of_the_app_and_the_commands_visit_nothing(open_engine, database: Path) -> None:
    async with open_engine() as engine:
        await with_candidate(database)
        await engine.search.find("表格", 10)
        await engine.feedback.pools.page("candidates")
        await engine.work.candidates.waits()

        assert await visits(engine) == 1


async def test_a_visit_is_no_operation(open_engine, database: Path) -> None:
    async with open_engine() as engine:
        await with_candidate(database)
        before = await engine.reached()
        await engine.memory.search_memories("表格", with_candidates=True)

        assert await engine.reached() == before
