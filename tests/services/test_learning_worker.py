"""Learning in the background: what wakes the worker, what ends it, and what it survives."""

from __future__ import annotations

import asyncio

import pytest
from fakes.clocks import StillClock
from fakes.facts import fact, finds
from fakes.jobs import job_status
from fakes.scripted_model import ScriptedModel
from fakes.turns import turn

from orca_core.model.errors import ModelUnavailable, StoreBusy
from orca_core.model.events import Extraction, Folded
from orca_core.model.views import ListQuery
from orca_core.pipelines.summaries import SummaryPipeline

EDITOR = fact("用户用 neovim 写代码", "我用 neovim 写代码", type="preference", tags=["技术"])


class Gate:
    """A step at which the memory agent waits until it is let through."""

    def __init__(self) -> None:
        self.reached, self.open = asyncio.Event(), asyncio.Event()

    async def __call__(self) -> None:
        self.reached.set()
        await self.open.wait()


async def five_rounds(engine, session_id: str = "a") -> None:
    for number in range(5):
        await turn(engine, f"round {number}", session_id=session_id)


async def test_a_session_that_ends_while_another_is_read_is_learnt_from_too(open_engine) -> None:
    """Quitting right after an answer, while a batch is under way."""

    gate = Gate()
    async with open_engine(agent=ScriptedModel([gate, *finds()], finds(EDITOR))) as engine:
        await five_rounds(engine)
        await gate.reached.wait()
        await turn(engine, "我用 neovim 写代码", session_id="b")
        leaving = asyncio.create_task(engine.worker.finish(timeout_s=30))
        await asyncio.sleep(0)
        gate.open.set()
        await leaving

        assert (await engine.runs.queue()).rounds == 0
        [memory] = [view.memory for view in (await engine.memories.page(ListQuery())).records]
        assert memory.content == "用户用 neovim 写代码"


async def test_what_ended_is_read_once_the_model_answers_again(open_engine, clock: StillClock) -> None:
    agent = ScriptedModel([ModelUnavailable(provider="p", detail="down")], finds())
    async with open_engine(agent=agent) as engine:
        await turn(engine, "one", session_id="a")
        await turn(engine, "two", session_id="b")
        await engine.worker.finish(timeout_s=30)  # both have ended; the first one's failure ends the run
        clock.advance(31)
        engine.worker.wake()
        await engine.worker.drain(30)
        assert (await engine.runs.queue()).rounds == 0


@pytest.mark.parametrize("error", [RuntimeError("a mistake"), StoreBusy(path="orca.db")], ids=["mistake", "busy"])
async def test_folding_that_breaks_is_said_once_and_done_at_the_next_wake(
    open_engine, clock: StillClock, monkeypatch: pytest.MonkeyPatch, error: Exception
) -> None:
    asked: list[str] = []

    async def breaks(_summaries: SummaryPipeline, session_id: str) -> int | None:
        asked.append(session_id)
        if len(asked) <= 2:
            raise error
        return None

    told: list[Extraction] = []
    monkeypatch.setattr(SummaryPipeline, "_through", breaks)
    async with open_engine() as engine:
        engine.worker.subscribe(told.append)
        await turn(engine, "hello", session_id="s")
        await engine.worker.drain(30)
        engine.worker.wake()
        await engine.worker.drain(30)
        assert [event.state for event in told] == ["failed"]
        said = str(error) if isinstance(error, StoreBusy) else "RuntimeError (test_learning_worker.py:"
        assert said in told[0].error
        assert told[0].error == job_status(engine, "folding").failure
        assert told[0].next_at is not None
        for _ in range(2):
            engine.worker.wake()
            await engine.worker.drain(30)
        assert asked == ["s"] * 3
        assert job_status(engine, "folding").failure == ""


async def test_a_worker_that_died_of_something_else_does_not_keep_the_engine_from_closing(open_engine) -> None:
    async def dies() -> None:
        raise SystemError("dead")

    async with open_engine() as engine:
        for lane in (engine.worker._learning, engine.worker._upkeep):
            lane._task.start(dies)
        await asyncio.sleep(0)
    async with open_engine() as engine:  # it was closed: the database is free
        assert await engine.runs.runs(1) == []


async def test_a_session_that_ended_is_remembered_while_another_orca_leads(open_engine) -> None:
    gate = Gate()
    async with (
        open_engine(agent=ScriptedModel([gate, *finds()])) as other,
        open_engine(agent=ScriptedModel(finds(EDITOR))) as engine,
    ):
        await five_rounds(other)
        await gate.reached.wait()
        told: list[Extraction | Folded] = []
        engine.worker.subscribe(told.append)
        await turn(engine, "我用 neovim 写代码", session_id="b")
        await engine.worker.finish()
        assert [(each.state, each.session_id) for each in told] == [("queued", "b")]
        gate.open.set()
        await other.worker.drain(30)
        engine.worker.wake()
        await engine.worker.drain(30)
        extracted = [each for each in told if isinstance(each, Extraction)]
        assert (extracted[-1].state, extracted[-1].session_id) == ("done", "b")
