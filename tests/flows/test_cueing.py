"""Cues for memories that have none: written in the background, at little cost, and a person's word stands."""

from __future__ import annotations

import json

import pytest
from fakes.clocks import StillClock
from fakes.facts import fact, finds, learn
from fakes.scripted_model import ScriptedModel, Step, says
from fakes.turns import turn

from orca_core.demo.agent import DemoAgent
from orca_core.domain.errors import ModelUnavailable
from orca_core.domain.events import CuesWritten
from orca_core.domain.journal import Actor
from orca_core.domain.memories import CuesBy
from orca_core.engine import Engine
from orca_core.settings import MemoryAgentSettings, Settings

BAZEL = "The monorepo is built with Bazel"
CUE = "the build takes 20 minutes"
CAPPED = Settings(memory_agent=MemoryAgentSettings(daily_tokens=10))


def writes(**cues: list[object]) -> list[Step]:
    """The script of an agent that writes these: `m1=[…]`."""
    rows = [{"id": int(name[1:]), "cues": each} for name, each in cues.items()]
    return says(json.dumps({"memories": rows}))


async def woken(engine: Engine, clock: StillClock, minutes: float = 1.1) -> list[CuesWritten]:
    """What is told of cues when the worker looks again so much later."""
    told: list[object] = []
    unsubscribe = engine.worker.subscribe(told.append)
    clock.advance(60 * minutes)
    engine.worker.wake()
    await engine.worker.drain()
    unsubscribe()
    return [event for event in told if isinstance(event, CuesWritten)]


async def cues(engine: Engine, *ids: int) -> list[tuple[str, ...]]:
    return [memory.cues for memory in await engine.memories.get(ids)]


async def test_what_a_hand_added_gets_cues_in_one_call_that_is_booked(open_engine, clock: StillClock) -> None:
    agent = ScriptedModel(writes(m1=[CUE, "x" * 99], m2=[], m3=["not asked for"]))
    async with open_engine(agent=agent) as engine:
        await engine.memories.add(BAZEL)
        await engine.memories.add("User drinks tea")
        assert await woken(engine, clock) == [CuesWritten((1, 2))]
        assert await woken(engine, clock) == []

        assert await cues(engine, 1, 2) == [(CUE,), ()]
        [request] = agent.requests
        shown = json.loads(request.messages[-1].content)["memories"]
        assert {each["text"] for each in shown} == {BAZEL, "User drinks tea"}
        assert [(spent.job, spent.calls) for spent in await engine.runs.spent()] == [("cues", 1)]
        [(operation, changes), *_] = await engine.history.activity(1)
        assert (operation.header.actor, operation.header.action, len(changes)) == (Actor.CUES, "cues", 2)


async def test_a_person_takes_them_back_for_good_and_an_undo_does_not_mind_them(open_engine, clock: StillClock) -> None:
    agent = ScriptedModel(writes(m1=[CUE]), writes(m1=["no hit in the cache"]))
    async with open_engine(agent=agent) as engine:
        await engine.memories.add(BAZEL)
        await woken(engine, clock)
        await engine.memories.edit(1, content="Bazel builds all of it")
        assert await cues(engine, 1) == [()]
        await woken(engine, clock)
        assert await cues(engine, 1) == [("no hit in the cache",)]

        undone = await engine.history.undo()
        assert (undone.undid.header.action, undone.conflicts, undone.offered) == ("edit", (), None)
        assert await cues(engine, 1) == [(CUE,)]
        operations = await engine.history.activity(9)
        [_, first] = [each.id for each, _ in operations if each.header.action == "cues"]
        await engine.history.undo(first)
        assert await woken(engine, clock) == []
        assert await cues(engine, 1) == [()]


