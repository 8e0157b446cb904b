"""What a memory lives on, through a store: set where it comes alive, and given back by undo and redo."""

from __future__ import annotations

import pytest
from fakes.records import AT, header, later

from orca_core.domain.journal import Actor, OperationHeader
from orca_core.domain.memories import ConfirmedBy, NewMemory, Origin, OriginKind, State
from orca_core.domain.stores import Stores
from orca_core.rules.keeping import curation, undo

HAND, TYPED = ConfirmedBy.HAND, ConfirmedBy.TYPED
LEARNT = Origin(OriginKind.EXTRACTION, "s", (1,))


async def confirmed_by(stores: Stores) -> ConfirmedBy | None:
    [memory] = await stores.memories.get([1])
    return memory.confirmed_by


async def learnt(stores: Stores, state: State = State.LIVE) -> None:
    by_machine = OperationHeader(Actor.EXTRACTION, "extract", AT)
    held = None if state is State.LIVE else "weak_evidence"
    await stores.memories.add(NewMemory("vim", origin=LEARNT, state=state, held_because=held), by_machine)


CHANGES = [
    ("edit", State.LIVE, curation.each(curation.edit(content="neovim", max_weight=10)), TYPED),
    ("accept", State.CANDIDATE, curation.accept({1: "vim"}), None),
]


@pytest.mark.parametrize(("action", "state", "decide", "was"), CHANGES, ids=[each[0] for each in CHANGES])
async def test_undo_gives_back_what_it_lived_on(
    opened, action: str, state: State, decide: curation.Decide, was: ConfirmedBy | None
) -> None:
    async with opened() as stores:
        await learnt(stores, state)
        assert await confirmed_by(stores) is was

        await stores.memories.change([1], header(action), decide)
        assert await confirmed_by(stores) is HAND
        await stores.history.undo(None, later(1), undo.plan)
        assert await confirmed_by(stores) is was
        await stores.history.redo(None, later(2), undo.plan)
        assert await confirmed_by(stores) is HAND


async def test_what_is_added_by_hand_is_a_hands(opened) -> None:
    async with opened() as stores:
        await learnt(stores)
        await stores.memories.add(NewMemory("vim"), header("add"))
        assert await confirmed_by(stores) is HAND

        await stores.history.undo(None, later(1), undo.plan)
        assert await confirmed_by(stores) is TYPED


async def test_a_later_hand_stands_where_an_earlier_one_is_taken_back(opened) -> None:
    async with opened() as stores:
        await learnt(stores, State.CANDIDATE)
        by_machine = OperationHeader(Actor.EXTRACTION, "extract", AT)
        typed = await stores.memories.add(NewMemory("vim", origin=LEARNT), by_machine)
        await stores.memories.change([1], header("edit"), curation.each(curation.edit(tags=["x"], max_weight=10)))

        undone = await stores.history.undo(typed.operation, later(1), undo.plan)

        assert await confirmed_by(stores) is HAND
        assert "confirmed_by" not in [each.field for each in undone.conflicts]
