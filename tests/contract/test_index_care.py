"""What records are found by is in step with them after all that is done to them, and can be made anew."""

from __future__ import annotations

from fakes.asking import asked
from fakes.records import AT, chat, header, later, remember

from orca_core.model.episodes import Episode
from orca_core.model.recall import Which
from orca_core.model.records import EPISODE, MEMORY
from orca_core.operations.stores import Stores
from orca_core.rules.memory import undo_rules

MODEL = "m"


async def out_of_step(stores: Stores) -> list[str]:
    return [each.kind.name for each in await stores.indexes.states() if not each.is_in_step]


async def found(stores: Stores) -> list[list[int]]:
    by_words = [
        [hit.ref.id for hit in await asked(stores).by_tokens(["nginx"], 9, which=Which.ALL, kind=kind)]
        for kind in (MEMORY, EPISODE)
    ]
    by_vector = [
        [hit.ref.id for hit in await asked(stores).by_vector(MODEL, [1.0, 0.0], 9, kind=kind)]
        for kind in (MEMORY, EPISODE)
    ]
    return [sorted(each) for each in (*by_words, *by_vector)]


async def embed(stores: Stores) -> None:
    waiting = await stores.vectors.unembedded(MODEL, 99)
    await stores.vectors.put(MODEL, [(each.ref, each.text, [1.0, 0.5]) for each in waiting])
    await stores.vectors.refresh_index(MODEL)


async def test_nothing_that_is_done_by_the_ports_leaves_the_index_out_of_step(opened) -> None:
    async with opened() as stores:
        episodes = stores.records[EPISODE]
        await chat(stores)
        ids = await remember(stores, "nginx runs", "the nginx host")
        for number in range(3):
            await episodes.add(Episode(0, f"u{number}", f"nginx {number}", "nginx", AT, AT, AT), header())
        await embed(stores)
        assert await out_of_step(stores) == []

        away = {"state": "archived", "archived_because": "faded"}
        put_away = await episodes.change_all([1], header("fade"), lambda some: {each.id: away for each in some})
        await episodes.change(2, {"text": "nginx again"}, header("edit"))
        await episodes.delete([3], header("delete"))
        await stores.memories.delete(ids[:1], header("delete"))
        assert await out_of_step(stores) == []

        await stores.history.undo(put_away.operation, later(), undo_rules.plan)
        await embed(stores)
        assert await out_of_step(stores) == []


async def test_made_anew_it_finds_what_it_found(opened) -> None:
    async with opened() as stores, opened("team") as team:
        for each in (stores, team):
            await remember(each, "nginx runs")
            await each.records[EPISODE].add(Episode(0, "u", "nginx", "nginx", AT, AT, AT), header())
            await embed(each)
        before = [await found(each) for each in (stores, team)]
        assert all(all(hits) for hits in before[0])

        counts = await stores.indexes.counts()
        assert [counts[kind] for kind in (MEMORY, EPISODE)] == [2, 2]
        for kind in (MEMORY, EPISODE):
            told: list[int] = []
            await stores.indexes.mend(kind, told.append)
            assert told[-1] == 2
        await stores.vectors.refresh_index(MODEL)

        assert [await found(each) for each in (stores, team)] == before
        assert await out_of_step(stores) == []


async def test_words_are_counted_piece_by_piece_to_the_end(opened) -> None:
    async with opened() as stores:
        while await stores.indexes.count_words(1):
            continue
        await remember(stores, "a kayak tour", "a kayak")

        assert not await stores.indexes.count_words(1)
        assert (await asked(stores).statistics(["kayak", "tour"])).frequencies == {"kayak": 2, "tour": 1}
        await stores.indexes.mend(MEMORY)
        assert (await asked(stores).statistics(["kayak", "tour"])).frequencies == {"kayak": 2, "tour": 1}
        assert not await stores.indexes.count_words(3)
        assert (await asked(stores).statistics(["kayak", "tour"])).frequencies == {"kayak": 2, "tour": 1}


async def test_joined_indexes_find_the_same(opened) -> None:
    async with opened() as stores:
        for number in range(12):
            await remember(stores, f"a kayak tour {number}")
        before = await asked(stores).by_tokens(["kayak", "tour"], 20)
        await stores.indexes.join_words()

        assert len(before) == 12
        assert await asked(stores).by_tokens(["kayak", "tour"], 20) == before
        assert [each for each in await stores.indexes.states() if not each.is_in_step] == []
