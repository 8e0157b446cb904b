"""What acts show often enough is verified beside the latest acts before it goes live: asked outside every transaction,
settled with its run; and where nobody can read it, it goes on waiting, in sight."""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable
from typing import Any

import pytest
from fakes.clocks import StillClock
from fakes.jobs import job_status
from fakes.scripted_model import ScriptedModel, Step, answers, says
from fakes.turns import turn

from orca_core.model.errors import ModelUnavailable
from orca_core.model.events import ActsRead, Promoted
from orca_core.model.learning import RunKind, RunState, Verification, Wanted
from orca_core.model.memories import Memory, State
from orca_core.model.operations import Actor
from orca_core.model.views import ListQuery
from orca_core.orca import Orca
from orca_core.rules.feedback.promotion_score import REFUSED
from orca_core.serialize.events import lesson_json
from orca_core.settings import MemoryAgentSettings, Settings

TABLES = "The user prefers answers with a table"
SHOWN = says(json.dumps({"preferences": [{"action": 1, "content": TABLES, "type": "implicit"}]}))
NOTHING = says('{"preferences": []}')
A_DAY = 86_400


def agent_that(*promotions: list[Step], acts: list[list[Step]] | None = None) -> ScriptedModel:
    return ScriptedModel(says('{"facts": []}'), acts=acts or [SHOWN] * 3 + [NOTHING], promotions=promotions)


async def act(engine: Orca, clock: StillClock, number: int, word: str = "LIKE") -> list[object]:
    """A round, an act on it, read at once, on a day of its own; what the worker tells after that."""
    told: list[object] = []
    unsubscribe = engine.worker.subscribe(told.append)
    await turn(engine, f"question {number}?", session_id="s")
    await engine.feedback.actions.record(word, "s", round=number)
    async for _ in engine.learning.feedback.run(Wanted(everything=True)):
        pass
    await passed(engine)
    unsubscribe()
    clock.advance(A_DAY)
    return told


async def passed(engine: Orca) -> None:
    engine.worker.wake()
    await engine.worker.drain()


async def liked(engine: Orca, clock: StillClock, count: int = 3) -> list[object]:
    return [event for number in range(1, count + 1) for event in await act(engine, clock, number)]


async def only(engine: Orca) -> Memory:
    [view] = (await engine.memories.page(ListQuery("all"))).records
    return view.memory


def told_of(told: list[object]) -> list[ActsRead]:
    """What became of the candidates that were verified."""
    return [each for each in told if isinstance(each, ActsRead) and each.candidate and each.state != "running"]


async def test_what_acts_bear_out_goes_live_and_says_so(open_engine, clock: StillClock) -> None:
    agent = agent_that()
    async with open_engine(ScriptedModel(says("| a |")), agent=agent) as engine:
        told = await liked(engine, clock)

        memory = await only(engine)
        assert (memory.state, memory.confirmed_by) == (State.LIVE, None)
        [done] = told_of(told)
        assert (done.state, done.candidate, len(done.acts)) == ("done", memory.id, 3)
        assert done.verification == Verification(1)
        [promoted] = [each for each in told if isinstance(each, Promoted)]
        assert (promoted.id, promoted.content) == (memory.id, TABLES)
        [request] = agent.promotion_requests
        assert "what the user prefers" in request.messages[0].content
        material = json.loads(request.messages[1].content)
        assert material["facts"] == [{"fact": 1, "says": TABLES}]
        assert [each["round"]["assistant_said"] for each in material["acts"]] == ["| a |"] * 3
        [run] = [each for each in await engine.runs.runs(20) if each.kind is RunKind.ACTIONS and each.target]
        lesson = await engine.runs.show(run.id)
        assert (run.state, run.operation, run.target) == (RunState.DONE, promoted.operation, f"#{memory.id}")
        assert [each.role for each in lesson.exchange] == ["system", "user", "assistant"]
        assert all(each.in_verification for each in lesson.exchange)
        assert lesson.memories[memory.id] == memory
        assert lesson_json(lesson)["stored"] == [memory.id]
        assert "verifier" in {each.job for each in await engine.runs.spent()}


