"""What the verifier did not answer about is asked about once more: with the next run and when the inbox is opened, three
times, also after a restart; then a person decides."""

from __future__ import annotations

import asyncio
import signal
import sys
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest
from fakes import dying_reader
from fakes.clocks import StillClock
from fakes.facts import contents, fact, finds, learn
from fakes.scripted_model import ScriptedModel, Step, answers, names, says
from fakes.turns import turn

from orca_core.model.errors import ModelUnavailable
from orca_core.model.events import Extraction
from orca_core.model.learning import RunKind, RunState, Verification, Wanted
from orca_core.model.memories import State
from orca_core.model.views import ListQuery
from orca_core.orca import Orca

EDITOR = fact("用户用 neovim 写代码", "我用 neovim 写代码")
NOTHING = finds()
DOWN: list[Step] = [ModelUnavailable(provider="p", detail="down")]
HOUR_S = 3600


async def waits(engine: Orca, said: str = "我用 neovim 写代码", session_id: str = "s") -> None:
    await turn(engine, said, session_id=session_id)
    await learn(engine)


async def opened(engine: Orca) -> list[Extraction]:
    return [each async for each in engine.learning.facts.run(Wanted(inbox=True)) if each.state != "running"]


async def held(engine: Orca) -> list[str | None]:
    return [each.held_because for each in await engine.inbox.inbox()]


async def another_run(engine: Orca, clock: StillClock, session_id: str = "t") -> list[Extraction]:
    clock.advance(HOUR_S)
    await turn(engine, "今天天气不错", session_id=session_id)
    return await learn(engine, session_id, everything=False) or await learn(engine)


async def test_it_lives_after_the_next_run_of_any_session_if_the_verifier_says_so(open_engine, clock) -> None:
    agent = ScriptedModel(finds(EDITOR), NOTHING, verifier=[DOWN, answers(True)])
    async with open_engine(agent=agent) as engine:
        await waits(engine)
        assert await held(engine) == ["unread"]
    async with open_engine(agent=agent) as engine:  # the count, and what waits, are in the database
        [*_, event] = await another_run(engine, clock)

        assert contents(event.learnt.stored) == ["用户用 neovim 写代码"]
        assert (event.session_id, event.rounds, event.verification) == ("s", (1,), Verification(1))
        [memory] = await engine.memories.get([1])
        assert (memory.state, memory.held_because, memory.origin.quote) == (State.LIVE, None, "我用 neovim 写代码")
        lesson = await engine.runs.show(event.run)
        assert (lesson.run.kind, [each.in_verification for each in lesson.exchange]) == (RunKind.VERIFY, [True] * 3)
        await engine.history.undo(event.learnt.operation)
        assert await held(engine) == ["unread"]


async def test_opening_the_inbox_is_enough(open_engine, clock) -> None:
    async with open_engine(agent=ScriptedModel(finds(EDITOR), verifier=[DOWN, answers(True)])) as engine:
        await waits(engine)
        clock.advance(HOUR_S)
        engine.worker.inbox_opened()
        await engine.worker.drain(30)
        assert (await held(engine), (await engine.memories.get([1]))[0].state) == ([], State.LIVE)


@pytest.mark.parametrize("again", [says("no idea"), says('{"answers": [{"fact": 1, "says_so": tr')])
async def test_after_three_tries_a_person_decides(open_engine, clock, again: list[Step]) -> None:
    agent = ScriptedModel(finds(EDITOR), verifier=[DOWN, again])
    for _ in range(5):
        async with open_engine(agent=agent) as engine:
            if len(agent.verifier_requests) == 0:
                await waits(engine)
            clock.advance(HOUR_S)
            await opened(engine)
    assert len(agent.verifier_requests) == 1 + 3
    async with open_engine(agent=agent) as engine:
        assert await held(engine) == ["unread"]
        await engine.inbox.accept([1])
        assert (await engine.memories.get([1]))[0].state is State.LIVE


async def test_an_unreachable_verifier_is_asked_less_and_less_often(open_engine, clock) -> None:
    agent = ScriptedModel(finds(EDITOR), verifier=[DOWN])
    async with open_engine(agent=agent) as engine:
        await waits(engine)
        asked = []
        for minute in range(0, 120, 6):
            clock.advance(6 * 60)
            if await opened(engine):
                asked.append(minute + 6)
        assert asked == [6, 12, 18, 30, 66]


async def accept(engine: Orca) -> None:
    await engine.inbox.accept([1])


async def reject(engine: Orca) -> None:
    await engine.inbox.reject([1])


