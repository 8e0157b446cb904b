"""Sessions and rounds: what a turn writes, and what another attempt takes back."""

from __future__ import annotations

import asyncio

import pytest
from fakes.records import AT, EVOLVE, begin, chat, header, later, receipt, record, remember

from orca_core.model.errors import InvalidInput, NotFound
from orca_core.model.llm import Finish, Source, Span
from orca_core.model.memories import NewMemory, State, Status, Use
from orca_core.model.recall import Citation
from orca_core.model.records import memory_ref
from orca_core.model.sessions import RoundStart, RoundState
from orca_core.rules.memory import memory_curation, undo_rules


async def test_a_question_is_there_before_its_answer(opened) -> None:
    async with opened() as stores:
        await begin(stores, text="a question")
    async with opened() as stores:
        [only] = await stores.sessions.rounds("s")
        assert (only.user, only.assistant, only.number, only.attempt) == ("a question", "", 1, 1)


async def test_spans_keep_their_origin(opened) -> None:
    async with opened() as stores:
        started = await begin(stores)
        assert started.number == 1
        said = (Span("look: ", Source.TYPED), Span("pasted text", Source.PASTED))
        await stores.sessions.begin_round(RoundStart("s", "t", said, AT), undo_rules.plan_retried)
        assert (await stores.sessions.rounds("s"))[1].spans == said


async def test_a_partial_answer_is_saved_over_and_over(opened) -> None:
    async with opened() as stores:
        started = await begin(stores)
        await stores.sessions.save_partial(started.id, "half", "why")
        await stores.sessions.save_partial(started.id, "half an answer", "why not")
        [only] = await stores.sessions.rounds("s")
        assert (only.assistant, only.state) == ("half an answer", RoundState.STREAMING)


async def test_a_finished_round_leaves_answer_summary_queue_and_receipt(opened) -> None:
    async with opened() as stores:
        started = await begin(stores)
        outcome = await stores.sessions.finish_round(
            record(started, citations=(Citation(memory_ref(1), 3),), finish=Finish.LENGTH), EVOLVE
        )
        [only] = await stores.sessions.rounds("s")
        summaries = await stores.search.short_term("s", later(), 30, 10)

        assert (only.state, only.assistant, only.model) == (RoundState.DONE, "an answer", "m")
        assert outcome.buffered == 1
        assert [each.content for each in summaries] == ["summary an answer"]
        assert (await stores.receipts.receipt("s", 1)).injection.rules == ("recall",)


@pytest.mark.parametrize("state", ["interrupted", "failed"])
async def test_a_round_that_ended_badly_keeps_its_words_and_nothing_else(opened, state: str) -> None:
    async with opened() as stores:
        started = await begin(stores)
        await stores.sessions.end_round(started.id, state, "half", "", receipt())
        [only] = await stores.sessions.rounds("s")

        assert (only.assistant, only.state.value) == ("half", state)
        assert await stores.search.short_term("s", later(), 30, 10) == []
        assert (await stores.receipts.receipt("s", 1)).session_id == "s"


async def test_uses_move_weights_in_one_operation(opened) -> None:
    async with opened() as stores:
        ids = await remember(stores, "one memory", "two memory", "three memory")
        uses = dict(zip(ids, (Use.USED, Use.UNUSED, Use.UNKNOWN), strict=True))
        started = await begin(stores)
        outcome = await stores.sessions.finish_round(record(started, uses=uses), EVOLVE)
        memories = await stores.memories.get(ids)
        [operation] = [each for each in await stores.history.operations(10) if each.header.action == "weights"]

        assert [memory.weight for memory in memories] == [1.5, 0.7, 1.0]
        assert [memory.access_count for memory in memories] == [1, 1, 1]
        assert [move.after for move in outcome.moved] == [1.5, 0.7]
        assert [move.after for move in (await stores.receipts.receipt("s", 1)).weights] == [1.5, 0.7]
        assert operation.header.round == 1


async def test_a_memory_that_sinks_is_archived_by_the_round(opened) -> None:
    async with opened() as stores:
        [memory_id] = await remember(stores, "one memory")
        archived = []
        for _ in range(3):
            started = await begin(stores)
            outcome = await stores.sessions.finish_round(record(started, uses={memory_id: Use.UNUSED}), EVOLVE)
            archived.append(outcome.archived)
        [memory] = await stores.memories.get([memory_id])

        assert archived == [(), (), (memory_id,)]
        assert [move.status for move in outcome.moved] == [Status.ARCHIVED]
        assert (memory.weight, memory.state) == (0.1, State.ARCHIVED)


async def test_a_memory_that_was_deleted_meanwhile_is_passed_over(opened) -> None:
    async with opened() as stores:
        ids = await remember(stores, "one memory", "two memory")
        started = await begin(stores)
        await stores.memories.delete([ids[0]], header("delete"))
        outcome = await stores.sessions.finish_round(record(started, uses=dict.fromkeys(ids, Use.USED)), EVOLVE)

        assert [move.ref.id for move in outcome.moved] == [ids[1]]


