"""Cues: each is found for itself, follows its memory through all that happens to it, and finds no other one."""

from __future__ import annotations

from fakes.asking import asked_cues
from fakes.records import header, remember

from orca_core.domain.journal import Actor
from orca_core.domain.memories import CuesBy, State
from orca_core.domain.refs import memory_ref
from orca_core.domain.stores import Stores
from orca_core.rules.keeping import curation, undo
from orca_core.rules.text.cues import cue_terms

BAZEL = "User's monorepo is built with Bazel"
CUES = ("the build takes 20 minutes", "缓存没命中，全部重新编译")
TOKENS = cue_terms("why does the build take 20 minutes")


async def found(stores: Stores, question: str) -> list[int]:
    return [hit.ref.id for hit in await asked_cues(stores).by_tokens(cue_terms(question), 9)]


async def change(stores: Stores, memory_id: int, **fields: object) -> None:
    await stores.memories.change([memory_id], header("edit"), curation.each(lambda _: fields))


async def test_a_memory_is_found_by_each_of_its_cues_and_no_other_one_is(opened) -> None:
    async with opened() as stores:
        await remember(stores, "User drinks tea")
        [bazel] = await remember(stores, BAZEL, cues=CUES, cues_by=CuesBy.AGENT)

        assert await found(stores, "why does the build take 20 minutes") == [bazel]
        assert await found(stores, "编译又没命中缓存") == [bazel]
        assert await found(stores, "tea") == await found(stores, "bazel") == []
        [hit] = await asked_cues(stores).by_tokens(TOKENS, 9)
        assert hit.tokens == frozenset(cue_terms(CUES[0]))  # the words of two cues are not mixed
        assert not hit.by_hand
        await change(stores, bazel, cues_by=CuesBy.USER.value)
        assert [each.by_hand for each in await asked_cues(stores).by_tokens(TOKENS, 9)] == [True]
        assert await asked_cues(stores).frequencies(["build", "tea"]) == {"build": 1, "tea": 0}
    async with opened("other") as stores:
        assert await asked_cues(stores).by_tokens(TOKENS, 9) == []
    async with opened("other", "me") as stores:
        assert len(await asked_cues(stores).by_tokens(TOKENS, 9)) == 1


async def test_only_cues_of_what_lives_are_found(opened) -> None:
    async with opened() as stores:
        [bazel] = await remember(stores, BAZEL, cues=CUES, state=State.CANDIDATE, held_because="url")
        assert await asked_cues(stores).by_tokens(TOKENS, 9) == []

        for state, expected in (("live", [bazel]), ("archived", []), ("rejected", []), ("live", [bazel])):
            await change(stores, bazel, state=state)
            assert await found(stores, CUES[0]) == expected


async def test_other_cues_take_the_place_of_the_old_ones_and_undo_brings_these_back(opened) -> None:
    async with opened() as stores:
        [bazel] = await remember(stores, BAZEL, cues=CUES)
        await change(stores, bazel, cues=[CUES[1], "flaky tests"], content="Bazel 7 builds it", state="live")
        assert await found(stores, CUES[0]) == []
        assert await found(stores, "flaky tests") == await found(stores, CUES[1]) == [bazel]

        await stores.history.undo(None, header().at, undo.plan)
        assert (await stores.memories.get([bazel]))[0].cues == CUES
        assert await found(stores, CUES[0]) == [bazel]
        assert await found(stores, "flaky tests") == []


async def test_cues_have_vectors_of_their_own_and_the_nearest_counts(opened) -> None:
    async with opened() as stores:
        [tea] = await remember(stores, "User drinks tea", cues=("thirsty",))
        [bazel] = await remember(stores, BAZEL, cues=CUES)
        waiting = await stores.vectors.unembedded("m", 9, cues=True)
        assert [each.text for each in await stores.vectors.unembedded("m", 9)] == [BAZEL, "User drinks tea"]
        near = {"thirsty": [1.0, 0.0], CUES[0]: [0.0, 1.0], CUES[1]: [1.0, 1.0]}
        for is_indexed in (False, True):
            vectors = [(each.ref, each.text, near[each.text]) for each in waiting if each.text in near]
            assert len(vectors) == 3
            await stores.vectors.put("m", vectors)
            assert await stores.vectors.refresh_index("m") is not is_indexed

            hits = await asked_cues(stores).by_vector("m", [0.0, 1.0], 5)
            assert [(hit.ref, round(hit.cosine, 2)) for hit in hits] == [
                (memory_ref(bazel), 1.0),
                (memory_ref(tea), 0.0),
            ]
        await change(stores, bazel, state="archived")
        assert [hit.ref.id for hit in await asked_cues(stores).by_vector("m", [0.0, 1.0], 5)] == [tea]
        await change(stores, bazel, state="live", cues=list(CUES[1:]))
        assert round((await asked_cues(stores).by_vector("m", [0.0, 1.0], 5))[0].cosine, 1) == 0.7


async def test_live_memories_wait_for_cues_until_somebody_wrote_some_or_took_them_back(opened) -> None:
    async with opened() as stores:
        first, heavy, _held, _has = [
            *await remember(stores, "one thing", "a heavy thing"),
            *await remember(stores, "a held thing", state=State.CANDIDATE, held_because="url"),
            *await remember(stores, "a thing with cues", cues=("a cue",), cues_by=CuesBy.USER),
        ]
        await change(stores, heavy, weight=4.0)
        assert [each.id for each in await stores.cues.waiting(9)] == [heavy, first]
        assert [each.id for each in await stores.cues.waiting(1)] == [heavy]

        written = {"cues": [], "cues_by": "agent"}
        by = header("cues", actor=Actor.CUES)
        done = await stores.memories.change([first], by, curation.each(lambda _: written))
        assert [each.id for each in await stores.cues.waiting(9)] == [heavy]
        await stores.history.undo(done.operation, by.at, undo.plan)
        assert [each.id for each in await stores.cues.waiting(9)] == [heavy]
    async with opened("other", "me") as stores:
        assert await stores.cues.waiting(9) == []


async def test_a_deleted_memory_takes_its_cues_along(opened) -> None:
    async with opened() as stores:
        [bazel] = await remember(stores, BAZEL, cues=CUES)
        waiting = await stores.vectors.unembedded("m", 9, cues=True)
        await stores.vectors.put("m", [(each.ref, each.text, [1.0, 0.5]) for each in waiting])

        await stores.memories.delete([bazel], header("delete"))

        assert (
            await asked_cues(stores).by_tokens(TOKENS, 9)
            == await asked_cues(stores).by_vector("m", [1.0, 0.5], 5)
            == []
        )
        assert await stores.vectors.unembedded("m", 9, cues=True) == []
        assert await asked_cues(stores).frequencies(["build"]) == {"build": 0}
