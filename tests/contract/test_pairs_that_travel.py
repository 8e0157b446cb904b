"""What a person decided of a pair of memories goes with them into another home, and so does a pair that is open."""

from __future__ import annotations

from typing import Any

from fakes.exchange import a_memory, a_pair, brought, document, exported, only_brought
from fakes.records import header, later, remember

from orca_core.model.memories import State, Why
from orca_core.operations.stores import Stores
from orca_core.rules.memory import undo_rules
from orca_core.rules.memory.memory_curation import each as to_each

LOW, MIDDLE, HIGH = "The rent is 900 euros", "The rent is 950 euros", "The rent is 990 euros"


async def pairs(stores: Stores) -> set[tuple[str, str, str]]:
    found = await stores.memories.undecided()
    return {(each.newer.content, each.older.content, each.why) for each in found}


async def rents(stores: Stores, *texts: str) -> Any:
    """An export of a home that remembers these, and whose first two a person keeps both."""
    first, second, *_ = await remember(stores, *texts)
    await stores.memories.keep_both(first, second)
    return await exported(stores)


def told(home: Any) -> dict[str, list[tuple[str, str | None]]]:
    words = {each["uid"]: each["content"] for each in home["memories"]}
    return {
        each["content"]: [(words[pair["with"]], pair["settled"]) for pair in each["pairs"]] for each in home["memories"]
    }


async def test_pairs_stand_with_the_newer_memory(opened: Any) -> None:
    async with opened() as stores:
        assert told(await rents(stores, LOW, MIDDLE, HIGH)) == {
            LOW: [],
            MIDDLE: [(LOW, "both")],
            HIGH: [(LOW, None), (MIDDLE, None)],
        }


async def test_an_empty_home_asks_what_is_open_and_no_more(opened: Any) -> None:
    async with opened() as stores, opened("other") as other:
        home = await rents(stores, LOW, MIDDLE, HIGH)
        await only_brought(other, home)

        assert await pairs(other) == {(HIGH, LOW, Why.CONFLICT), (HIGH, MIDDLE, Why.CONFLICT)}
        assert await exported(other) == home
        assert await other.exchange.uncompared() == 0


async def test_what_comes_is_compared_only_with_what_was_here(opened: Any) -> None:
    apart = (a_memory(LOW, pairs=[]), a_memory(MIDDLE, pairs=[]))
    async with opened() as stores:
        await remember(stores, HIGH)
        await brought(stores, document(*apart), trust=True)

        assert {frozenset(each[:2]) for each in await pairs(stores)} == {
            frozenset({HIGH, each}) for each in (LOW, MIDDLE)
        }


async def test_where_one_memory_says_nothing_of_pairs_all_are_compared(opened: Any) -> None:
    async with opened() as stores:
        await brought(stores, document(a_memory(LOW, pairs=[]), a_memory(MIDDLE)))
        assert len(await pairs(stores)) == 1


async def test_what_waits_to_be_compared_says_nothing_of_pairs(opened: Any) -> None:
    async with opened() as stores:
        dated = (a_memory(LOW, created_at="2024-01-01"), a_memory(MIDDLE, created_at="2025-01-01"))
        await only_brought(stores, document(*dated))
        assert ["pairs" in each for each in (await exported(stores))["memories"]] == [False, False]

        await stores.exchange.compare(later())
        assert told(await exported(stores)) == {LOW: [], MIDDLE: [(LOW, None)]}


async def test_a_decision_comes_with_what_waits_for_a_person_but_says_nothing_of_what_is_here(opened: Any) -> None:
    async with opened() as stores, opened("other") as other:
        home = await rents(stores, LOW, MIDDLE)
        await remember(other, HIGH)
        [oslo] = (await exported(other))["memories"]
        home["memories"][0]["pairs"] = [a_pair(oslo["uid"])]
        home["memories"].append({**oslo, "pairs": []})
        await brought(other, home)
        assert await pairs(other) == set()

        everything = await other.memories.get(range(1, 10), missing_ok=True)
        waiting = [each.id for each in everything if each.state is State.CANDIDATE]
        await other.memories.change(waiting, header("accept", later()), to_each(lambda _: {"state": "live"}))

        asked = {frozenset(each[:2]) for each in await pairs(other)}
        assert frozenset({LOW, MIDDLE}) not in asked


async def test_a_decision_about_what_is_here_already_comes_with_the_other_one(opened: Any) -> None:
    async with opened() as stores, opened("other") as other:
        home = await rents(stores, LOW, MIDDLE)
        await remember(other, LOW)
        await brought(other, home, trust=True)

        assert await pairs(other) == set()


async def test_undo_takes_pairs_back_and_redo_brings_them(opened: Any) -> None:
    async with opened() as stores, opened("other") as other:
        await brought(other, await rents(stores, LOW, MIDDLE, HIGH))
        asked = await pairs(other)
        await other.history.undo(None, later(), undo_rules.plan)
        assert await pairs(other) == set()
        await other.history.redo(None, later(2), undo_rules.plan)
        assert await pairs(other) == asked


async def test_the_same_file_again_changes_no_pair(opened: Any) -> None:
    async with opened() as stores, opened("other") as other:
        home = await rents(stores, LOW, MIDDLE, HIGH)
        await brought(other, home)
        for pair in await other.memories.undecided():
            await other.memories.keep_both(pair.newer.id, pair.older.id)

        assert (await brought(other, home, trust=True)).operation is None
        assert await pairs(other) == set()
