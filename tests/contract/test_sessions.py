"""Sessions as wholes, receipts of their rounds, and what is learnt of models: limits, tools, spending."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from fakes.looks import meanwhile
from fakes.records import AT, begin, chat, header, later, receipt, record, remember, said_with
from msgspec.structs import replace

from orca_core.model.errors import NotFound
from orca_core.model.feedback import Action, ActionType
from orca_core.model.llm import AgentCall, ContextLimit, Cost, DailyUsage, Span, ToolSupport
from orca_core.model.memories import MEMORIES, Use
from orca_core.model.recall import Appearance, Citation
from orca_core.model.record_types import ACTION, Cause, memory_ref
from orca_core.model.sessions import RoundState
from orca_core.operations.stores import Stores
from orca_core.store.ports import Rows


async def said(stores: Stores, question: str, answer: str = "an answer", session_id: str = "s") -> None:
    started = await begin(stores, session_id, question)
    await stores.sessions.finish_round(record(started, answer))


async def test_a_session_bears_the_name_that_it_is_given(stores) -> None:
    await chat(stores)
    renamed = await stores.sessions.rename("s", "  about\na giraffe  ")
    assert renamed.title == "about a giraffe"
    assert await stores.sessions.session("s") == renamed
    with pytest.raises(NotFound):
        await stores.sessions.rename("gone", "x")


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


REFUSED = ToolSupport(takes=False, at=datetime(2026, 11, 28, 12, tzinfo=UTC))
TAKEN = ToolSupport(takes=True, at=datetime(2026, 11, 29, 12, tzinfo=UTC))


async def test_the_latest_word_of_each_model_outlives_the_store_and_holds_for_every_profile(opened) -> None:
    async with opened() as stores:
        assert await stores.model_usage.tools("http://h/v1", "m") is None
        await stores.model_usage.learn_tools("http://h/v1", "m", REFUSED)
        await stores.model_usage.learn_tools("http://h/v1", "n", REFUSED)
        await stores.model_usage.learn_tools("http://h/v1", "n", TAKEN)
    async with opened("work") as stores:
        assert await stores.model_usage.tools("http://h/v1", "m") == REFUSED
        assert await stores.model_usage.tools("http://h/v1", "n") == TAKEN
        assert await stores.model_usage.tools("http://other/v1", "m") is None


def call(day: str, job: str = "extraction", **fields: object) -> AgentCall:
    given = {"model": "m", "at": AT, "prompt_tokens": 100, "completion_tokens": 10, **fields}
    return AgentCall(job=job, day=day, **given)  # type: ignore[arg-type]


async def test_a_day_holds_what_was_used_in_it_in_this_scope(opened) -> None:
    async with opened() as stores, opened("work") as others:
        assert await stores.model_usage.used_on("2026-11-20") == 0
        await stores.model_usage.note([call("2026-11-19"), call("2026-11-20"), call("2026-11-20", prompt_tokens=7)])
        await others.model_usage.note([call("2026-11-20")])
        assert await stores.model_usage.used_on("2026-11-20") == 110 + 17
        assert await others.model_usage.used_on("2026-11-20") == 110
    async with opened() as stores:
        assert await stores.model_usage.used_on("2026-11-19") == 110


async def test_it_is_told_by_day_job_and_model_newest_first(stores) -> None:
    await stores.model_usage.note(
        [
            call("2026-11-18"),
            call("2026-11-19", is_estimated=True),
            call("2026-11-20", cost=Cost(0.25, "$")),
            call("2026-11-20", cost=Cost(0.5, "$")),
            call("2026-11-20", "folding", completion_tokens=1),
        ]
    )
    assert await stores.model_usage.spent_since("2026-11-19") == [
        DailyUsage("2026-11-20", "extraction", "m", 2, 200, 20, 0, 2, Cost(0.75, "$")),
        DailyUsage("2026-11-20", "folding", "m", 1, 100, 1, 0, 0, None),
        DailyUsage("2026-11-19", "extraction", "m", 1, 100, 10, 1, 0, None),
    ]
    assert await stores.model_usage.spent_since("2026-11-21") == []


async def test_what_is_remembered_while_a_look_lasts_is_seen_by_the_next(stores) -> None:
    [first] = await remember(stores, "a giraffe")
    another = meanwhile(lambda: remember(stores, "one more giraffe"))

    def look(snapshot: Rows) -> tuple[int, int, int]:
        before = len(snapshot.words.by_tokens(["giraff"], 5))
        another()
        records = snapshot.lists.get(MEMORIES, [first, first + 1])
        return before, len(snapshot.words.by_tokens(["giraff"], 5)), len(records)

    assert await stores.search.at_once(look) == (1, 1, 1)
    assert await stores.search.at_once(look) == (2, 2, 2)


async def test_a_receipt_that_is_not_there_is_not_found(stores) -> None:
    with pytest.raises(NotFound):
        await stores.sessions.receipt(None, None)
    await chat(stores)
    with pytest.raises(NotFound):
        await stores.sessions.receipt("s", 9)


async def test_sessions_are_listed_by_their_latest_use(stores) -> None:
    await begin(stores, "a", at=later(1))
    await begin(stores, "b", at=later(2))
    await begin(stores, "a", at=later(3))

    assert [(each.id, each.rounds) for each in await stores.sessions.sessions()] == [("a", 2), ("b", 1)]
    assert [each.id for each in await stores.sessions.sessions(limit=1)] == ["a"]
    latest = await stores.sessions.latest_session()
    assert latest.id == "a"