async def test_another_attempt_takes_back_weights_summary_and_queue(opened) -> None:
    async with opened() as stores:
        [memory_id] = await remember(stores, "one memory")
        await chat(stores, uses={memory_id: Use.USED})
        again = await begin(stores, replaces=1)
        [memory] = await stores.memories.get([memory_id])
        [latest] = await stores.sessions.rounds("s")

        assert (again.number, again.attempt, latest.attempt) == (1, 2, 2)
        assert (memory.weight, memory.used, memory.access_count, memory.last_accessed) == (1.0, 0, 0, None)
        assert [(move.before, move.after) for move, _ in again.taken_back] == [(1.5, 1.0)]
        assert await stores.search.short_term("s", later(), 30, 10) == []
        assert (await stores.housekeeping.health()).counts["queue"] == 0


async def test_a_weight_that_was_changed_by_hand_meanwhile_is_not_taken_back(opened) -> None:
    async with opened() as stores:
        [memory_id] = await remember(stores, "one memory")
        await chat(stores, uses={memory_id: Use.USED})
        await stores.memories.change([memory_id], header("edit"), memory_curation.each(lambda memory: {"weight": 7.0}))
        await begin(stores, replaces=1)

        assert (await stores.memories.get([memory_id]))[0].weight == 7.0


@pytest.mark.parametrize(("replaces", "error"), [(1, InvalidInput), (7, NotFound)])
async def test_only_the_last_round_can_be_tried_again(opened, replaces: int, error: type[Exception]) -> None:
    async with opened() as stores:
        await chat(stores)
        await chat(stores)
        with pytest.raises(error):
            await begin(stores, replaces=replaces)
        assert len(await stores.sessions.rounds("s")) == 2


async def test_the_latest_rounds_and_those_past_a_number_are_read_alone(opened) -> None:
    async with opened() as stores:
        for _ in range(4):
            await chat(stores)

        async def numbers(**limits: int) -> list[int]:
            return [each.number for each in await stores.sessions.rounds("s", **limits)]

        assert await numbers(last=2) == [3, 4]
        assert await numbers(after=3) == [4]
        assert await numbers(last=9, after=1) == [2, 3, 4]
        assert await numbers(last=1, after=4) == []
        assert await numbers(last=2, below=4) == [2, 3]
        assert await numbers(after=1, below=3) == [2]


async def test_what_is_to_be_remembered_is_stored_with_the_question(opened) -> None:
    async with opened() as stores:
        await chat(stores)
        started = await begin(stores, remember=NewMemory("I use neovim"))
        assert started.remembered is not None
        [memory] = await stores.memories.get([started.remembered.memory.id])

        assert (memory.origin.session_id, memory.origin.rounds) == ("s", (2,))


async def test_sessions_are_listed_by_their_latest_use(opened) -> None:
    async with opened() as stores:
        await begin(stores, "a", at=later(1))
        await begin(stores, "b", at=later(2))
        await begin(stores, "a", at=later(3))

        assert [(each.id, each.rounds) for each in await stores.sessions.sessions()] == [("a", 2), ("b", 1)]
        assert [each.id for each in await stores.sessions.sessions(limit=1)] == ["a"]
        latest = await stores.sessions.latest_session()
        assert latest is not None
        assert latest.id == "a"


async def test_an_unknown_session_is_not_found(opened) -> None:
    async with opened() as stores:
        assert await stores.sessions.latest_session() is None
        with pytest.raises(NotFound):
            await stores.sessions.session("nowhere")


async def test_a_session_keeps_its_newest_summaries_only(opened) -> None:
    async with opened() as stores:
        for number in range(5):
            await chat(stores, answer=str(number), short_term_max_items=3)

        kept = [each.content for each in await stores.search.short_term("s", later(), 30, 10)]
        assert kept == ["summary 4", "summary 3", "summary 2"]


async def test_a_cancelled_caller_does_not_cut_the_transaction(opened) -> None:
    async with opened() as stores:
        beginning = asyncio.create_task(begin(stores))
        await asyncio.sleep(0)
        beginning.cancel()
        with pytest.raises(asyncio.CancelledError):
            await beginning
        assert len(await stores.sessions.rounds("s")) in (0, 1)
        await begin(stores)
        numbers = [each.number for each in await stores.sessions.rounds("s")]
        assert numbers == list(range(1, len(numbers) + 1))


async def test_two_handles_number_their_rounds_one_after_the_other(opened) -> None:
    async with opened() as one, opened() as other:
        await asyncio.gather(*(begin(stores) for stores in (one, other) * 6))

        assert [each.number for each in await one.sessions.rounds("s")] == list(range(1, 13))


async def test_only_the_last_rounds_are_read_where_asked(opened) -> None:
    async with opened() as stores:
        for _ in range(4):
            await chat(stores)
        assert [each.number for each in await stores.sessions.rounds("s", last=2)] == [3, 4]


async def test_a_round_of_a_living_process_is_not_taken_for_abandoned(opened) -> None:
    async with opened() as stores:
        await begin(stores)
        async with opened() as other:
            assert await other.housekeeping.recover() == 0
            assert (await other.sessions.rounds("s"))[0].state is RoundState.STREAMING
