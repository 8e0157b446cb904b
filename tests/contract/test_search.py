"""Search by words and by vectors: what is found, what stands beside it, and the care of the indexes."""

from __future__ import annotations

import math
import random
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from itertools import pairwise

import pytest
from fakes.asking import asked, asked_around
from fakes.records import AT, chat, header, later, remember, usage
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from orca_core.model.episodes import Episode
from orca_core.model.errors import InvalidInput
from orca_core.model.memories import Origin, OriginKind, State
from orca_core.model.recall import Neighbours, Which
from orca_core.model.record_types import EPISODE, MEMORY, memory_ref
from orca_core.model.views import MemoryQuery, MemorySort, StatusCriteria, TextPlace
from orca_core.operations.stores import Stores
from orca_core.rules.memory import memory_curation
from orca_core.rules.text.search_terms import query_terms
from orca_core.services import memories as sifting


async def found(stores: Stores, question: str) -> list[int]:
    return [hit.ref.id for hit in await asked(stores).by_tokens(query_terms(question).tokens, 5)]


@pytest.mark.parametrize(
    ("question", "memory"),
    [
        ("docker 里的 postgres 连不上", "postgres 固定在 16，端口 5433"),
        ("端口是多少来着", "postgres 固定在 16，端口 5433"),
        ("what do I use neovim for", "User writes Python in Neovim"),
        ("5433", "postgres 固定在 16，端口 5433"),
        ("C++ 的项目", "用户的 C++ 项目用 Bazel"),
        ("who is user@example.com", "mail is user@example.com"),
    ],
)
async def test_words_find_memories_in_both_languages(stores, question: str, memory: str) -> None:
    texts = [
        "postgres 固定在 16，端口 5433",
        "User writes Python in Neovim",
        "用户的 C++ 项目用 Bazel",
        "mail is user@example.com",
        "用户对花生过敏",
    ]
    ids = dict(zip(texts, await remember(stores, *texts), strict=True))

    assert (await found(stores, question))[0] == ids[memory]


async def test_what_is_not_live_is_not_found(stores) -> None:
    ids = await remember(stores, "neovim one", "neovim two")
    await stores.vectors.put(
        "m", [(memory_ref(ids[0]), "neovim one", [1.0, 0.0]), (memory_ref(ids[1]), "neovim two", [1.0, 0.1])]
    )
    away = {"state": "archived", "archived_because": "hand"}
    await asked(stores).by_vector("m", [1.0, 0.0], 5)
    await stores.memories.change([ids[0]], header("archive"), memory_curation.each(lambda memory: away))

    assert await found(stores, "neovim") == [ids[1]]
    assert [hit.ref.id for hit in await asked(stores).by_vector("m", [1.0, 0.0], 5)] == [ids[1]]
    await stores.memories.change(
        [ids[0]],
        header("restore"),
        memory_curation.each(lambda memory: {"state": "live", "archived_because": None}),
    )
    assert len(await asked(stores).by_vector("m", [1.0, 0.0], 5)) == 2


async def test_nearest_vectors_come_first_and_models_never_meet(stores) -> None:
    ids = await remember(stores, "aa", "bb", "cc")
    await stores.vectors.put("m", [(memory_ref(ids[0]), "aa", [1.0, 0.0]), (memory_ref(ids[1]), "bb", [0.6, 0.8])])
    await stores.vectors.put("other", [(memory_ref(ids[2]), "cc", [1.0, 0.0])])
    hits = await asked(stores).by_vector("m", [2.0, 0.0], 5)
    others = await asked(stores).by_vector("other", [1.0, 0.0], 5)

    assert [hit.ref.id for hit in hits] == ids[:2]
    assert [hit.cosine for hit in hits] == pytest.approx([1.0, 0.6], abs=0.01)
    assert [hit.ref.id for hit in others] == [ids[2]]
    assert [hit.ref.id for hit in await asked(stores).by_vector("m", [1.0, 0.0], 1)] == [ids[0]]