@pytest.mark.parametrize("decide", [accept, reject, opened])
async def test_what_a_person_took_back_is_not_asked_about_again(
    open_engine, clock, decide: Callable[[Orca], Awaitable[object]]
) -> None:
    agent = ScriptedModel(finds(EDITOR), verifier=[DOWN, answers(True)])
    async with open_engine(agent=agent) as engine:
        await waits(engine)
        clock.advance(HOUR_S)
        await decide(engine)
        [(latest, _)] = await engine.history.activity(1)
        await engine.history.undo(latest.id)
        asked = len(agent.verifier_requests)
        clock.advance(HOUR_S)
        agent.scripts = [NOTHING]
        assert (await opened(engine), len(await another_run(engine, clock))) == ([], 1)
        assert len(agent.verifier_requests) == asked
        agent.scripts = [finds(EDITOR)]
        assert [each async for each in engine.learning.facts.run_again("s") if each.state != "running"]
        assert await held(engine) == ["unread"]

        clock.advance(HOUR_S)
        await waits(engine, session_id="u")
        assert (await held(engine), (await engine.memories.get([1]))[0].state) == ([], State.LIVE)


async def test_what_it_replaces_is_archived_then(open_engine, clock) -> None:
    bonn, bergen = fact("User lives in Bonn", "I live in Bonn"), fact("User lives in Bergen", "I live in Bergen")
    agent = ScriptedModel(
        finds(bonn), finds(bergen), verifier=[answers(True), DOWN, answers(True, known=[names(1, "replaces")])]
    )
    async with open_engine(agent=agent) as engine:
        await waits(engine, "I live in Bonn")
        clock.advance(HOUR_S)
        await waits(engine, "I live in Bergen", "t")
        clock.advance(HOUR_S)
        [event] = await opened(engine)
        assert event.learnt.replaced == ((1, 2),)
        assert [each.state for each in await engine.memories.get([1, 2])] == [State.ARCHIVED, State.LIVE]


async def test_what_a_person_decided_meanwhile_stays(open_engine, clock) -> None:
    agent = ScriptedModel(finds(EDITOR), verifier=[DOWN, answers(True)])
    async with open_engine(agent=agent) as engine:
        await waits(engine)
        await engine.inbox.reject([1])
        clock.advance(HOUR_S)
        assert await opened(engine) == []
        assert (await engine.memories.get([1]))[0].state is State.REJECTED


async def test_those_whose_rounds_are_gone_keep_no_other_from_being_asked_about(open_engine, clock) -> None:
    cats = ("Alma", "Bella", "Coco", "Daisy", "Elsa", "Felix", "Ginger", "Hazel", "Iris", "Jasper")
    gone = [fact(f"User has a cat called {name}", f"I have a cat called {name}") for name in cats]
    agent = ScriptedModel(finds(*gone), finds(EDITOR), verifier=[DOWN, DOWN, answers(True)])
    model = ScriptedModel(says("ok"), DOWN, says("ok"))
    async with open_engine(agent=agent, model=model) as engine:
        await waits(engine, ". ".join(f"I have a cat called {name}" for name in cats))
        await turn(engine, "hm", session_id="s", replaces=1)
        await waits(engine)
        assert await held(engine) == ["unread"] * (len(cats) + 1)
        clock.advance(HOUR_S)
        await opened(engine)
        assert await held(engine) == ["unread"] * len(cats)


@pytest.mark.long
@pytest.mark.parametrize(("tries", "waiting", "ended"), [(1, [], [RunState.DONE]), (3, ["unread"], [])])
async def test_killed_while_it_asks_again_nothing_is_doubled_or_left_running(
    open_engine, clock, database: Path, tries: int, waiting: list[str], ended: list[RunState]
) -> None:
    database.parent.mkdir()
    killed = await asyncio.create_subprocess_exec(sys.executable, dying_reader.__file__, str(database), str(tries))
    assert await killed.wait() == -signal.SIGKILL
    clock.advance(HOUR_S * (tries + 1))
    agent = ScriptedModel(verifier=[answers(True, words=[dying_reader.SAID])])
    async with open_engine(agent=agent) as engine:
        assert await held(engine) == ["unread"]
        await opened(engine)
        assert await opened(engine) == []

        again = [each for each in await engine.runs.runs(9) if each.kind is RunKind.VERIFY]
        assert (await held(engine), len(agent.verifier_requests), (await engine.runs.queue()).running) == (
            waiting, len(ended), 0,
        )  # fmt: skip
        assert [each.state for each in again] == [*ended, RunState.FAILED, *[RunState.NONE] * (tries - 1)]
        [memory] = await engine.memories.get([1])
        assert (memory.seen, (await engine.memories.page(ListQuery("all"))).total) == (1, 1)
