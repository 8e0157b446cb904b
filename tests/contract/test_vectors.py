"""Vectors of memories and summaries: what waits for one, what is refused, how far it got; and the cache of texts."""

from __future__ import annotations

import math

import pytest
from fakes.asking import asked
from fakes.records import chat, header, remember
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from orca_core.model.errors import InvalidInput
from orca_core.model.records import MEMORY, SUMMARY, memory_ref, summary_ref
from orca_core.rules.memory import memory_curation


async def test_vectors_of_one_model_have_one_width(opened) -> None:
    async with opened() as stores:
        first, second = await remember(stores, "aa", "bb")
        await stores.vectors.put("m", [(memory_ref(first), "aa", [1.0, 0.0, 0.0])])

        with pytest.raises(InvalidInput, match="vectors of 2 numbers, where 3 were expected"):
            await stores.vectors.put("m", [(memory_ref(second), "bb", [1.0, 0.0])])
        assert await stores.vectors.progress("m") == (1, 2)


async def test_vectors_of_two_widths_are_refused_together(opened) -> None:
    async with opened() as stores:
        first, second = await remember(stores, "aa", "bb")
        with pytest.raises(InvalidInput):
            await stores.vectors.put("m", [(memory_ref(first), "aa", [1.0, 0.0]), (memory_ref(second), "bb", [1.0])])

        assert await stores.vectors.progress("m") == (0, 2)


async def test_a_query_of_another_width_is_refused_and_harms_no_index(opened) -> None:
    async with opened() as stores:
        [memory_id] = await remember(stores, "aa")
        await stores.vectors.put("m", [(memory_ref(memory_id), "aa", [1.0, 0.0, 0.0])])
        before = await asked(stores).by_vector("m", [1.0, 0.0, 0.0], 5)

        with pytest.raises(InvalidInput):
            await asked(stores).by_vector("m", [1.0, 0.0], 5)
        assert [hit.ref.id for hit in before] == [memory_id]
        assert await asked(stores).by_vector("m", [1.0, 0.0, 0.0], 5) == before


async def test_the_newest_wait_first_and_what_is_archived_does_not_wait(opened) -> None:
    async with opened() as stores:
        ids = await remember(stores, "aa", "bb", "cc", "dd")
        away = {"state": "archived", "archived_because": "hand"}
        await stores.memories.change([ids[1]], header("archive"), memory_curation.each(lambda memory: away))
        await stores.memories.change(
            [ids[2]], header("hold"), memory_curation.each(lambda memory: {"state": "candidate"})
        )

        waiting = await stores.vectors.unembedded("m", 10)
        assert [(each.ref.id, each.text) for each in waiting] == [(ids[3], "dd"), (ids[2], "cc"), (ids[0], "aa")]
        assert len(await stores.vectors.unembedded("m", 2)) == 2
        assert await stores.vectors.progress("m") == (0, 3)


async def test_an_edited_memory_waits_again(opened) -> None:
    async with opened() as stores:
        [memory_id] = await remember(stores, "aa")
        await stores.vectors.put("m", [(memory_ref(memory_id), "aa", [1.0, 0.0])])
        assert await stores.vectors.unembedded("m", 5) == []
        await stores.memories.change(
            [memory_id], header("edit"), memory_curation.each(lambda memory: {"content": "bb"})
        )

        assert [each.text for each in await stores.vectors.unembedded("m", 5)] == ["bb"]
        assert await asked(stores).by_vector("m", [1.0, 0.0], 5) == []


async def test_another_models_vectors_are_still_to_be_made(opened) -> None:
    async with opened() as stores:
        [memory_id] = await remember(stores, "aa")
        await chat(stores)
        await stores.vectors.put(
            "m", [(memory_ref(memory_id), "aa", [1.0, 0.0]), (summary_ref(1), "summary an answer", [0.0, 1.0])]
        )

        assert await stores.vectors.progress("m") == (2, 2)
        assert await stores.vectors.progress("other") == (0, 2)
        assert [each.ref.kind for each in await stores.vectors.unembedded("other", 5)] == [MEMORY, SUMMARY]


async def test_a_vector_is_kept_at_unit_length(opened) -> None:
    async with opened() as stores:
        [memory_id] = await remember(stores, "aa")
        await stores.vectors.put("m", [(memory_ref(memory_id), "aa", [30.0, 40.0])])

        [hit] = await asked(stores).by_vector("m", [0.003, 0.004], 5)
        assert hit.cosine == pytest.approx(1.0, abs=1e-3)


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
