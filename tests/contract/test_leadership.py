"""Who learns: one Orca a profile, one task an Orca, and nobody who was cancelled."""

from __future__ import annotations

import asyncio


async def test_a_leader_of_one_profile_leaves_the_others_alone(opened) -> None:
    async with opened() as first, opened() as second, opened("work") as other:
        assert await first.leadership.acquire()
        assert not await second.leadership.acquire()
        assert await other.leadership.acquire()
        await first.leadership.resign()
        assert await second.leadership.acquire()


async def test_one_task_leads_at_a_time(opened) -> None:
    async with opened() as stores:
        assert await stores.leadership.acquire()
        second = asyncio.create_task(stores.leadership.acquire())
        for _ in range(5):
            await asyncio.sleep(0)
        assert not second.done()
        await stores.leadership.resign()
        assert await asyncio.wait_for(second, 30)


async def test_a_wait_for_the_lead_that_is_cancelled_leaves_it_to_the_next(opened) -> None:
    async with opened() as stores:
        assert await stores.leadership.acquire()
        waiting = [asyncio.create_task(stores.leadership.acquire()) for _ in range(2)]
        await asyncio.sleep(0)
        waiting[0].cancel()
        await stores.leadership.resign()
        assert await asyncio.wait_for(waiting[1], 30)


async def test_two_views_of_one_handle_keep_each_other_out(engine) -> None:
    database = await engine()
    first, second, other = (database.scope(name) for name in ("me", "me", "work"))
    assert await first.leadership.acquire()
    assert not await second.leadership.acquire()
    assert await other.leadership.acquire()
    await first.housekeeping.aclose()
    assert await second.leadership.acquire()
    await database.aclose()


async def test_two_handles_on_one_database_keep_each_other_out(engine) -> None:
    one, two = await engine(), await engine()
    leader, waiting = one.scope("me"), two.scope("me")
    assert await leader.leadership.acquire()
    assert not await waiting.leadership.acquire()
    assert await two.scope("work").leadership.acquire()
    await leader.housekeeping.aclose()
    await one.aclose()
    assert await waiting.leadership.acquire()
    await two.aclose()
