"""Search by words and by vectors: what is found, what stands beside it, and the care of the indexes."""

from __future__ import annotations

import math

import pytest
from fakes.asking import asked, asked_around
from fakes.records import AT, chat, header, later, remember
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from orca_core.model.episodes import Episode
from orca_core.model.memories import Origin, OriginKind
from orca_core.model.recall import Neighbours
from orca_core.model.record_types import EPISODE, memory_ref
from orca_core.operations.stores import Stores
from orca_core.rules.memory import memory_curation
from orca_core.rules.text.search_terms import query_terms


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
    await stores.memories.change_all([ids[0]], header("archive"), memory_curation.each(lambda memory: away))

    assert await found(stores, "neovim") == [ids[1]]
    assert [hit.ref.id for hit in await asked(stores).by_vector("m", [1.0, 0.0], 5)] == [ids[1]]
    await stores.memories.change_all(
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


async def test_a_vector_of_a_text_that_changed_is_passed_over(stores) -> None:
    [memory_id] = await remember(stores, "aa")
    await stores.vectors.put(
        "m", [(memory_ref(memory_id), "another text", [1.0, 0.0]), (memory_ref(99), "x", [1.0, 0.0])]
    )

    assert await stores.vectors.progress("m") == (0, 1)


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
