"""Sessions as wholes: named, forked, deleted."""

from __future__ import annotations

import pytest
from fakes.records import AT, EVOLVE, begin, chat, header, later, record, said_with

from orca_core.model.errors import NotFound
from orca_core.model.feedback import Action, ActionType
from orca_core.model.llm import Span
from orca_core.model.records import ACTION
from orca_core.model.sessions import RoundState
from orca_core.operations.stores import Stores


async def said(stores: Stores, question: str, answer: str = "an answer", session_id: str = "s") -> None:
    started = await begin(stores, session_id, question)
    await stores.sessions.finish_round(record(started, answer), EVOLVE)


async def test_a_session_bears_the_name_that_it_is_given(opened) -> None:
    async with opened() as stores:
        await chat(stores)
        renamed = await stores.sessions.rename("s", "  about\na giraffe  ")
        assert renamed.title == "about a giraffe"
        assert await stores.sessions.session("s") == renamed
        with pytest.raises(NotFound):
            await stores.sessions.rename("gone", "x")


async def test_a_fork_has_the_rounds_that_ended_up_to_its_point_and_waits_for_nothing(opened) -> None:
    async with opened() as stores:
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


async def test_a_deleted_session_is_in_no_list_and_no_search(opened) -> None:
    async with opened() as stores:
        await said(stores, "a giraffe")
        await said(stores, "a giraffe too", session_id="t")
        assert await stores.sessions.delete("s", header("delete"))
        assert [each.id for each in await stores.sessions.sessions()] == ["t"]
        assert [each.session_id for each in await said_with(stores, "giraffe")] == ["t"]
        assert (await stores.learning.queue()).waiting == {"t": 1}
        with pytest.raises(NotFound):
            await stores.sessions.delete("s", header("delete"))


async def test_questions_come_oldest_first_and_each_text_once(opened) -> None:
    async with opened() as stores:
        for question in ("one", "two", "one", "three"):
            await said(stores, question, session_id=f"in {question}")
        assert await stores.sessions.questions(9) == [(Span("two"),), (Span("one"),), (Span("three"),)]
        assert await stores.sessions.questions(1) == [(Span("three"),)]


async def test_rounds_are_deleted_with_every_attempt_and_the_acts_on_them(opened) -> None:
    async with opened() as stores:
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
