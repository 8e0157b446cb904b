"""Search, vectors, receipts: what is found, and what another scope never sees."""

from __future__ import annotations

import random
from datetime import timedelta

import pytest
from fakes.asking import asked
from fakes.records import AT, chat, header, later, remember, usage

from orca_core.model.errors import InvalidInput, NotFound
from orca_core.model.recall import Which
from orca_core.model.records import MEMORY, SUMMARY, memory_ref
from orca_core.model.views import MemoryQuery
from orca_core.operations.stores import Stores
from orca_core.rules.memory import memory_curation
from orca_core.rules.memory.memory_curation import criteria
from orca_core.rules.text.search_terms import query_terms


async def found(stores: Stores, question: str) -> list[int]:
    return [hit.ref.id for hit in await asked(stores).by_tokens(query_terms(question).tokens, 5)]


@pytest.mark.parametrize(
    ("question", "memory"),
    [
        ("docker 里的 postgres 连不上", "postgres 固定在 16，端口 5433"),
        ("端口是多少来着", "postgres 固定在 16，端口 5433"),
        ("what do I use neovim for", "User writes Python in Neovim"),
        ("我用什么编辑器", "User writes Python in Neovim"),
        ("5433", "postgres 固定在 16，端口 5433"),
        ("C++ 的项目", "用户的 C++ 项目用 Bazel"),
        ("who is user@example.com", "mail is user@example.com"),
    ],
)
async def test_words_find_memories_in_both_languages(opened, question: str, memory: str) -> None:
    async with opened() as stores:
        texts = [
            "postgres 固定在 16，端口 5433",
            "User writes Python in Neovim",
            "用户的 C++ 项目用 Bazel",
            "mail is user@example.com",
            "用户对花生过敏",
        ]
        ids = dict(zip(texts, await remember(stores, *texts), strict=True))

        assert (await found(stores, question))[0] == ids[memory]


@pytest.mark.parametrize("text", ["", "*", "(", '"', "a'b", "-x", "foo:bar", "NEAR(a b)", "C++ OR", "\x00", "^"])
async def test_no_text_is_a_search_engines_syntax(opened, text: str) -> None:
    async with opened() as stores:
        await remember(stores, "some memory")
        assert isinstance(await found(stores, text), list)


async def test_what_is_not_live_is_not_found(opened) -> None:
    async with opened() as stores:
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


async def test_an_edited_memory_is_found_by_its_new_words_only(opened) -> None:
    async with opened() as stores:
        [memory_id] = await remember(stores, "likes quokkas")
        await stores.vectors.put("m", [(memory_ref(memory_id), "likes quokkas", [1.0, 0.0])])
        await stores.memories.change(
            [memory_id], header("edit"), memory_curation.each(lambda memory: {"content": "likes wombats"})
        )

        assert await found(stores, "quokkas") == []
        assert await found(stores, "wombats") == [memory_id]
        assert await asked(stores).by_vector("m", [1.0, 0.0], 5) == []
        assert [each.text for each in await stores.vectors.unembedded("m", 5)] == ["likes wombats"]


async def test_nearest_vectors_come_first_and_models_never_meet(opened) -> None:
    async with opened() as stores:
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
async def test_what_waits_is_found_behind_all_that_lives_and_was_archived(opened) -> None:
    async with opened() as stores:
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
async def test_what_is_no_vector_is_refused(opened, vector: list[float]) -> None:
    async with opened() as stores:
        [memory_id] = await remember(stores, "aa")
        with pytest.raises(InvalidInput):
            await stores.vectors.put("m", [(memory_ref(memory_id), "aa", vector)])
        with pytest.raises(InvalidInput):
            await asked(stores).by_vector("m", vector, 5)


async def test_a_vector_of_a_text_that_changed_is_passed_over(opened) -> None:
    async with opened() as stores:
        [memory_id] = await remember(stores, "aa")
        await stores.vectors.put(
            "m", [(memory_ref(memory_id), "another text", [1.0, 0.0]), (memory_ref(99), "x", [1.0, 0.0])]
        )

        assert await stores.vectors.progress("m") == (0, 1)


async def test_waiting_texts_are_memories_and_summaries(opened) -> None:
    async with opened() as stores:
        await remember(stores, "aa")
        await chat(stores)
        waiting = await stores.vectors.unembedded("m", 5)
        await stores.vectors.put("m", [(each.ref, each.text, [1.0, 0.0]) for each in waiting])

        assert [each.ref.kind for each in waiting] == [MEMORY, SUMMARY]
        assert await stores.vectors.progress("m") == (2, 2)
        assert await asked(stores).cosines(SUMMARY, "m", [1.0, 0.0], [1]) == pytest.approx({1: 1.0})


