"""Rounds of a chat: begun, answered, ended once, tried again; what another attempt takes back."""

from __future__ import annotations

import pytest
from fakes.records import begin, chat, header, later, receipt, record, remember

from orca_core.model.errors import InvalidInput, NotFound, RoundEnded
from orca_core.model.llm import Finish
from orca_core.model.memories import Added, ArchivedBecause, NewMemory, State, Use
from orca_core.model.recall import Citation
from orca_core.model.record_types import memory_ref
from orca_core.model.sessions import RoundState
from orca_core.operations.stores import Stores
from orca_core.rules.memory import memory_curation


async def test_a_finished_round_leaves_answer_summary_queue_and_receipt(stores) -> None:
    started = await begin(stores)
    outcome = await stores.sessions.finish_round(
        record(started, citations=(Citation(memory_ref(1), 3),), finish=Finish.LENGTH)
    )
    [only] = await stores.sessions.rounds("s")
    summaries = await stores.search.short_term("s", later(), 30, 10)

    assert (only.state, only.assistant, only.model) == (RoundState.DONE, "an answer", "m")
    assert outcome.buffered == 1
    assert [each.content for each in summaries] == ["summary an answer"]
    assert (await stores.sessions.receipt("s", 1)).injection.rules == ("recall",)


@pytest.mark.parametrize("state", ["interrupted", "failed"])
async def test_a_round_that_ended_badly_keeps_its_words_and_nothing_else(stores, state: str) -> None:
    started = await begin(stores)
    await stores.sessions.end_round(started.id, state, "half", "", receipt())
    [only] = await stores.sessions.rounds("s")

    assert (only.assistant, only.state.value) == ("half", state)
    assert await stores.search.short_term("s", later(), 30, 10) == []
    assert (await stores.sessions.receipt("s", 1)).session_id == "s"


async def test_uses_move_weights_in_one_operation(stores) -> None:
    ids = await remember(stores, "one memory", "two memory", "three memory")
    uses = dict(zip(ids, (Use.USED, Use.UNUSED, Use.UNKNOWN), strict=True))
    started = await begin(stores)
    outcome = await stores.sessions.finish_round(record(started, uses=uses))
    memories = await stores.memories.get(ids)
    [operation] = [each for each in await stores.history.operations(10) if each.header.action == "weights"]

    assert [memory.weight for memory in memories] == [1.5, 0.7, 1.0]
    assert [memory.access_count for memory in memories] == [1, 1, 1]
    assert [move.after for move in outcome.moved] == [1.5, 0.7]
    assert [move.after for move in (await stores.sessions.receipt("s", 1)).weights] == [1.5, 0.7]
    assert operation.header.round == 1


async def test_a_memory_that_was_deleted_meanwhile_is_passed_over(stores) -> None:
    ids = await remember(stores, "one memory", "two memory")
    started = await begin(stores)
    await stores.memories.delete([ids[0]], header("delete"))
    outcome = await stores.sessions.finish_round(record(started, uses=dict.fromkeys(ids, Use.USED)))

    assert [move.ref.id for move in outcome.moved] == [ids[1]]


async def test_another_attempt_takes_back_weights_summary_and_queue(stores) -> None:
    [memory_id] = await remember(stores, "one memory")
    await chat(stores, uses={memory_id: Use.USED})
    again = await begin(stores, replaces=1)
    [memory] = await stores.memories.get([memory_id])
    [latest] = await stores.sessions.rounds("s")

    assert (again.number, again.attempt, latest.attempt) == (1, 2, 2)
    assert (memory.weight, memory.used, memory.access_count, memory.last_accessed) == (1.0, 0, 0, None)
    assert [(move.before, move.after) for move, _ in again.taken_back] == [(1.5, 1.0)]
    assert await stores.search.short_term("s", later(), 30, 10) == []
    assert (await stores.upkeep.health()).counts["queue"] == 0


@pytest.mark.parametrize(("replaces", "error"), [(1, InvalidInput), (7, NotFound)])
async def test_only_the_last_round_can_be_tried_again(stores, replaces: int, error: type[Exception]) -> None:
    await chat(stores)
    await chat(stores)
    with pytest.raises(error):
        await begin(stores, replaces=replaces)
    assert len(await stores.sessions.rounds("s")) == 2


async def test_a_round_of_a_living_process_is_not_taken_for_abandoned(opened) -> None:
    async with opened() as stores:
        await begin(stores)
        async with opened() as other:
            assert await other.upkeep.recover() == 0
            assert (await other.sessions.rounds("s"))[0].state is RoundState.STREAMING


async def test_a_round_that_another_attempt_replaced_leaves_nothing(opened) -> None:
    async with opened() as here, opened() as there:
        [memory] = await remember(here, "one memory")
        replaced = await begin(here)
        await here.sessions.save_partial(replaced.id, "half", "")
        again = await begin(there, replaces=1)
        for write in (
            here.sessions.save_partial(replaced.id, "more", ""),
            here.sessions.end_round(replaced.id, "interrupted", "more", "", receipt()),
            here.sessions.finish_round(record(replaced, "whole", uses={memory: Use.USED})),
        ):
            with pytest.raises(RoundEnded):
                await write
        await there.sessions.finish_round(record(again, "the other", uses={memory: Use.USED}))
        [known] = await here.memories.get([memory])
        [only] = await here.sessions.rounds("s")
        summaries = await here.search.short_term("s", later(), 30, 10)

        assert (only.assistant, only.state) == ("the other", RoundState.DONE)
        assert (known.weight, known.used) == (1.5, 1)
        assert [each.content for each in summaries] == ["summary the other"]
        assert (await here.learning.queue()).waiting == {"s": 1}
        assert await here.upkeep.recover() == 0


