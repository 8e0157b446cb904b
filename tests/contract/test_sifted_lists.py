"""A list that is filtered by a text or tags is found in slices, and is the same list in the end."""

from __future__ import annotations

import random
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from itertools import pairwise

import pytest
from fakes.records import header, remember
from msgspec.structs import replace

from orca_core.model.memories import State
from orca_core.model.views import MemoryQuery, MemorySort, StatusCriteria, TextPlace
from orca_core.operations.stores import Stores
from orca_core.services import memories as sifting

WORDS = ("postgres", "runs", "端口", "用户", "coffee", "100%", "a_b")
LIVE = StatusCriteria((State.LIVE,))


async def fill(stores: Stores, memories: int = 45) -> None:
    """Memories, every tenth of which is archived."""
    chance = random.Random(8)
    for number in range(memories):
        text = f"{' '.join(chance.sample(WORDS, 3))} {number}"
        tags = ("db",) if number % 4 == 0 else ()
        [made] = await remember(stores, text, pinned=chance.random() < 0.3, tags=tags)
        if number % 10 == 0:
            await stores.memories.change([made], header("archive"), lambda _all, n=made: {n: {"state": "archived"}})


@asynccontextmanager
async def filled(opened) -> AsyncIterator[Stores]:
    """A scope that reads another besides."""
    async with opened("team") as team:
        await fill(team)
    async with opened("me", "team") as both:
        await fill(both)
        yield both


@pytest.mark.long
@pytest.mark.parametrize("sort", [MemorySort.WEIGHT, MemorySort.NEW, MemorySort.TYPE])
@pytest.mark.parametrize(
    "filtered",
    [{"text": "pstg"}, {"text": "端口 coffee"}, {"text": "100%"}, {"text": "a_b 4"}, {"tags": ("db",)}, {"text": "zz"}],
    ids=str,
)
async def test_slices_come_to_the_list_as_one_look_finds_it(
    opened, monkeypatch: pytest.MonkeyPatch, sort: MemorySort, filtered: Mapping[str, object]
) -> None:
    async with filled(opened) as stores:
        query = MemoryQuery(LIVE, sort=sort, **filtered)  # type: ignore[arg-type]
        whole = tuple(memory.id for memory in (await stores.memories.page(query)).memories)
        for first, each, shown in ((7, 13, 200), (7, 13, 3), (1, 1, 1), (1_000, 13, 200)):
            monkeypatch.setattr(sifting, "LOOKED_AT_FIRST", first)
            monkeypatch.setattr(sifting, "LOOKED_AT", each)
            monkeypatch.setattr(sifting, "SHOWN", shown)
            told = [sifted async for sifted in sifting.sifted(stores.memories, query)]
            assert (told[-1].ids, told[-1].total, told[-1].is_whole) == (whole, len(whole), True)
            assert not any(sifted.is_whole for sifted in told[:-1])
            assert all(before.total <= after.total for before, after in pairwise(told))
            assert all(set(sifted.ids) <= set(whole) for sifted in told)
            assert told[0].ids == whole[: len(told[0].ids)]


async def test_what_is_edited_away_meanwhile_is_in_the_list_no_more(opened, monkeypatch: pytest.MonkeyPatch) -> None:
    async with filled(opened) as stores:
        monkeypatch.setattr(sifting, "LOOKED_AT_FIRST", 2)
        query = MemoryQuery(LIVE, text="postgres")
        [first] = (await stores.memories.page(replace(query, sort=MemorySort.NEW, limit=1))).memories
        told = []
        async for sifted in sifting.sifted(stores.memories, query):
            if not told:
                await stores.memories.change(
                    [first.id], header("archive"), lambda _all: {first.id: {"state": "archived"}}
                )
            told.append(sifted)
        assert first.id not in told[-1].ids
        assert told[-1].ids == tuple(memory.id for memory in (await stores.memories.page(query)).memories)


async def test_the_texts_are_looked_through_scope_by_scope(opened) -> None:
    async with filled(opened) as stores:
        query = MemoryQuery(LIVE, text="pstg")
        found, places, place = list[int](), list[TextPlace](), None
        while not places or place is not None:
            more, place = await stores.memories.among_texts(query, place, 10)
            found += more
            places.append(place)
        assert [None if each is None else each.scope for each in places] == [*["me"] * 4, *["team"] * 5, None]
        whole = [memory.id for memory in (await stores.memories.page(query)).memories]
        assert sorted(found) == sorted(whole)
        assert await stores.memories.in_order(query, [*found, 10_000]) == whole


async def test_the_beginning_says_whether_there_is_more(opened) -> None:
    async with filled(opened) as stores:
        query = MemoryQuery(LIVE, text="pstg")
        whole = [memory.id for memory in (await stores.memories.page(query)).memories]
        begins, is_whole = await stores.memories.beginning(query, 20)
        assert begins == whole[: len(begins)]
        assert 0 < len(begins) < len(whole)
        assert not is_whole
        assert await stores.memories.beginning(query, 500) == (whole, True)
