"""Two profiles on one database: neither reads, counts, changes or deletes what is the other's."""

from __future__ import annotations

import pytest
from fakes.asking import asked
from fakes.records import AT, EVOLVE, begin, chat, header, later, record, remember, usage

from orca_core.model.errors import NotFound
from orca_core.model.memories import NewMemory, Use
from orca_core.model.recall import TokenStatistics
from orca_core.model.records import SUMMARY, memory_ref, summary_ref
from orca_core.rules.memory import memory_curation, undo_rules

VECTOR = [1.0, 0.0]


async def test_a_profile_counts_its_own_words_only(opened) -> None:
    async with opened("me") as mine, opened("work") as work:
        await remember(mine, "giraffe one", "giraffe two", "zebra")
        await remember(work, "zebra at work", "nothing else")

        assert await asked(mine).statistics(["giraff", "zebra"]) == TokenStatistics(3, {"giraff": 2, "zebra": 1})
        assert await asked(work).statistics(["giraff", "zebra"]) == TokenStatistics(2, {"giraff": 0, "zebra": 1})


@pytest.mark.long
async def test_a_word_that_is_common_elsewhere_may_be_rare_here(opened) -> None:
    async with opened("me") as mine, opened("work") as work:
        await remember(mine, *(f"giraffe {number}" for number in range(230)))
        await remember(work, *(f"zebra {number}" for number in range(20)), "a giraffe at work")

        counted = await asked(work).statistics(["giraff", "zebra"])
        assert counted == TokenStatistics(21, {"giraff": 1, "zebra": 20})
        assert (await asked(mine).statistics(["zebra"])).frequencies == {"zebra": 0}


async def test_a_profile_with_nothing_in_it_knows_nothing(opened) -> None:
    async with opened("me") as mine, opened("work") as work:
        await remember(mine, "giraffe")

        assert await asked(work).statistics(["giraff"]) == TokenStatistics(0, {"giraff": 0})


async def test_the_nearest_vector_of_another_profile_is_not_found(opened) -> None:
    async with opened("me") as mine, opened("work") as work:
        [near] = await remember(mine, "near")
        [far] = await remember(work, "far")
        await mine.vectors.put("m", [(memory_ref(near), "near", VECTOR)])
        await work.vectors.put("m", [(memory_ref(far), "far", [0.0, 1.0])])

        assert [hit.ref.id for hit in await asked(work).by_vector("m", VECTOR, 5)] == [far]
        assert [hit.ref.id for hit in await asked(mine).by_vector("m", VECTOR, 5)] == [near]


async def test_a_vector_for_another_profiles_memory_is_passed_over(opened) -> None:
    async with opened("me") as mine, opened("work") as work:
        [memory_id] = await remember(mine, "mine")
        await chat(mine)
        await work.vectors.put(
            "m", [(memory_ref(memory_id), "mine", VECTOR), (summary_ref(1), "summary an answer", VECTOR)]
        )
        assert await mine.vectors.progress("m") == (0, 2)

        await mine.vectors.put("m", [(summary_ref(1), "summary an answer", VECTOR)])
        assert await asked(work).cosines(SUMMARY, "m", VECTOR, [1]) == {}


async def test_undo_and_redo_take_the_profiles_own_operations(opened) -> None:
    async with opened("me") as mine, opened("work") as work:
        ids = await remember(mine, "mine")
        with pytest.raises(NotFound):
            await work.history.undo(None, AT, undo_rules.plan)
        undone = await mine.history.undo(None, AT, undo_rules.plan)
        for named in (None, undone.operation):
            with pytest.raises(NotFound):
                await work.history.redo(named, AT, undo_rules.plan)
        await mine.history.redo(None, AT, undo_rules.plan)

        assert [memory.state for memory in await mine.memories.get(ids)] == ["live"]


async def test_the_same_words_in_two_profiles_are_two_memories(opened) -> None:
    async with opened("me") as mine, opened("work") as work:
        [first] = await remember(mine, "the same giraffe")
        [second] = await remember(work, "the same giraffe")
        await work.memories.change([second], header("pin"), memory_curation.each(memory_curation.pin))
        await work.memories.delete([second], header("delete"))

        [memory] = await mine.memories.get([first])
        assert (memory.pinned, memory.content) == (False, "the same giraffe")
        assert [hit.ref.id for hit in await asked(mine).by_tokens(["giraff"], 5)] == [first]


async def test_deleting_with_messages_leaves_another_profiles_session_of_that_name(opened) -> None:
    async with opened("me") as mine, opened("work") as work:
        for stores in (mine, work):
            started = await begin(stores, "s", remember=NewMemory("a giraffe"))
            await stores.sessions.finish_round(record(started), EVOLVE)
        [ours] = [memory.id for memory in await work.memories.get([2])]
        await work.memories.delete([ours], header("delete"), with_messages=True)

        assert await work.sessions.rounds("s") == []
        assert [each.user for each in await mine.sessions.rounds("s")] == ["a question"]
        assert (await mine.receipts.receipt("s", 1)).round == 1
        assert len(await mine.search.short_term("s", later(), 30, 5)) == 1


async def test_a_turn_moves_no_weight_of_another_profile(opened) -> None:
    async with opened("me") as mine, opened("work") as work:
        [memory_id] = await remember(mine, "mine")
        await chat(work, uses={memory_id: Use.USED})

        assert (await mine.memories.get([memory_id]))[0].weight == 1.0


async def test_a_models_way_to_count_is_learnt_profile_by_profile(opened) -> None:
    async with opened("me") as mine, opened("work") as work:
        for _ in range(3):
            await chat(mine, usage=usage(150))

        assert await mine.receipts.token_ratio("m") == pytest.approx(1.5)
        assert await work.receipts.token_ratio("m") is None
