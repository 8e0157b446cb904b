"""Sessions as wholes, receipts of their rounds, and what is learnt of models: limits, tools, spending."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from fakes.records import AT, begin, chat, header, later, receipt, record, remember, said_with
from msgspec.structs import replace

from orca_core.model.errors import NotFound
from orca_core.model.feedback import Action, ActionType
from orca_core.model.llm import ContextLimit, Span
from orca_core.model.memories import Use
from orca_core.model.recall import Appearance, Citation
from orca_core.model.record_types import ACTION, Cause, memory_ref
from orca_core.model.sessions import RoundState
from orca_core.operations.stores import Stores


async def said(stores: Stores, question: str, answer: str = "an answer", session_id: str = "s") -> None:
    started = await begin(stores, session_id, question)
    await stores.sessions.finish_round(record(started, answer))


async def test_a_fork_has_the_rounds_that_ended_up_to_its_point_and_waits_for_nothing(stores) -> None:
    for question in ("one", "two", "three"):
        await said(stores, question)
    await begin(stores, "s", "four")
    fork = await stores.sessions.fork("s", 2, "f", later(5))
    everything = await stores.sessions.fork("s", 9, "g", later(6))

    assert (fork.id, fork.title, fork.rounds, fork.created_at) == ("f", "a title", 2, later(5))
    assert everything.rounds == 3
    rounds = await stores.sessions.rounds("f")
    assert [(each.user, each.assistant, each.state) for each in rounds] == [
        ("one", "an answer", RoundState.DONE),
        ("two", "an answer", RoundState.DONE),
    ]
    assert (await stores.learning.queue()).waiting == {"s": 3}
    with pytest.raises(NotFound):
        await stores.sessions.fork("gone", 1, "h", AT)


async def test_a_deleted_session_is_in_no_list_and_no_search(stores) -> None:
    await said(stores, "a giraffe")
    await said(stores, "a giraffe too", session_id="t")
    assert await stores.sessions.delete("s", header("delete"))
    assert [each.id for each in await stores.sessions.sessions()] == ["t"]
    assert [each.session_id for each in await said_with(stores, "giraffe")] == ["t"]
    assert (await stores.learning.queue()).waiting == {"t": 1}
    with pytest.raises(NotFound):
        await stores.sessions.delete("s", header("delete"))


async def test_questions_come_oldest_first_and_each_text_once(stores) -> None:
    for question in ("one", "two", "one", "three"):
        await said(stores, question, session_id=f"in {question}")
    assert await stores.sessions.questions(9) == [(Span("two"),), (Span("one"),), (Span("three"),)]
    assert await stores.sessions.questions(1) == [(Span("three"),)]


async def test_rounds_are_deleted_with_every_attempt_and_the_acts_on_them(stores) -> None:
    for question in ("one", "two", "three"):
        await said(stores, question)
    await said(stores, "four", session_id="other")
    act = Action(0, "liked", ActionType.LIKE, "s", AT, round=1)
    await stores.records[ACTION].add(act, header())

    assert await stores.sessions.delete_rounds("s", [1, 3], header("delete"))

    assert [each.user for each in await stores.sessions.rounds("s")] == ["two"]
    assert [each async for each in stores.records[ACTION].all()] == []
    assert [each.user for each in await stores.sessions.rounds("other")] == ["four"]
    await stores.sessions.delete_rounds("s", [2], header("delete"))
    assert [each.id for each in await stores.sessions.sessions()] == ["other"]
    with pytest.raises(NotFound):
        await stores.sessions.delete_rounds("s", [2], header("delete"))


async def test_why_a_round_ended_so_is_kept_and_goes_along_with_a_fork(stores) -> None:
    cause = Cause("model_unavailable", "{provider}: the answer was cut off", "try again", {"provider": "p"})

    started = await begin(stores)
    await stores.sessions.end_round(started.id, "interrupted", "half", "", receipt(), cause)
    started = await begin(stores)
    length = Cause("length", "the model stopped at its longest answer")
    await stores.sessions.finish_round(replace(record(started), cause=length))
    await stores.sessions.fork("s", 2, "forked", AT)
    for session_id in ("s", "forked"):
        assert [each.cause for each in await stores.sessions.rounds(session_id)] == [cause, length]


async def answered(stores: Stores, session_id: str, memory_id: int, use: Use, number: int = 1, **start: object) -> None:
    """A round that put one memory before the model."""
    started = await begin(stores, session_id, **start)
    shown = receipt(session_id, number, content="postgres 16", ref=str(memory_id))
    fields = {"uses": {memory_id: use}, "receipt": shown, "citations": (Citation(memory_ref(memory_id), 2),)}
    await stores.sessions.finish_round(record(started, **fields))


async def test_a_memory_knows_where_it_appeared(opened) -> None:
    async with opened() as stores:
        [memory] = await remember(stores, "postgres 16")
        await answered(stores, "s", memory, Use.USED)
        await answered(stores, "s", memory, Use.UNUSED, 2)
        newest, oldest = await stores.sessions.appearances(memory_ref(memory), 10)
        assert oldest == Appearance("s", "a title", 1, later(), "recall", "used", 1.0, 1.5)
        assert (newest.round, newest.use, newest.after) == (2, "unused", 1.2)
        assert [each.round for each in await stores.sessions.appearances(memory_ref(memory), 1)] == [2]
    async with opened(scope="work") as stores:
        assert await stores.sessions.appearances(memory_ref(memory), 10) == []
        assert await stores.sessions.receipts("s", [1]) == {}


async def test_a_replaced_attempt_does_not_count(stores) -> None:
    [memory] = await remember(stores, "postgres 16")
    await answered(stores, "s", memory, Use.UNUSED)
    await answered(stores, "s", memory, Use.USED, replaces=1)
    assert [each.use for each in await stores.sessions.appearances(memory_ref(memory), 10)] == ["used"]
    assert len(await stores.sessions.receipts("s", [1])) == 1


FIRST = ContextLimit(4096, 64_000, datetime(2026, 11, 20, tzinfo=UTC))


async def test_a_limit_outlives_the_store_and_is_the_same_for_every_profile(opened) -> None:
    async with opened() as stores:
        assert await stores.model_usage.limit("http://h/v1", "m") is None
        await stores.model_usage.learn("http://h/v1", "m", FIRST)
    async with opened("work") as stores:
        assert await stores.model_usage.limit("http://h/v1", "m") == FIRST
        assert await stores.model_usage.limit("http://h/v1", "other") is None
        assert await stores.model_usage.limit("http://other/v1", "m") is None


async def test_a_receipt_that_is_not_there_is_not_found(stores) -> None:
    with pytest.raises(NotFound):
        await stores.sessions.receipt(None, None)
    await chat(stores)
    with pytest.raises(NotFound):
        await stores.sessions.receipt("s", 9)
