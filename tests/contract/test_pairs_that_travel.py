"""What a person decided of a pair of memories goes with them into another home, and so does a pair that is open."""

from __future__ import annotations

from typing import Any

from fakes.exchange import a_memory, a_pair, brought, document, exported, only_brought
from fakes.records import header, later, remember

from orca_core.domain.memories import State
from orca_core.domain.pairs import OTHER_VALUE
from orca_core.domain.stores import Stores
from orca_core.rules.keeping import undo
from orca_core.rules.keeping.curation import each as to_each

BERLIN, MUNICH, OSLO = "I live in Berlin", "I live in Munich", "I live in Oslo"


async def pairs(stores: Stores) -> set[tuple[str, str, str]]:
    found = await stores.memories.undecided()
    return {(each.newer.content, each.older.content, each.why) for each in found}


async def lived_in(stores: Stores, *towns: str) -> Any:
    """An export of a home that remembers these, and whose first two a person keeps both."""
    first, second, *_ = await remember(stores, *towns)
    await stores.memories.keep_both(first, second)
    return await exported(stores)


def told(home: Any) -> dict[str, list[tuple[str, str | None]]]:
    words = {each["uid"]: each["content"] for each in home["memories"]}
    return {
        each["content"]: [(words[pair["with"]], pair["settled"]) for pair in each["pairs"]] for each in home["memories"]
    }


async def test_pairs_stand_with_the_newer_memory(opened: Any) -> None:
    async with opened() as stores:
        assert told(await lived_in(stores, BERLIN, MUNICH, OSLO)) == {
            BERLIN: [],
            MUNICH: [(BERLIN, "both")],
            OSLO: [(BERLIN, None), (MUNICH, None)],
        }


async def test_an_empty_home_asks_what_is_open_and_no_more(opened: Any) -> None:
    async with opened() as stores, opened("other") as other:
        home = await lived_in(stores, BERLIN, MUNICH, OSLO)
        await only_brought(other, home)

        assert await pairs(other) == {(OSLO, BERLIN, OTHER_VALUE), (OSLO, MUNICH, OTHER_VALUE)}
        assert await exported(other) == home
        assert await other.exchange.uncompared() == 0


async def test_what_comes_is_compared_only_with_what_was_here(opened: Any) -> None:
    apart = (a_memory(BERLIN, pairs=[]), a_memory(MUNICH, pairs=[]))
    async with opened() as stores:
        await remember(stores, OSLO)
        await brought(stores, document(*apart), trust=True)

        assert {frozenset(each[:2]) for each in await pairs(stores)} == {
            frozenset({OSLO, each}) for each in (BERLIN, MUNICH)
        }


async def test_where_one_memory_says_nothing_of_pairs_all_are_compared(opened: Any) -> None:
    async with opened() as stores:
        await brought(stores, document(a_memory(BERLIN, pairs=[]), a_memory(MUNICH)))
        assert len(await pairs(stores)) == 1


async def test_what_waits_to_be_compared_says_nothing_of_pairs(opened: Any) -> None:
    async with opened() as stores:
        dated = (a_memory(BERLIN, created_at="2024-01-01"), a_memory(MUNICH, created_at="2025-01-01"))
        await only_brought(stores, document(*dated))
        assert ["pairs" in each for each in (await exported(stores))["memories"]] == [False, False]

        await stores.exchange.compare(later())
        assert told(await exported(stores)) == {BERLIN: [], MUNICH: [(BERLIN, None)]}


async def test_a_decision_comes_with_what_waits_for_a_person_but_says_nothing_of_what_is_here(opened: Any) -> None:
    async with opened() as stores, opened("other") as other:
        home = await lived_in(stores, BERLIN, MUNICH)
        await remember(other, OSLO)
        [oslo] = (await exported(other))["memories"]
        home["memories"][0]["pairs"] = [a_pair(oslo["uid"])]
        home["memories"].append({**oslo, "pairs": []})
        await brought(other, home)
        assert await pairs(other) == set()

        everything = await other.memories.get(range(1, 10), missing_ok=True)
        waiting = [each.id for each in everything if each.state is State.CANDIDATE]
        await other.memories.change(waiting, header("accept", later()), to_each(lambda _: {"state": "live"}))

        asked = {frozenset(each[:2]) for each in await pairs(other)}
        assert frozenset({BERLIN, MUNICH}) not in asked


async def test_a_decision_about_what_is_here_already_comes_with_the_other_one(opened: Any) -> None:
    async with opened() as stores, opened("other") as other:
        home = await lived_in(stores, BERLIN, MUNICH)
        await remember(other, BERLIN)
        await brought(other, home, trust=True)

        assert await pairs(other) == set()


async def test_undo_takes_pairs_back_and_redo_brings_them(opened: Any) -> None:
    async with opened() as stores, opened("other") as other:
        await brought(other, await lived_in(stores, BERLIN, MUNICH, OSLO))
        asked = await pairs(other)
        await other.history.undo(None, later(), undo.plan)
        assert await pairs(other) == set()
        await other.history.redo(None, later(2), undo.plan)
        assert await pairs(other) == asked


async def test_the_same_file_again_changes_no_pair(opened: Any) -> None:
    async with opened() as stores, opened("other") as other:
        home = await lived_in(stores, BERLIN, MUNICH, OSLO)
        await brought(other, home)
        for pair in await other.memories.undecided():
            await other.memories.keep_both(pair.newer.id, pair.older.id)

        assert (await brought(other, home, trust=True)).operation is None
        assert await pairs(other) == set()
