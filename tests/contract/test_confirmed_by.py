"""What a memory lives on, through a store: set where it comes alive, and given back by undo and redo."""

from __future__ import annotations

from typing import Any

import pytest
from fakes.records import AT, header, later

from orca_core.model.memories import ConfirmedBy, NewMemory, Origin, OriginKind, State
from orca_core.model.operations import Actor, OperationHeader
from orca_core.operations.stores import Stores
from orca_core.rules.memory import memory_curation, undo_rules

HAND, TYPED = ConfirmedBy.HAND, ConfirmedBy.TYPED
LEARNT = Origin(OriginKind.EXTRACTION, "s", (1,))


async def confirmed_by(stores: Stores) -> ConfirmedBy | None:
    [memory] = await stores.memories.get([1])
    return memory.confirmed_by


async def learnt(stores: Stores, state: State = State.LIVE) -> None:
    by_machine = OperationHeader(Actor.EXTRACTION, "extract", AT)
    held = None if state is State.LIVE else "unread"
    await stores.memories.add(NewMemory("vim", origin=LEARNT, state=state, held_because=held), by_machine)


CHANGES = [
    ("edit", State.LIVE, memory_curation.each(memory_curation.edit(content="neovim", max_weight=10)), TYPED),
    ("accept", State.CANDIDATE, memory_curation.accept({1: "vim"}), None),
]


@pytest.mark.parametrize(("action", "state", "decide", "was"), CHANGES, ids=[each[0] for each in CHANGES])
async def test_undo_gives_back_what_it_lived_on(
    opened, action: str, state: State, decide: memory_curation.Decide, was: ConfirmedBy | None
) -> None:
    async with opened() as stores:
        await learnt(stores, state)
        assert await confirmed_by(stores) is was

        await stores.memories.change([1], header(action), decide)
        assert await confirmed_by(stores) is HAND
        await stores.history.undo(None, later(1), undo_rules.plan)
        assert await confirmed_by(stores) is was
        await stores.history.redo(None, later(2), undo_rules.plan)
        assert await confirmed_by(stores) is HAND


async def test_what_is_added_by_hand_is_a_hands(opened) -> None:
    async with opened() as stores:
        await learnt(stores)
        await stores.memories.add(NewMemory("vim"), header("add"))
        assert await confirmed_by(stores) is HAND

        await stores.history.undo(None, later(1), undo_rules.plan)
        assert await confirmed_by(stores) is TYPED


async def test_a_later_hand_stands_where_an_earlier_one_is_taken_back(opened) -> None:
    async with opened() as stores:
        await learnt(stores, State.CANDIDATE)
        by_machine = OperationHeader(Actor.EXTRACTION, "extract", AT)
        typed = await stores.memories.add(NewMemory("vim", origin=LEARNT), by_machine)
        await stores.memories.change(
            [1], header("edit"), memory_curation.each(memory_curation.edit(tags=["x"], max_weight=10))
        )

        undone = await stores.history.undo(typed.operation, later(1), undo_rules.plan)

        assert await confirmed_by(stores) is HAND
        assert "confirmed_by" not in [each.field for each in undone.conflicts]


def edited(**fields: Any) -> memory_curation.Decide:
    return memory_curation.each(memory_curation.edit(**fields, max_weight=10))


TWICE = {
    "the same field": (edited(content="neovim"), edited(content="emacs")),
    "another field": (edited(content="neovim"), edited(tags=["x"])),
    "its type": (edited(type_word="project"), edited(content="neovim")),
}


@pytest.mark.parametrize(("first", "second"), TWICE.values(), ids=TWICE)
@pytest.mark.parametrize("taken_back_first", [0, 1])
async def test_a_memory_lives_on_a_hand_until_the_last_of_its_words_is_taken_back(
    opened, first: memory_curation.Decide, second: memory_curation.Decide, taken_back_first: int
) -> None:
    async with opened() as stores:
        await learnt(stores)
        changed = [await stores.memories.change([1], header("edit"), each) for each in (first, second)]
        operations = [each.operation for each in changed]

        one, other = operations[taken_back_first], operations[1 - taken_back_first]
        await stores.history.undo(one, later(1), undo_rules.plan)
        assert await confirmed_by(stores) is HAND
        await stores.history.undo(other, later(2), undo_rules.plan)
        assert await confirmed_by(stores) is TYPED
        await stores.history.redo(None, later(3), undo_rules.plan)
        assert await confirmed_by(stores) is HAND


@pytest.mark.parametrize(
    "since", [edited(weight=3.0), memory_curation.each(memory_curation.pin)], ids=["weight", "pin"]
)
async def test_a_weight_or_a_pin_since_is_no_word_on_what_was_typed(opened, since: memory_curation.Decide) -> None:
    async with opened() as stores:
        await learnt(stores)
        worded = await stores.memories.change([1], header("edit"), edited(content="neovim"))
        await stores.memories.change([1], header("edit"), since)

        await stores.history.undo(worded.operation, later(1), undo_rules.plan)
        assert await confirmed_by(stores) is TYPED