async def test_a_chat_that_was_deleted_meanwhile_is_not_made_anew(stores) -> None:
    await chat(stores)
    await stores.sessions.delete("s", header("delete"))
    with pytest.raises(NotFound):
        await begin(stores, continues=True)
    assert await stores.sessions.sessions() == []


EDITOR = NewMemory("I use neovim")


async def asked(stores: Stores, new: NewMemory | None, **fields: object):
    """A whole round that asks to remember."""
    started = await begin(stores, remember=new, **fields)
    await stores.sessions.finish_round(record(started))
    return started


@pytest.mark.parametrize("times", [1, 3])
async def test_trying_again_remembers_once(stores, times: int) -> None:
    first = await asked(stores, EDITOR)
    [before] = await stores.memories.get([first.remembered.memory.id])
    for _ in range(times):
        again = await asked(stores, EDITOR, replaces=1)
    [after] = await stores.memories.get([before.id])

    assert after == before
    assert after.seen == 1
    assert (again.remembered.outcome, again.remembered.memory.id) == (Added.CREATED, before.id)
    assert again.taken_back == ()


async def test_asking_to_remember_something_else_takes_back_the_first(stores) -> None:
    first = (await asked(stores, EDITOR)).remembered.memory.id
    again = await asked(stores, NewMemory("I use emacs"), replaces=1)
    gone, there = await stores.memories.get([first, again.remembered.memory.id])

    assert (gone.state, gone.archived_because, gone.seen) == (State.ARCHIVED, ArchivedBecause.UNDONE, 0)
    assert (there.state, there.seen) == (State.LIVE, 1)
    assert [memory.id for _, memory in again.taken_back] == [first]

    back = await asked(stores, EDITOR, replaces=1)
    gone, there = await stores.memories.get([again.remembered.memory.id, first])
    assert (gone.state, there.state, there.seen, there.weight) == (State.ARCHIVED, State.LIVE, 1, 1.0)
    assert back.remembered.memory.id == first


@pytest.mark.parametrize("times", [1, 2])
async def test_asking_for_nothing_takes_back_what_was_made_and_what_was_counted(stores, times: int) -> None:
    [known] = await remember(stores, "I drink tea")
    made = (await asked(stores, EDITOR)).remembered.memory.id
    for _ in range(times):
        await asked(stores, None, replaces=1)
    assert (await stores.memories.get([made]))[0].state is State.ARCHIVED

    await asked(stores, NewMemory("I drink tea"), session_id="t")
    assert (await stores.memories.get([known]))[0].seen == 2
    await asked(stores, None, session_id="t", replaces=1)
    [now] = await stores.memories.get([known])
    assert (now.state, now.seen) == (State.LIVE, 1)


@pytest.mark.parametrize("fields", [{"pinned": True}, {"content": "I use neovim nightly"}, {"type": "preference"}])
async def test_what_a_person_pinned_or_changed_since_is_not_taken_back(stores, fields: dict[str, object]) -> None:
    made = (await asked(stores, EDITOR)).remembered.memory.id
    await stores.memories.change_all([made], header("edit"), memory_curation.each(lambda _: fields))
    [before] = await stores.memories.get([made])
    await asked(stores, None, replaces=1)

    assert (await stores.memories.get([made])) == [before]


async def test_a_receipt_keeps_what_became_of_each_memory(stores) -> None:
    sunk, pinned, heavy = await remember(stores, "aa", "bb", "cc")
    for memory_id, fields in (
        (sunk, {"weight": 0.4}),
        (pinned, {"weight": 0.2, "pinned": True}),
        (heavy, {"weight": 4.9}),
    ):
        await stores.memories.change_all([memory_id], header("edit"), memory_curation.each(lambda _, f=fields: f))
    await chat(stores, uses={sunk: Use.UNUSED, pinned: Use.USED, heavy: Use.USED})
    receipt = await stores.sessions.receipt("s", 1)

    assert [(move.ref.id, move.status) for move in receipt.weights] == [
        (sunk, "archived"), (pinned, "active"), (heavy, "core"),
    ]  # fmt: skip


async def test_a_turn_tried_again_gives_back_its_share_beside_other_chats(stores) -> None:
    used, set_by_hand = await remember(stores, "one memory", "two memory")
    uses = {used: Use.USED, set_by_hand: Use.USED}
    await chat(stores, "s", uses=uses)
    await chat(stores, "other", uses=uses)
    await stores.memories.change_all([set_by_hand], header("edit", later()), lambda _: {set_by_hand: {"weight": 4.0}})
    await begin(stores, replaces=1)
    memories = await stores.memories.get([used, set_by_hand])

    assert [(each.weight, each.used) for each in memories] == [(1.5, 1), (4.0, 1)]