@pytest.mark.long
async def test_what_waits_is_found_behind_all_that_lives_and_was_archived(stores) -> None:
    ids = await remember(stores, *(f"a giraffe {number}" for number in range(160)))
    near, waiting = [1.0, 0.0], ids[0]
    vectors = [(memory_ref(each), f"a giraffe {number}", near) for number, each in enumerate(ids)]
    await stores.vectors.put("m", [*vectors[1:], (memory_ref(waiting), "a giraffe 0", [0.6, 0.8])])
    await stores.memories.change(ids[1:80], header("archive"), memory_curation.each(memory_curation.archive))
    await stores.memories.change([waiting], header("hold"), memory_curation.each(lambda _: {"state": "candidate"}))

    for _ in range(3):
        [by_vector] = await asked(stores).by_vector("m", near, 5, which=Which.WAITING)
        assert (by_vector.ref.id, round(by_vector.cosine, 1)) == (waiting, 0.6)
        [by_words] = await asked(stores).by_tokens(["giraff"], 5, which=Which.WAITING)
        assert by_words.ref.id == waiting
    assert await stores.vectors.refresh_index("m")
    assert await asked(stores).by_vector("m", near, 5, which=Which.WAITING) == [by_vector]


@pytest.mark.parametrize("vector", [[float("nan"), 1.0], [float("inf"), 1.0], [0.0, 0.0], []])
async def test_what_is_no_vector_is_refused(stores, vector: list[float]) -> None:
    [memory_id] = await remember(stores, "aa")
    with pytest.raises(InvalidInput):
        await stores.vectors.put("m", [(memory_ref(memory_id), "aa", vector)])
    with pytest.raises(InvalidInput):
        await asked(stores).by_vector("m", vector, 5)


async def test_a_vector_of_a_text_that_changed_is_passed_over(stores) -> None:
    [memory_id] = await remember(stores, "aa")
    await stores.vectors.put(
        "m", [(memory_ref(memory_id), "another text", [1.0, 0.0]), (memory_ref(99), "x", [1.0, 0.0])]
    )

    assert await stores.vectors.progress("m") == (0, 1)


async def test_the_noise_of_a_store_is_repeatable(stores) -> None:
    chance = random.Random(1)
    ids = await remember(stores, *(f"memory {number}" for number in range(30)))
    await stores.vectors.put(
        "m",
        [
            (memory_ref(each), f"memory {index}", [chance.gauss(0, 1) for _ in range(64)])
            for index, each in enumerate(ids)
        ],
    )
    cosines = await stores.search.random_cosines("m", 100, 5)

    assert len(cosines) == 100
    assert cosines == await stores.search.random_cosines("m", 100, 5)
    assert max(map(abs, cosines)) < 0.9
    assert await stores.search.random_cosines("none", 100, 5) == []


async def test_a_models_way_to_count_is_learnt_from_its_latest_rounds(stores) -> None:
    await chat(stores, usage=usage(120))
    await chat(stores, usage=usage(130))
    assert await stores.sessions.token_ratio("m") is None
    await chat(stores, usage=usage(500))
    for _ in range(3):
        await chat(stores, usage=usage(0))  # a server that does not count

    assert await stores.sessions.token_ratio("m") == pytest.approx(1.3)
    assert await stores.sessions.token_ratio("other") is None


async def said(stores: Stores, *memories: tuple[str, str | None, int]) -> list[int]:
    """Memories from a conversation and a round of it; their ids."""
    return [
        (await remember(stores, content, origin=Origin(OriginKind.EXTRACTION, session, (number,) if number else ())))[0]
        for content, session, number in memories
    ]


async def test_neighbours_are_of_one_conversation_in_the_order_of_its_rounds(stores) -> None:
    last, other, first, second, alone = await said(
        stores, ("aa", "s", 3), ("bb", "t", 1), ("cc", "s", 1), ("dd", "s", 2), ("ee", None, 0)
    )
    found = await asked_around(stores).neighbours([last, other, alone, 999])

    assert found[last] == Neighbours(before=second, after=None, before_that=first)
    assert found[second] == Neighbours(before=first, after=last)
    assert found[other] == Neighbours()
    assert found.keys() == {last, second, other}
    assert await asked_around(stores).neighbours([]) == {}


async def test_vectors_of_one_model_have_one_width(stores) -> None:
    first, second = await remember(stores, "aa", "bb")
    await stores.vectors.put("m", [(memory_ref(first), "aa", [1.0, 0.0, 0.0])])

    with pytest.raises(InvalidInput, match="vectors of 2 numbers, where 3 were expected"):
        await stores.vectors.put("m", [(memory_ref(second), "bb", [1.0, 0.0])])
    assert await stores.vectors.progress("m") == (1, 2)