async def test_cached_vectors_come_back_exactly(opened) -> None:
    async with opened() as stores:
        vector = [0.1, -0.25, 0.333]
        await stores.vectors.cache("m", {"text": vector})
        cached = await stores.vectors.cached("m", ["text", "unknown"])

        assert list(cached) == ["text"]
        assert list(cached["text"]) == pytest.approx(vector, abs=1e-7)
        assert await stores.vectors.cached("other", ["text"]) == {}


async def test_summaries_expire(opened) -> None:
    async with opened() as stores:
        await chat(stores)
        assert len(await stores.search.short_term("s", AT, 30, 5)) == 1
        assert await stores.search.short_term("s", AT + timedelta(days=31), 30, 5) == []
        assert await stores.housekeeping.expire_short_term(AT + timedelta(days=31), 30) == 1


async def test_this_sessions_summaries_come_before_others(opened) -> None:
    async with opened() as stores:
        await chat(stores, "one", answer="1")
        await chat(stores, "two", answer="2")

        found_first = await stores.search.short_term("one", later(), 30, 5)
        assert [each.session_id for each in found_first] == ["one", "two"]


async def test_the_noise_of_a_store_is_repeatable(opened) -> None:
    chance = random.Random(1)
    async with opened() as stores:
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


async def test_a_models_way_to_count_is_learnt_from_its_latest_rounds(opened) -> None:
    async with opened() as stores:
        await chat(stores, usage=usage(120))
        await chat(stores, usage=usage(130))
        assert await stores.receipts.token_ratio("m") is None
        await chat(stores, usage=usage(500))
        for _ in range(3):
            await chat(stores, usage=usage(0))  # a server that does not count

        assert await stores.receipts.token_ratio("m") == pytest.approx(1.3)
        assert await stores.receipts.token_ratio("other") is None


async def test_a_receipt_that_is_not_there_is_not_found(opened) -> None:
    async with opened() as stores:
        with pytest.raises(NotFound):
            await stores.receipts.receipt(None, None)
        await chat(stores)
        with pytest.raises(NotFound):
            await stores.receipts.receipt("s", 9)


async def test_another_scope_sees_nothing(opened) -> None:
    async with opened("me") as mine, opened("work") as work:
        [memory_id] = await remember(mine, "my neovim secret")
        await mine.vectors.put("m", [(memory_ref(memory_id), "my neovim secret", [1.0, 0.0])])
        await chat(mine, usage=usage(10))

        assert await work.sessions.sessions() == []
        assert await work.sessions.rounds("s") == []
        assert (await work.memories.page(MemoryQuery(criteria("all", 5.0)))).total == 0
        assert await work.memories.counts() == {"state": {}, "type": {}}
        assert await found(work, "neovim secret") == []
        assert await asked(work).by_vector("m", [1.0, 0.0], 5) == []
        assert await work.search.short_term("s", later(), 30, 5) == []
        assert await work.search.random_cosines("m", 10, 1) == []
        assert await work.vectors.unembedded("other", 5) == []
        assert await work.vectors.progress("m") == (0, 0)
        assert await work.history.operations(5) == []
        for refused in (
            work.memories.get([memory_id]),
            work.history.history(memory_id),
            work.memories.delete([memory_id], header("delete")),
            work.memories.change([memory_id], header("pin"), memory_curation.each(lambda memory: {"pinned": True})),
            work.sessions.session("s"),
            work.receipts.receipt("s", 1),
            work.history.undo(1, AT, lambda changes, current: pytest.fail("not to be planned")),
        ):
            with pytest.raises(NotFound):
                await refused
        assert await remember(work, "my neovim secret") != [memory_id]


async def test_the_vocabulary_is_the_words_of_this_scope(opened) -> None:
    async with opened() as stores:
        await remember(stores, "User writes TypeScript", "User types fast", "用户用 Tauri")
        any_length = range(1, 30)
        assert await asked(stores).vocabulary([("ty", any_length)]) == {"typescript", "type"}
        assert await asked(stores).vocabulary([("ty", range(5, 11))]) == {"typescript"}
        assert await asked(stores).vocabulary([(each, any_length) for each in ("ta", "zz", '"', "%")]) == {"tauri"}
        assert await asked(stores).live_words(["typescript", "type", "typ"]) == {"typescript", "type"}
    async with opened(scope="other") as stores:
        assert await asked(stores).vocabulary([("ty", any_length)]) == frozenset()
        assert await asked(stores).live_words(["typescript"]) == frozenset()
