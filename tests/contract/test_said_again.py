"""What saying a memory again does is decided by the rule; what it never may do."""

from __future__ import annotations

import pytest
from fakes.records import begin, header, remember

from orca_core.model.memories import Added, Memory, NewMemory, SaidAgain, State
from orca_core.rules.memory import memory_curation, said_again

ROME, BERN = "I live in Rome", "I live in Bern"


def takes_the_first(_known: Memory, _new: NewMemory) -> SaidAgain:
    """No rule of Orca's: what is said again is promoted, in the place of the first two memories."""
    return SaidAgain(Added.PROMOTED, {}, archives=(1, 2))


@pytest.fixture(autouse=True)
def rule(monkeypatch: pytest.MonkeyPatch) -> None:
    """The rule above decides."""
    monkeypatch.setattr(said_again, "said_again", takes_the_first)


async def test_what_is_said_again_goes_by_the_rule(opened) -> None:
    async with opened() as stores:
        rome, _, bern = await remember(stores, ROME, "I live in Oslo", BERN)
        by_hand = await stores.memories.add(NewMemory(BERN), header())
        by_a_turn = (await begin(stores, remember=NewMemory(BERN))).remembered

        assert (by_hand.outcome, by_hand.memory.id) == (Added.PROMOTED, bern)
        assert by_a_turn is not None
        assert by_a_turn.outcome is Added.PROMOTED
        [now] = await stores.memories.get([rome])
        assert (now.state, now.superseded_by) == (State.ARCHIVED, bern)


async def test_a_memory_never_takes_its_own_place(opened) -> None:
    async with opened() as stores:
        first, second = await remember(stores, ROME, BERN)
        await stores.memories.add(NewMemory(ROME), header())

        kept, gone = await stores.memories.get([first, second])
        assert (kept.state, kept.superseded_by) == (State.LIVE, None)
        assert (gone.state, gone.superseded_by) == (State.ARCHIVED, first)


async def test_a_pinned_memory_is_never_superseded_even_where_a_rule_says_so(opened) -> None:
    async with opened() as stores:
        [pinned] = await remember(stores, ROME)
        await stores.memories.change([pinned], header("pin"), memory_curation.each(memory_curation.pin))
        await remember(stores, BERN)
        await stores.memories.add(NewMemory(BERN), header())

        [now] = await stores.memories.get([pinned])
        assert (now.state, now.pinned, now.superseded_by) == (State.LIVE, True, None)
