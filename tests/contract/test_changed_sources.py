"""Episodes that say something else than what was read of them, and consolidations taken back out of their order."""

from __future__ import annotations

from fakes.records import header
from fakes.teaching import again, archive, back, claimed, consolidated, known, made, marks, worked

from orca_core.model.memories import State
from orca_core.model.records import EPISODE, KNOWLEDGE


async def test_an_episode_that_was_changed_renews_what_it_taught_once(opened) -> None:
    async with opened() as stores:
        await worked(stores, "a", "b", "c")
        await made(stores)
        edit = await stores.records[EPISODE].change_all(
            [2], header("edit"), lambda _: {2: {"outcome": "failed", "outcome_summary": "it came back"}}
        )
        [target] = await stores.knowledge.targets()
        assert (target.waiting, target.unread) == (1, 1)
        batch = await claimed(stores)
        assert ([each.id for each in batch.episodes], [each.id for each in batch.earlier]) == ([2], [3, 1])
        await stores.learning.release(batch)

        renewed = await made(stores, "it does not help")

        assert renewed.knowledge is not None
        assert (renewed.knowledge.version, renewed.knowledge.source_episodes) == (2, (1, 2, 3))
        assert await consolidated(stores) is None
        await back(stores, edit.operation)
        third = await made(stores, "it helps after all")
        assert third.knowledge is not None
        assert third.knowledge.version == 3
        await back(stores, third.operation)
        assert await consolidated(stores) is None


async def test_a_change_that_is_taken_back_is_none(opened) -> None:
    async with opened() as stores:
        await worked(stores, "a", "b", "c")
        await made(stores)
        edit = await stores.records[EPISODE].change_all([2], header("edit"), lambda _: {2: {"outcome": "failed"}})
        await back(stores, edit.operation)

        assert await consolidated(stores) is None


async def test_what_says_the_same_is_not_read_again(opened) -> None:
    async with opened() as stores:
        await worked(stores, "a", "b", "c")
        await made(stores)
        await stores.records[EPISODE].change(1, {"access_count": 3, "pinned": True}, header("pin"))
        await archive(stores, 2)
        await stores.records[EPISODE].change(2, {"state": "live", "archived_because": None}, header("restore"))

        assert await consolidated(stores) is None


async def test_a_changed_episode_waits_while_a_person_keeps_the_knowledge(opened) -> None:
    async with opened() as stores:
        await worked(stores, "a", "b", "c")
        await made(stores)
        await stores.records[KNOWLEDGE].change(1, {"pinned": True}, header("pin"))
        await stores.records[EPISODE].change(2, {"outcome": "failed"}, header("edit"))

        assert await consolidated(stores) is None
        assert (await made(stores, target="orders")).knowledge is not None


async def test_taking_back_the_first_of_two_leaves_the_newer_one(opened) -> None:
    async with opened() as stores:
        await worked(stores, "a", "b", "c")
        first = await made(stores)
        await worked(stores, "d")
        await made(stores, "look at the pool")

        undone = await back(stores, first.operation)

        assert ((await known(stores, 1)).state, (await known(stores, 1)).source_episodes) == (State.LIVE, (1, 2, 3, 4))
        assert set((await marks(stores)).values()) == {1}
        await again(stores, undone)
        assert ((await known(stores, 1)).state, (await known(stores, 1)).source_episodes) == (State.LIVE, (1, 2, 3, 4))
        assert set((await marks(stores)).values()) == {1}


async def test_an_older_version_is_not_taken_out_of_a_newer_one(opened) -> None:
    async with opened() as stores:
        await worked(stores, "a", "b", "c")
        await made(stores)
        await worked(stores, "d")
        second = await made(stores, "look at the pool")
        await worked(stores, "e")
        await made(stores, "and at the disk")

        await back(stores, second.operation)

        now = await known(stores, 1)
        assert (now.version, now.content, now.source_episodes) == (3, "and at the disk", (1, 2, 3, 4, 5))
        assert set((await marks(stores)).values()) == {1}


async def test_archived_knowledge_marks_nothing_and_marks_again_once_restored(opened) -> None:
    async with opened() as stores:
        await worked(stores, "a", "b", "c")
        await made(stores)
        put_away = await stores.records[KNOWLEDGE].change_all(
            [1], header("archive"), lambda _: {1: {"state": "archived"}}
        )
        assert set((await marks(stores)).values()) == {None}
        assert await consolidated(stores) is None

        await back(stores, put_away.operation)

        assert set((await marks(stores)).values()) == {1}