async def test_what_the_verifier_does_not_see_is_held_in_sight_and_taken_back(open_engine, clock: StillClock) -> None:
    agent = agent_that(answers(False), acts=[NOTHING, NOTHING, SHOWN, SHOWN, SHOWN, NOTHING])
    async with open_engine(ScriptedModel(says("| a |")), agent=agent) as engine:
        told = await liked(engine, clock, 5)

        memory = await only(engine)
        [done] = told_of(told)
        assert (done.state, done.verification) == ("done", Verification(1, refused=1))
        assert not any(isinstance(each, Promoted) for each in told)
        assert (memory.state, memory.held_because) == (State.CANDIDATE, REFUSED["held_because"])
        assert (await engine.feedback.pools.weighed())[memory.id].blocked_by == REFUSED["held_because"]
        [(operation, _changes), *_] = await engine.history.activity(1)
        assert (operation.header.actor, operation.header.action) == (Actor.PROMOTION, "hold")
        await engine.history.undo(operation.id)
        assert (await only(engine)).held_because == "unproven"
        await act(engine, clock, 6)
        assert len(agent.promotion_requests) == 1


@pytest.mark.parametrize(
    ("script", "state"),
    [
        ([ModelUnavailable(provider="m", template="{provider}: no answer")], "failed"),
        (says("I'd rather not say."), "unreadable"),
        (says('{"answers": [{"fact": 2, "says_so": true}]}'), "unreadable"),
    ],
)
async def test_what_nobody_could_read_waits_and_is_asked_again(
    open_engine, clock: StillClock, script: list[Step], state: str
) -> None:
    agent = agent_that(script)
    async with open_engine(ScriptedModel(says("| a |")), agent=agent) as engine:
        told = await liked(engine, clock)
        [failed] = told_of(told)
        assert (failed.state, bool(failed.error), failed.next_at is not None) == (state, True, True)
        assert (await only(engine)).held_because == "unproven"
        asked = len(agent.promotion_requests)
        clock.advance(-A_DAY)
        await passed(engine)
        assert len(agent.promotion_requests) == asked
        assert job_status(engine, "acts").next_at == failed.next_at

        clock.advance(31)
        agent.promotion_scripts = [answers(True)]
        await passed(engine)
        assert (await only(engine)).state is State.LIVE


async def test_one_that_failed_too_often_is_asked_again_the_next_day_however_often_it_was_looked_at(
    open_engine, clock: StillClock
) -> None:
    agent = agent_that(says("no"))
    async with open_engine(ScriptedModel(says("| a |")), agent=agent) as engine:
        await liked(engine, clock)
        clock.advance(-A_DAY)
        for _ in range(9):
            await passed(engine)
            clock.advance(3600)
        [run] = [each for each in await engine.runs.runs(20) if each.kind is RunKind.ACTIONS and each.target]
        assert (run.is_parked, run.tries, len(agent.promotion_requests)) == (True, 5, 5)

        agent.promotion_scripts = [answers(True)]
        for _ in range(16):
            await passed(engine)
            clock.advance(3600)
        assert len(agent.promotion_requests) == 6
        assert (await only(engine)).state is State.LIVE


async def test_without_an_agent_it_waits_and_says_so_once_a_day(open_engine, clock: StillClock) -> None:
    agent = agent_that(says("no"))
    async with open_engine(ScriptedModel(says("| a |")), agent=agent) as engine:
        await liked(engine, clock)
    chosen = Settings(memory_agent=MemoryAgentSettings(enabled=False))
    async with open_engine(ScriptedModel(says("| a |")), agent=agent, settings=chosen) as engine:
        told: list[object] = []
        engine.worker.subscribe(told.append)
        asked = len(agent.promotion_requests)
        for _ in range(3):
            await passed(engine)
        assert [(each.state, each.error) for each in told_of(told)] == [("failed", "the memory agent is switched off")]
        clock.advance(A_DAY)
        await passed(engine)

        assert len(told_of(told)) == 2
        assert len(agent.promotion_requests) == asked
        assert (await only(engine)).held_because == "unproven"


async def test_what_an_act_changes_while_it_is_read_is_asked_anew(open_engine, clock: StillClock) -> None:
    later: list[Callable[[], Awaitable[Any]]] = []

    async def meanwhile() -> None:
        while later:
            await later.pop()()

    reads = [SHOWN, SHOWN, NOTHING, SHOWN]
    agent = agent_that([meanwhile, *answers(True)], answers(True), acts=reads)
    async with open_engine(ScriptedModel(says("| a |")), agent=agent) as engine:
        await liked(engine, clock, 2)
        await turn(engine, "question 9?", session_id="t")
        await engine.feedback.actions.record("LIKE", "t", round=1)
        later.append(lambda: engine.feedback.actions.record("CANCEL_LIKE", "t", round=1))
        told = await act(engine, clock, 3)

        assert [(each.state, each.error) for each in told_of(told)] == [
            ("none", "what it stands on changed meanwhile"),
            ("done", ""),
        ]
        assert [len(json.loads(each.messages[1].content)["acts"]) for each in agent.promotion_requests] == [4, 3]
