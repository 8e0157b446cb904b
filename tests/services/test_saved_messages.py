"""Messages that a client saves: rounds like any other."""

from __future__ import annotations

import pytest

from orca_core.model.errors import InvalidInput
from orca_core.model.sessions import RoundState


async def test_a_question_and_its_answer_are_a_round(open_engine) -> None:
    async with open_engine() as engine:
        assert await engine.memory.save_message("agent", "user", "nginx 502 了") == 1
        assert await engine.memory.save_message("agent", "assistant", "上游慢，调大超时") == 1
        session, [round_] = await engine.sessions.show("agent")
        assert (session.title, round_.user, round_.assistant, round_.state) == (
            "nginx 502 了",
            "nginx 502 了",
            "上游慢，调大超时",
            RoundState.DONE,
        )
        receipt = await engine.sessions.receipt("agent", 1)
        assert (receipt.injection.injected, receipt.references.used) == ((), ())


async def test_it_is_queued_to_be_learnt_and_summed_up_as_a_turn_is(open_engine) -> None:
    async with open_engine() as engine:
        await engine.memory.save_message("agent", "user", "I work on the gateway of our shop")
        await engine.memory.save_message("agent", "assistant", "Noted.")
        queue = await engine.runs.queue()
        assert queue.waiting == {"agent": 1}


async def test_what_it_asks_to_remember_is_remembered(open_engine) -> None:
    async with open_engine() as engine:
        await engine.memory.save_message("agent", "user", "记住：网关是 nginx 1.27")
        [memory] = await engine.memories.get([1])
        assert memory.content == "网关是 nginx 1.27"


async def test_a_question_without_an_answer_is_kept_as_interrupted(open_engine) -> None:
    async with open_engine() as engine:
        await engine.memory.save_message("agent", "user", "first")
        await engine.memory.save_message("agent", "user", "second")
        await engine.memory.save_message("agent", "assistant", "to the second")
        _, rounds = await engine.sessions.show("agent")
        assert [(each.user, each.assistant, each.state) for each in rounds] == [
            ("first", "", RoundState.INTERRUPTED),
            ("second", "to the second", RoundState.DONE),
        ]


@pytest.mark.parametrize(
    ("role", "text", "says"),
    [
        ("assistant", "hello", "no message of the user waits for an answer in agent"),
        ("system", "hello", "no such role: system"),
        ("user", " \n", "there is nothing to save"),
    ],
)
async def test_what_can_be_no_message_is_refused(open_engine, role: str, text: str, says: str) -> None:
    async with open_engine() as engine:
        with pytest.raises(InvalidInput) as refused:
            await engine.memory.save_message("agent", role, text)
        assert says in str(refused.value)
        assert await engine.sessions.list() == []


async def test_what_can_name_no_session_makes_none(open_engine) -> None:
    async with open_engine() as engine:
        with pytest.raises(InvalidInput):
            await engine.memory.save_message("../etc", "user", "hello")
