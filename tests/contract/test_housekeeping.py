"""What is done while nobody waits, and what `doctor` asks."""

from __future__ import annotations

import asyncio

from fakes.asking import asked
from fakes.records import AT, chat, header, later, remember


async def test_a_sound_store_says_so(opened) -> None:
    async with opened() as stores:
        await remember(stores, "a giraffe")
        await chat(stores)
        health = await stores.housekeeping.health()
        assert (health.integrity, health.long_term_readable) == ("ok", True)
        assert health.counts == {"sessions": 1, "rounds": 1, "short_term": 1, "queue": 1, "long_term": 1} | {
            "tools": 0,
            "tool_calls": 0,
        }
        assert await stores.housekeeping.long_term_readable()
        await stores.housekeeping.try_to_write()


async def test_what_expired_goes_in_its_own_scope(opened) -> None:
    async with opened() as stores, opened("work") as work:
        for each in (stores, work):
            await chat(each)
        assert await stores.housekeeping.expire_short_term(later(), 1) == 0
        assert await stores.housekeeping.expire_short_term(later(2 * 24 * 60), 1) == 1
        assert await stores.search.short_term("s", later(), 30, 9) == []
        assert len(await work.search.short_term("s", later(), 30, 9)) == 1


async def test_a_quiet_moment_ends_with_nothing_left_to_wipe(opened) -> None:
    async with opened() as stores:
        [memory] = await remember(stores, "a giraffe")
        assert await stores.housekeeping.idle()
        await stores.memories.delete([memory], header("delete"))
        assert await stores.housekeeping.idle()


async def test_a_round_of_a_process_that_lives_is_left_alone(opened) -> None:
    async with opened() as stores:
        await chat(stores, at=AT)
        assert await stores.housekeeping.recover() == 0


async def test_a_store_that_was_searched_and_then_changed_by_another_is_sound(opened) -> None:
    async with opened() as stores, opened() as other:
        ids = await remember(stores, *(f"giraffe {number}" for number in range(40)))
        await asyncio.gather(*(asked(stores).by_tokens(["giraff"], 5) for _ in range(8)))
        await other.memories.delete(ids, header("delete"))
        for _ in range(3):
            assert (await stores.housekeeping.health()).integrity == "ok"
