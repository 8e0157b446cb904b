"""What cleaning looks for in a scope, and what it changes in slices of one operation."""

from __future__ import annotations

from fakes.records import AT, chat, header, later, remember

from orca_core.model.memories import State
from orca_core.model.operations import Actor, OperationHeader
from orca_core.operations.stores import Stores
from orca_core.rules.memory import undo_rules

MODEL = "m"
CLEAN = OperationHeader(Actor.CLEAN, "clean", AT)
THRESHOLD = 0.3


async def weigh(stores: Stores, memory: int, weight: float) -> None:
    await stores.memories.change([memory], header("edit"), lambda some: {memory: {"weight": weight}})


def put_away(memories):  # type: ignore[no-untyped-def]
    return {each.id: {"state": "archived", "archived_because": "weight"} for each in memories}


async def test_when_it_was_done_is_kept_for_each_scope(opened) -> None:
    async with opened("me") as mine, opened("team") as team:
        assert await mine.cleaning.cleaned_at() is None
        await mine.cleaning.note_cleaned(AT)
        await mine.cleaning.note_cleaned(later())
        assert await team.cleaning.cleaned_at() is None
    async with opened("me") as again:
        assert await again.cleaning.cleaned_at() == later()


async def test_upkeep_was_done_when_it_was_noted_or_all_was_cleaned(opened) -> None:
    async with opened("me") as mine, opened("team") as team:
        assert await mine.cleaning.upkeep_at() is None
        await mine.cleaning.note_cleaned(AT)
        assert await mine.cleaning.upkeep_at() == AT
        await mine.cleaning.note_upkeep(later())
        assert (await mine.cleaning.upkeep_at(), await mine.cleaning.cleaned_at()) == (later(), AT)
        assert await team.cleaning.upkeep_at() is None


async def test_what_sank_in_this_scope_is_named_but_for_what_is_pinned(opened) -> None:
    async with opened("team") as team, opened("me", "team") as mine:
        [theirs] = await remember(team, "a wren")
        await weigh(team, theirs, 0.1)
        light, pinned, just, archived = await remember(mine, "an owl", "a crow", "a swift", "a kite")
        for number in (light, pinned, archived):
            await weigh(mine, number, 0.1)
        await weigh(mine, just, THRESHOLD)
        await mine.memories.change([pinned], header("pin"), lambda _some: {pinned: {"pinned": True}})
        await mine.memories.change([archived], header("archive"), put_away)

        assert list(await mine.cleaning.sunk(THRESHOLD)) == [light]


async def test_texts_of_live_memories_come_by_number_some_at_once(opened) -> None:
    async with opened("team") as team, opened("me", "team") as mine:
        await remember(team, "a wren")
        numbers = await remember(mine, "an owl", "a crow", "a swift", "a kite")
        await mine.memories.change([numbers[1]], header("archive"), put_away)

        first = await mine.cleaning.texts(0, 2)
        rest = await mine.cleaning.texts(first[-1].id, 2)

        assert [each.content for each in (*first, *rest)] == ["an owl", "a swift", "a kite"]
        assert list(await mine.cleaning.texts(rest[-1].id, 2)) == []


async def test_slices_of_one_cleaning_are_taken_back_as_one_and_left_alone_then(opened) -> None:
    async with opened() as stores:
        numbers = await remember(stores, "an owl", "a crow", "a swift")
        first = await stores.memories.change(numbers[:1], CLEAN, put_away)
        second = await stores.memories.change(numbers[1:2], CLEAN, put_away, continues=first.operation)
        assert second.operation == first.operation
        assert await stores.cleaning.left_alone() == frozenset()

        undone = await stores.history.undo(first.operation, later(), undo_rules.plan)

        assert [each.id for each in undone.memories] == numbers[:2]
        assert await stores.cleaning.left_alone() == frozenset(numbers[:2])
        await stores.history.redo(undone.operation, later(2), undo_rules.plan)
        assert await stores.cleaning.left_alone() == frozenset()
        assert [each.state for each in await stores.memories.get(numbers)] == [
            State.ARCHIVED,
            State.ARCHIVED,
            State.LIVE,
        ]


async def test_summaries_that_are_older_are_counted(opened) -> None:
    async with opened() as stores, opened("team") as team:
        for each in (stores, team):
            await chat(each)

        assert await stores.cleaning.expired(AT) == 0
        assert await stores.cleaning.expired(later(60)) == 1


async def test_no_vector_of_what_is_there_is_dropped(opened) -> None:
    async with opened() as stores:
        await remember(stores, "an owl", "a crow")
        waiting = await stores.vectors.unembedded(MODEL, 9)
        await stores.vectors.put(MODEL, [(each.ref, each.text, [1.0, 0.5]) for each in waiting])

        assert await stores.indexes.drop_orphan_vectors() == 0
        assert await stores.vectors.progress(MODEL) == (2, 2)