async def test_the_newest_wait_first_and_what_is_archived_does_not_wait(stores) -> None:
    ids = await remember(stores, "aa", "bb", "cc", "dd")
    away = {"state": "archived", "archived_because": "hand"}
    await stores.memories.change([ids[1]], header("archive"), memory_curation.each(lambda memory: away))
    await stores.memories.change([ids[2]], header("hold"), memory_curation.each(lambda memory: {"state": "candidate"}))

    waiting = await stores.vectors.unembedded("m", 10)
    assert [(each.ref.id, each.text) for each in waiting] == [(ids[3], "dd"), (ids[2], "cc"), (ids[0], "aa")]
    assert len(await stores.vectors.unembedded("m", 2)) == 2
    assert await stores.vectors.progress("m") == (0, 3)


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    texts=st.lists(st.text(st.characters(exclude_categories=["Cs"]), max_size=30), min_size=1, max_size=5, unique=True),
    numbers=st.lists(st.floats(-1, 1, width=32), min_size=1, max_size=8),
)
def test_any_text_finds_its_vector_in_the_cache(run, opened, texts: list[str], numbers: list[float]) -> None:
    async def scenario() -> None:
        async with opened() as stores:
            await stores.vectors.cache("m", dict.fromkeys(texts, numbers))
        async with opened() as stores:
            cached = await stores.vectors.cached("m", texts)

        assert set(cached) == set(texts)
        assert all(math.isclose(got, given) for text in texts for got, given in zip(cached[text], numbers, strict=True))

    run(scenario())


MODEL = "m"


async def out_of_step(stores: Stores) -> list[str]:
    return [each.kind.name for each in await stores.upkeep.states() if not each.is_in_step]


async def found_everywhere(stores: Stores) -> list[list[int]]:
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


async def test_nothing_that_is_done_by_the_ports_leaves_the_index_out_of_step(stores) -> None:
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

    await stores.history.undo(put_away.operation, later())
    await embed(stores)
    assert await out_of_step(stores) == []


async def test_made_anew_it_finds_what_it_found(opened) -> None:
    async with opened() as stores, opened("team") as team:
        for each in (stores, team):
            await remember(each, "nginx runs")
            await each.records[EPISODE].add(Episode(0, "u", "nginx", "nginx", AT, AT, AT), header())
            await embed(each)
        before = [await found_everywhere(each) for each in (stores, team)]
        assert all(all(hits) for hits in before[0])

        counts = await stores.upkeep.counts()
        assert [counts[kind] for kind in (MEMORY, EPISODE)] == [2, 2]
        for kind in (MEMORY, EPISODE):
            told: list[int] = []
            await stores.upkeep.mend(kind, told.append)
            assert told[-1] == 2
        await stores.vectors.refresh_index(MODEL)

        assert [await found_everywhere(each) for each in (stores, team)] == before
        assert await out_of_step(stores) == []


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
@pytest.mark.parametrize("sort", [MemorySort.WEIGHT, MemorySort.TYPE])
@pytest.mark.parametrize(
    "filtered",
    [{"text": "端口 coffee"}, {"text": "a_b 4"}, {"tags": ("db",)}, {"text": "zz"}],
    ids=str,
)
async def test_slices_come_to_the_list_as_one_look_finds_it(
    opened, monkeypatch: pytest.MonkeyPatch, sort: MemorySort, filtered: Mapping[str, object]
) -> None:
    async with filled(opened) as stores:
        query = MemoryQuery(LIVE, sort=sort, **filtered)  # type: ignore[arg-type]
        whole = tuple(memory.id for memory in (await stores.memories.page(query)).records)
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


async def test_the_texts_are_looked_through_scope_by_scope(opened) -> None:
    async with filled(opened) as stores:
        query = MemoryQuery(LIVE, text="pstg")
        found, places, place = list[int](), list[TextPlace](), None
        while not places or place is not None:
            more, place = await stores.memories.among_texts(query, place, 10)
            found += more
            places.append(place)
        assert [None if each is None else each.scope for each in places] == [*["me"] * 4, *["team"] * 5, None]
        whole = [memory.id for memory in (await stores.memories.page(query)).records]
        assert sorted(found) == sorted(whole)
        assert await stores.memories.in_order(query, [*found, 10_000]) == whole
