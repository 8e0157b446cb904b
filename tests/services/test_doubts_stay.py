"""What the verifier refused waits while it does not answer."""

from __future__ import annotations

import pytest
from fakes.facts import fact, finds, learn
from fakes.scripted_model import ScriptedModel, answers
from fakes.turns import turn

from orca_core.model.errors import ModelUnavailable
from orca_core.model.views import ListQuery
from orca_core.orca import Orca
from orca_core.settings import ExtractSettings, MemoryAgentSettings, Settings

SAID = "I guess I keep a giraffe"
HAS, KEEPS = fact("User has a giraffe", SAID), fact("User keeps a giraffe", SAID)
OFF = Settings(memory_agent=MemoryAgentSettings(extract=ExtractSettings(verify="off")))


async def say(engine: Orca, session_id: str) -> None:
    await turn(engine, SAID, session_id=session_id)
    await learn(engine)


async def states(engine: Orca) -> set[tuple[str, str | None]]:
    memories = (await engine.memories.page(ListQuery("all"))).memories
    return {(memory.state.value, memory.held_because) for memory in memories}


@pytest.mark.parametrize("again", [HAS, KEEPS])
async def test_while_the_verifier_is_down(open_engine, again: dict[str, object]) -> None:
    down = [ModelUnavailable(provider="p", detail="down")]
    async with open_engine(agent=ScriptedModel(finds(HAS), finds(again), verifier=[answers(False), down])) as engine:
        await say(engine, "s")
        await say(engine, "t")

        assert {state for state, _why in await states(engine)} == {"candidate"}
        assert ("candidate", "not_said") in await states(engine)


async def test_not_where_it_is_switched_off_and_they_are_typed_again(open_engine) -> None:
    async with open_engine(agent=ScriptedModel(finds(HAS), verifier=[answers(False)])) as engine:
        await say(engine, "s")
    async with open_engine(agent=ScriptedModel(finds(HAS)), settings=OFF) as engine:
        await say(engine, "t")

        assert await states(engine) == {("live", None)}


async def test_not_when_the_words_are_read_and_pass(open_engine) -> None:
    agent = ScriptedModel(finds(HAS), finds(KEEPS), verifier=[answers(False), answers(True)])
    async with open_engine(agent=agent) as engine:
        await say(engine, "s")
        await say(engine, "t")

        assert ("live", None) in await states(engine)
