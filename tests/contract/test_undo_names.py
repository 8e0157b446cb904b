"""What an undo names besides what it restores."""

from __future__ import annotations

from fakes.records import header, later, remember

from orca_core.rules.keeping import curation, undo


async def test_an_undo_does_not_name_what_was_taken_back_since(opened) -> None:
    async with opened() as stores:
        [memory_id] = await remember(stores, "aa")
        first = await stores.memories.change([memory_id], header("pin"), curation.each(curation.pin))
        second = await stores.memories.change([memory_id], header("edit"), lambda _: {memory_id: {"weight": 4.0}})
        await stores.history.undo(second.operation, later(), undo.plan)
        undone = await stores.history.undo(first.operation, later(), undo.plan)
        assert undone.later == ()
