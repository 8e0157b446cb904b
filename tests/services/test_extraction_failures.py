"""A memory agent that fails, falls silent or talks nonsense: no round is lost."""

from __future__ import annotations

import asyncio
from contextlib import aclosing
from datetime import timedelta

import pytest
from fakes.clocks import StillClock
from fakes.facts import fact, finds, learn
from fakes.patience import until
from fakes.scripted_model import ScriptedModel, hang, says
from fakes.turns import turn

from orca_core.model.errors import ModelUnavailable
from orca_core.model.learning import Wanted
from orca_core.model.views import ListQuery
from orca_core.orca import Orca

EDITOR = fact("用户用 neovim 写代码", "我用 neovim 写代码", type="preference", tags=["技术"])


async def say(engine: Orca, *texts: str, session_id: str = "s") -> None:
    for text in texts:
        await turn(engine, text, session_id=session_id)
    await engine.worker.drain()


async def live(engine: Orca) -> list[str]:
    return [memory.content for memory in (await engine.memories.page(ListQuery())).memories]


async def test_quitting_does_not_wait_for_a_silent_model_and_the_next_start_reads_again(open_engine) -> None:
    async with open_engine(agent=ScriptedModel([hang])) as engine:
        await say(engine, "我用 neovim 写代码")
        await engine.worker.finish(timeout_s=0.2)
    async with open_engine(agent=ScriptedModel(finds(EDITOR))) as engine:
        [event] = await learn(engine, everything=False)
        assert (event.state, event.rounds) == ("done", (1,))
        assert await live(engine) == ["用户用 neovim 写代码"]
        [only] = await engine.runs.runs(9)
        assert only.tries == 1


async def test_an_answer_that_stays_unreadable_keeps_the_rounds_and_its_words(open_engine, clock: StillClock) -> None:
    async with open_engine(agent=ScriptedModel(says("no json from me"))) as engine:
        await say(engine, "我用 neovim 写代码")
        [event] = await learn(engine)

        assert event.state == "unreadable"
        assert event.next_at == clock.now() + timedelta(seconds=30)
        lesson = await engine.runs.show(event.run)
        assert lesson.exchange[-1].content == "no json from me"
        assert (await engine.runs.queue()).failing == 1
    async with open_engine(agent=ScriptedModel(finds(EDITOR))) as engine:
        assert await learn(engine, everything=False) == []  # its time has not come
        clock.advance(31)
        [event] = await learn(engine, everything=False)
        assert event.state == "done"


async def test_a_model_that_fails_five_times_is_parked_until_a_person_retries(open_engine, clock: StillClock) -> None:
    down = ModelUnavailable(provider="p", detail="down")
    async with open_engine(agent=ScriptedModel([down])) as engine:
        await say(engine, "我用 neovim 写代码")
        for _ in range(5):
            [event] = await learn(engine)
            assert event.state == "failed"
            clock.advance(4000)
        assert event.next_at is None
        assert await learn(engine) == []
        queue = await engine.runs.queue()
        assert (queue.parked, queue.failing, queue.last_error) == (1, 0, "p: down")
    async with open_engine(agent=ScriptedModel(finds(EDITOR))) as engine:
        assert await engine.runs.retry() == 1
        [event] = await learn(engine)
        assert event.state == "done"
        assert await live(engine) == ["用户用 neovim 写代码"]


async def test_a_model_that_is_down_is_not_asked_for_every_waiting_session(open_engine, clock: StillClock) -> None:
    agent = ScriptedModel([ModelUnavailable(provider="p", detail="down")])
    async with open_engine(agent=agent) as engine:
        for name in "abc":
            await turn(engine, "hello there", session_id=name)
            clock.advance(1)
        await engine.worker.drain()
        asked = len(agent.requests)
        await learn(engine)
        assert len(agent.requests) == asked + 1


async def test_a_cancelled_run_leaves_its_rounds_to_the_next_leader(open_engine) -> None:
    agent = ScriptedModel([hang], finds(EDITOR))
    async with open_engine(agent=agent) as engine:
        await say(engine, "我用 neovim 写代码")
        reading = asyncio.create_task(learn(engine))
        await until(lambda: agent.requests)
        reading.cancel()
        with pytest.raises(asyncio.CancelledError):
            await reading

        [event] = [each async for each in engine.learning.facts.run(Wanted()) if each.state != "running"]
        assert (event.state, event.rounds) == ("done", (1,))


async def test_rounds_that_ended_in_another_order_than_they_began_are_read_once(open_engine) -> None:
    """Two Orcas in one chat: the second question has its answer before the first one."""

    reached, answered = asyncio.Event(), asyncio.Event()

    async def waits() -> None:
        reached.set()
        await answered.wait()

    agent = ScriptedModel(finds(EDITOR))
    async with open_engine(ScriptedModel([waits, *says("ok")]), agent=agent) as here, open_engine() as there:
        first = asyncio.create_task(turn(here, "我用 neovim 写代码", session_id="s"))
        await reached.wait()
        await say(there, "今天天气不错")
        answered.set()
        await first
        await here.worker.drain()
        states = []
        async with aclosing(here.learning.facts.run(Wanted(everything=True))) as events:
            async for event in events:
                states.append(event.state)
                if len(states) > 2:
                    break

    assert states == ["running", "done"]
    assert len(agent.requests) == 1
