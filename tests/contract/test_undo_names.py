"""What an undo names besides what it restores."""

from __future__ import annotations

import pytest
from fakes.records import header, later, remember

from orca_core.model.errors import NotFound
from orca_core.rules.memory import memory_curation, undo_rules


async def test_an_undo_does_not_name_what_was_taken_back_since(opened) -> None:
    async with opened() as stores:
        [memory_id] = await remember(stores, "aa")
        first = await stores.memories.change([memory_id], header("pin"), memory_curation.each(memory_curation.pin))
        second = await stores.memories.change([memory_id], header("edit"), lambda _: {memory_id: {"weight": 4.0}})
        await stores.history.undo(second.operation, later(), undo_rules.plan)
        undone = await stores.history.undo(first.operation, later(), undo_rules.plan)
        assert undone.later == ()


async def test_an_act_of_which_nothing_is_left_is_passed_over_and_the_delete_named(opened) -> None:
    async with opened() as stores:
        kept, gone = await remember(stores, "I live in Oslo", "I like cats")
        await stores.memories.change([kept], header("pin"), memory_curation.each(memory_curation.pin))
        await stores.memories.change([gone], header("pin"), memory_curation.each(memory_curation.pin))
        empty = (await stores.history.operations(1))[0].id
        await stores.memories.delete([gone], header("delete"))

        undone = await stores.history.undo(None, later(), undo_rules.plan)

        assert [memory.id for memory in undone.memories] == [kept]
        assert [each.operation.id for each in undone.passed_over] == [empty + 1]
        [memory] = await stores.memories.get([kept])
        assert not memory.pinned


async def test_where_nothing_is_left_of_any_act_there_is_nothing_to_take_back(opened) -> None:
    async with opened() as stores:
        await stores.memories.delete(await remember(stores, "I like cats"), header("delete"))
        before = await stores.history.operations(9)
        with pytest.raises(NotFound, match="there is nothing to take back"):
            await stores.history.undo(None, later(), undo_rules.plan)
        assert await stores.history.operations(9) == before
