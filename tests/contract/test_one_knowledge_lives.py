"""One piece of knowledge lives on a target, however a second one would come to live beside it."""

from __future__ import annotations

from fakes.records import AT, header, later
from fakes.teaching import again, back, consolidated, known, made, retold, worked

from orca_core.model.memories import ArchivedBecause, State
from orca_core.model.operations import Conflict
from orca_core.model.records import KNOWLEDGE, Ref
from orca_core.operations.stores import Stores
from orca_core.rules.memory import undo_rules
from orca_core.rules.work import work_curation


async def living(stores: Stores) -> list[int]:
    return [each.id async for each in stores.records[KNOWLEDGE].all() if each.state is State.LIVE]


async def test_an_older_consolidation_that_is_done_again_gives_way_to_the_newer_one(opened) -> None:
    async with opened() as stores:
        await worked(stores, "a", "b", "c")
        first = (await made(stores)).operation
        undone = await back(stores, first)
        await worked(stores, "d")
        await made(stores, "of four")
        assert await living(stores) == [2]

        redone = await stores.history.redo(undone, later(51), undo_rules.plan)

        assert await living(stores) == [2]
        assert (await known(stores, 1)).archived_because is ArchivedBecause.SUPERSEDED
        assert redone.conflicts == (Conflict(Ref(KNOWLEDGE, 1), "state", "live", "archived"),)


async def test_what_a_person_restores_takes_the_place_of_what_lives(opened) -> None:
    async with opened() as stores:
        await _two_versions(stores)

        restored = await stores.records[KNOWLEDGE].change_all(
            [1], header("restore"), work_curation.each(work_curation.restore(KNOWLEDGE))
        )

        assert await living(stores) == [1]
        assert (await known(stores, 2)).archived_because is ArchivedBecause.SUPERSEDED
        undone = await back(stores, restored.operation)
        assert await living(stores) == [2]
        await again(stores, undone)
        assert await living(stores) == [1]


async def test_of_two_that_are_restored_at_once_one_stands(opened) -> None:
    async with opened() as stores:
        await _two_versions(stores)
        await _archived(stores, 2)

        restored = await stores.records[KNOWLEDGE].change_all(
            [1, 2], header("restore"), work_curation.each(work_curation.restore(KNOWLEDGE))
        )

        assert await living(stores) == [2]
        assert [each.state for each in restored.records] == [State.ARCHIVED, State.LIVE]


async def test_of_two_that_are_accepted_at_once_one_stands(opened) -> None:
    async with opened() as stores:
        for target in ("one", "two"):
            await worked(stores, "a", "b", "c", target=target)
            await consolidated(stores, held="not_in_sources")
        await stores.knowledge.rename_target("two", "one", header("rename_target"), retold)

        await stores.knowledge.accept([1, 2], header("accept"), work_curation.accept(KNOWLEDGE))

        assert await living(stores) == [2]


async def test_two_known_targets_that_become_one_keep_what_knows_the_newest_episode(opened) -> None:
    async with opened() as stores:
        for target in ("one", "two"):
            await worked(stores, "a", "b", "c", target=target)
            await made(stores)

        renamed = await stores.knowledge.rename_target("one", "Two", header("rename_target"), retold)

        assert await living(stores) == [2]
        await back(stores, renamed.operation)
        assert await living(stores) == [1, 2]


async def test_a_pinned_one_stays_until_its_pin_is_taken_off(opened) -> None:
    async with opened() as stores:
        await worked(stores, "a", "b", "c", target="one")
        await made(stores)
        await stores.records[KNOWLEDGE].change(1, {"pinned": True}, header("pin"))
        await worked(stores, "a", "b", "c", target="two")
        await made(stores)
        await stores.knowledge.rename_target("one", "two", header("rename_target"), retold)
        assert await living(stores) == [1, 2]

        await stores.records[KNOWLEDGE].change_all([1], header("unpin"), work_curation.each(work_curation.unpin))

        assert await living(stores) == [2]


async def test_the_first_version_is_not_taken_back_while_a_newer_one_stands(opened) -> None:
    async with opened() as stores:
        await worked(stores, "a", "b", "c")
        first = await made(stores)
        await worked(stores, "d")
        second = await made(stores, "of four")

        assert first.operation is not None
        undone = await stores.history.undo(first.operation, later(50), undo_rules.plan)

        assert [each.field for each in undone.conflicts] == ["version"]
        assert [(each.state, each.version, each.content) for each in [await known(stores, 1)]] == [
            (State.LIVE, 2, "of four")
        ]
        assert second.operation is not None
        await back(stores, second.operation)
        assert (await known(stores, 1)).version == 1


async def _two_versions(stores: Stores) -> None:
    """The first archived by hand, the second made of the same episodes."""
    await worked(stores, "a", "b", "c")
    await made(stores)
    await _archived(stores, 1)
    await made(stores, "made anew", target="orders")
    assert await living(stores) == [2]


async def _archived(stores: Stores, number: int) -> None:
    await stores.records[KNOWLEDGE].change_all(
        [number], header("archive"), work_curation.each(work_curation.archive(AT))
    )