async def test_a_command_that_ends_soon_and_a_chat_that_goes_on_wait_for_none(open_engine, clock: StillClock) -> None:
    agent = ScriptedModel(writes(m1=[CUE]))
    async with open_engine(ScriptedModel(says("fine")), agent=agent) as engine:
        await engine.memories.add(BAZEL)
        assert await woken(engine, clock, 0.9) == []
        await turn(engine, "and what of the weather today?", session_id="s")
        assert await woken(engine, clock, 0.9) == []
        assert agent.requests == []
        assert await woken(engine, clock, 0.2) == [CuesWritten((1,))]


async def test_a_failure_is_told_and_what_is_never_understood_is_left_alone(open_engine, clock: StillClock) -> None:
    down = ModelUnavailable(provider="m", template="{provider}: no answer")
    agent = ScriptedModel([down], says("no"), says("no"), writes(m2=[CUE]))
    async with open_engine(agent=agent) as engine:
        await engine.memories.add(BAZEL)
        failures = [[event.error for event in await woken(engine, clock, 60)] for _ in range(4)]
        assert failures == [["m: no answer"], ["scripted-1: the cues could not be read"], [], []]
        assert len(agent.requests) == 3
        await engine.memories.add("User drinks tea")
        assert await woken(engine, clock) == [CuesWritten((2,))]


async def test_a_large_store_costs_few_calls_a_day_and_the_cap_holds(open_engine, clock: StillClock) -> None:
    agent = ScriptedModel(says('{"memories": []}'))
    async with open_engine(agent=agent) as engine:
        for number in range(25):
            await engine.memories.add(f"thing number {number}")
        assert [len(event.ids) for _ in range(4) for event in await woken(engine, clock)] == [10, 10, 5]
    async with open_engine(agent=agent, settings=CAPPED) as engine:
        await engine.memories.add("one thing more")
        assert await woken(engine, clock) == []
    assert len(agent.requests) == 3


async def test_the_demo_writes_them_by_rules_and_asks_nobody(open_engine, clock: StillClock) -> None:
    async with open_engine(agent=DemoAgent()) as engine:
        await engine.memories.add("我用 neovim 写代码")
        await woken(engine, clock)

        [written] = await cues(engine, 1)
        assert "which editor is it" in written
        assert "是哪个编辑器" in written
        assert await engine.runs.spent() == []


@pytest.mark.parametrize("typed", [True, False])
async def test_a_fact_brings_its_cues_and_the_bad_ones_are_told(open_engine, clock: StillClock, typed: bool) -> None:
    quote = "our monorepo is built with Bazel"
    found = fact("User's monorepo is built with Bazel", quote if typed else "", cues=[CUE, "x" * 81, "这是什么"])
    async with open_engine(ScriptedModel(says("fine")), agent=ScriptedModel(finds(found))) as engine:
        await turn(engine, f"by the way, {quote}" if typed else "why is it all so slow?", session_id="s")
        [told] = await learn(engine)

        [stored] = told.learnt.stored if typed else told.learnt.candidates
        assert (stored.memory.cues, stored.memory.cues_by) == ((CUE,), CuesBy.AGENT)
        assert [each.reason for each in told.learnt.dropped] == ["cue_too_long", "cue_empty"]


async def test_a_memory_comes_by_its_cue_and_the_model_never_sees_it(open_engine, clock: StillClock) -> None:
    model = ScriptedModel(says("fine"))
    async with open_engine(model) as engine:
        await engine.memories.add(BAZEL)
        await engine.memories.add("User drinks tea")
        asked = "why does my docker build take 20 minutes?"
        assert [hit.memory.content for hit in (await engine.search.find(asked, 5)).hits] == []
        await engine.memories.edit(1, cues=[CUE, "缓存没命中"])

        assert [hit.memory.content for hit in (await engine.search.find(asked, 5)).hits] == [BAZEL]
        await turn(engine, "hello there", session_id="s")
        await turn(engine, asked, session_id="s")
        [prompt] = [text for text in model.last_prompt() if BAZEL in text]
        assert "缓存没命中" not in prompt
        await engine.memories.archive([1])
        assert (await engine.search.find(asked, 5)).hits == ()
