from __future__ import annotations

import pytest


@pytest.mark.parametrize(
    ("question", "memory"),
    [
        ("how do I configure typsecript paths", "The user's web shop is written in TypeScript."),
        ("mongod 怎么起不来", "用户的订单库是 MongoDB 7。"),
        ("kovna 拖动的时候怎么加吸附线", "用户的画布用 Konva。"),
        ("資料庫連線報錯", "用户的数据库是 PostgreSQL。"),
    ],
)
async def test_a_slip_of_the_pen_finds_what_was_meant(open_engine, question: str, memory: str) -> None:
    async with open_engine() as engine:
        for each in ("The user has a dog.", "用户喜欢爬山。", memory):
            await engine.memories.add(each)

        found = await engine.search.find(question, 3)

        assert found.hits[0].view.memory.content == memory


async def test_a_word_that_a_memory_holds_is_meant_as_it_is(open_engine) -> None:
    async with open_engine() as engine:
        for each in ("The user's scripts are in Javascript.", "The user's server is in Java."):
            await engine.memories.add(each)

        found = await engine.search.find("what is in java?", 3)

        assert found.hits[0].view.memory.content == "The user's server is in Java."


async def test_a_word_of_memories_that_live_no_longer_stops_no_correction(open_engine) -> None:
    async with open_engine() as engine:
        for each in ("The user deploys with typescrpt tooling.", "The user's shop is written in TypeScript."):
            await engine.memories.add(each)
        await engine.memories.archive([1])

        found = await engine.search.find("typescrpt paths", 3)

        assert [hit.view.memory.id for hit in found.hits] == [2]
