"""A quote is kept where it was typed, with its round."""

from __future__ import annotations

from fakes.facts import fact, finds, learn
from fakes.scripted_model import ScriptedModel, answers
from fakes.turns import turn

from orca_core.model.memories import State
from orca_core.orca import Orca

GYM = fact("User goes to the Apex gym", "I go to the Apex gym")


async def say(engine: Orca, *texts: str) -> None:
    for text in texts:
        await turn(engine, text, session_id="s")
    await engine.worker.drain()


async def test_a_quote_that_was_never_typed_holds_a_fact_and_is_not_kept(open_engine) -> None:
    invented = fact("User lives in Oslo", "I live in Oslo by the fjord")
    async with open_engine(
        agent=ScriptedModel(finds(invented), verifier=[answers(True, words=[str(invented["quote"])])])
    ) as engine:
        await say(engine, "I live in Oslo, what is the weather like?")
        await learn(engine)
        [waiting] = await engine.inbox.inbox()

        assert (waiting.held_because, waiting.origin.quote) == ("not_typed", None)


async def test_a_quote_that_was_typed_is_kept_with_its_round(open_engine) -> None:
    async with open_engine(agent=ScriptedModel(finds(GYM))) as engine:
        await say(engine, "hello there", "I go to the Apex gym")
        await learn(engine)

        [gym] = await engine.memories.get([1])
        assert (gym.state, gym.origin.quote, gym.origin.rounds) == (State.LIVE, "I go to the Apex gym", (2,))
