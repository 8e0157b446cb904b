"""What an import brought is compared with what is known, by the rules by which what a person adds is, and after it."""

from __future__ import annotations

from typing import Any

from fakes.exchange import a_memory, brought, document, only_brought
from fakes.records import later, remember

from orca_core.model.memories import Why
from orca_core.operations.stores import Stores
from orca_core.rules.memory import undo_rules

LOW, HIGH = "The rent is 900 euros", "The rent is 950 euros"


async def pairs(stores: Stores) -> list[tuple[str, str, str]]:
    found = await stores.memories.undecided()
    return [(each.newer.content, each.older.content, each.why) for each in found]


async def test_two_values_that_come_together_are_listed(opened: Any) -> None:
    dated = (a_memory(LOW, created_at="2024-01-01"), a_memory(HIGH, created_at="2025-01-01"))
    async with opened() as stores:
        await brought(stores, document(*dated, a_memory("I like tea")))
        assert await pairs(stores) == [(HIGH, LOW, Why.CONFLICT)]
        assert await stores.exchange.uncompared() == 0


async def test_what_comes_is_compared_with_what_was_known(opened: Any) -> None:
    async with opened() as stores:
        await remember(stores, LOW)
        await brought(stores, document(a_memory(HIGH)), trust=True)
        assert {*(await pairs(stores))[0][:2]} == {LOW, HIGH}


async def test_what_waits_is_compared_when_it_is_accepted(opened: Any) -> None:
    async with opened() as stores:
        await remember(stores, LOW)
        await brought(stores, document(a_memory(HIGH)))
        assert await pairs(stores) == []


async def test_many_are_compared_in_slices(opened: Any) -> None:
    many = [
        a_memory(f"{one}{two}{one} {two}{one}{two} {one}{one}{two}") for one in "bcdfghklmnpr" for two in "stvwxzaeio"
    ]
    async with opened() as stores:
        await only_brought(stores, document(*many, a_memory(LOW), a_memory(HIGH)))
        sizes = []
        while size := await stores.exchange.compare(later()):
            sizes.append(size)
        assert (len(sizes) > 1, sum(sizes)) == (True, 122)
        assert len(await pairs(stores)) == 1


async def test_what_a_process_left_uncompared_is_compared_by_the_next(opened: Any) -> None:
    async with opened() as stores:
        await only_brought(stores, document(a_memory(LOW), a_memory(HIGH)))
    async with opened() as stores:
        assert (await pairs(stores), await stores.exchange.uncompared()) == ([], 2)
        await stores.exchange.compare(later())
        await stores.exchange.compare(later())
        assert (len(await pairs(stores)), await stores.exchange.uncompared()) == (1, 0)


async def test_what_was_taken_back_meanwhile_is_not_listed(opened: Any) -> None:
    async with opened() as stores:
        await only_brought(stores, document(a_memory(LOW), a_memory(HIGH)))
        await stores.history.undo(None, later(), undo_rules.plan)
        await stores.exchange.compare(later())
        assert await pairs(stores) == []


async def test_another_profile_compares_its_own(opened: Any) -> None:
    async with opened() as stores:
        await only_brought(stores, document(a_memory(LOW), a_memory(HIGH)))
    async with opened("team") as stores:
        assert (await stores.exchange.uncompared(), await stores.exchange.compare(later())) == (0, 0)
    async with opened() as stores:
        assert await stores.exchange.uncompared() == 2
