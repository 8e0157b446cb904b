"""What is taken back or brought again after one of two merged memories was deleted: the other is not put away for it."""

from __future__ import annotations

import pytest
from fakes.records import header, later, remember
from fakes.slices import slices_of

from orca_core.model.memories import State
from orca_core.rules.memory import memory_curation, undo_rules


@pytest.mark.parametrize("size", [0, 1])
async def test_a_merge_brought_again_puts_nothing_away_for_what_was_deleted(opened, size: int) -> None:
    async with opened() as stores:
        kept, other = await remember(stores, "Lin drinks coffee", "Lin drinks coffee every morning")
        merge = memory_curation.merge(kept, content=None, max_weight=10)
        await stores.memories.change([kept, other], header("merge", later(1)), merge)
        await stores.history.undo(None, later(2), undo_rules.plan)
        await stores.memories.delete([kept], header("delete", later(3)))

        with slices_of(size):
            redone = await stores.history.redo(None, later(4), undo_rules.plan)

        [memory] = await stores.memories.get([other])
        assert (memory.state, memory.superseded_by) == (State.LIVE, None)
        assert [(each.ref.id, each.field, each.found) for each in redone.conflicts] == [(other, "state", "live")]


async def test_a_restore_taken_back_puts_nothing_away_for_what_was_deleted(opened) -> None:
    async with opened() as stores:
        kept, other = await remember(stores, "Lin drinks coffee", "Lin drinks coffee every morning")
        merge = memory_curation.merge(kept, content=None, max_weight=10)
        await stores.memories.change([kept, other], header("merge", later(1)), merge)
        back = memory_curation.each(lambda memory: memory_curation.restore(memory, archive_threshold=0.3))
        restored = await stores.memories.change([other], header("restore", later(2)), back)
        await stores.memories.delete([kept], header("delete", later(3)))

        await stores.history.undo(restored.operation, later(4), undo_rules.plan)

        [memory] = await stores.memories.get([other])
        assert memory.state is State.LIVE


async def test_a_merge_brought_again_stands_where_both_are_there(opened) -> None:
    async with opened() as stores:
        kept, other = await remember(stores, "Lin drinks coffee", "Lin drinks coffee every morning")
        merge = memory_curation.merge(kept, content=None, max_weight=10)
        await stores.memories.change([kept, other], header("merge", later(1)), merge)
        await stores.history.undo(None, later(2), undo_rules.plan)
        await stores.history.redo(None, later(3), undo_rules.plan)
        [memory] = await stores.memories.get([other])
        assert (memory.state, memory.superseded_by) == (State.ARCHIVED, kept)
