"""What is proposed and held again confirms what waits; what a person rejected does not come back in other words."""

from __future__ import annotations

import pytest
from fakes.facts import fact, finds, learn, pasted
from fakes.scripted_model import ScriptedModel
from fakes.turns import turn

from orca_core.model.memories import State
from orca_core.orca import Orca

SAID = "我的电话是 13912345678"
PHONE = fact("用户的电话是 13912345678", SAID)
WAYS = {
    "the same": fact("用户的电话是 13912345678", SAID),
    "other punctuation": fact("用户的电话是：13912345678。", SAID),
    "other words of the same quote": fact("用户个人的电话是 13912345678", SAID),
    "another type": fact("用户的电话是 13912345678", SAID, type="project"),
}


async def learnt_from(engine: Orca, *said: str) -> list[str]:
    """Say these one by one, and learn from each; why the last facts were dropped."""
    reasons: list[str] = []
    for text in said:
        await turn(engine, text, session_id="s")
        [event] = await learn(engine)
        reasons = [each.reason for each in event.learnt.dropped]
    return reasons


@pytest.mark.parametrize("again", WAYS.values(), ids=WAYS.keys())
async def test_what_is_held_again_confirms_what_waits(open_engine, again: dict[str, object]) -> None:
    async with open_engine(agent=ScriptedModel(finds(PHONE), finds(again), finds(again))) as engine:
        await learnt_from(engine, SAID, SAID, SAID)

        [waiting] = await engine.inbox.inbox()
        assert (waiting.content, waiting.seen) == (PHONE["content"], 3)


@pytest.mark.parametrize("again", WAYS.values(), ids=WAYS.keys())
async def test_what_was_rejected_does_not_come_back_in_other_words(open_engine, again: dict[str, object]) -> None:
    async with open_engine(agent=ScriptedModel(finds(PHONE), finds(again))) as engine:
        await learnt_from(engine, SAID)
        await engine.inbox.reject([1])

        assert await learnt_from(engine, SAID) == ["rejected"]
        assert await engine.inbox.inbox() == []


@pytest.mark.parametrize("again", WAYS.values(), ids=WAYS.keys())
async def test_reading_its_rounds_again_does_not_bring_it_back_either(open_engine, again: dict[str, object]) -> None:
    async with open_engine(agent=ScriptedModel(finds(PHONE), finds(again))) as engine:
        await learnt_from(engine, SAID)
        await engine.inbox.reject([1])
        [event] = [each async for each in engine.learning.facts.run_again("s") if each.state != "running"]

        assert [each.reason for each in event.learnt.dropped] == ["rejected"]
        assert await engine.inbox.inbox() == []


PASTED = "用户使用 kubernetes 部署网站"
REWORDED = fact("用户使用 kubernetes 来部署网站", "we deploy with kubernetes")


async def test_what_was_pasted_twice_waits_once_and_stays_rejected(open_engine) -> None:
    scripts = [finds(fact(PASTED, "we deploy with kubernetes")), finds(REWORDED), finds(REWORDED)]
    paste = pasted("we deploy with kubernetes, says the readme")
    async with open_engine(agent=ScriptedModel(*scripts)) as engine:
        for seen in (1, 2):
            await turn(engine, "看看这个", paste)
            await learn(engine)
            [waiting] = await engine.inbox.inbox()
            assert (waiting.content, waiting.seen, waiting.origin.quote) == (PASTED, seen, None)
        await engine.inbox.reject([waiting.id])
        await turn(engine, "再看看这个", paste)
        [event] = await learn(engine)
        assert [each.reason for each in event.learnt.dropped] == ["rejected"]


async def test_another_fact_of_the_same_quote_waits_beside_it(open_engine) -> None:
    said = "我的电话是 13912345678，办公室的电话是 13812345678"
    office = fact("用户办公室的电话是 13812345678", said)
    async with open_engine(agent=ScriptedModel(finds(fact(str(PHONE["content"]), said), office))) as engine:
        await learnt_from(engine, said)

        assert [each.state for each in await engine.inbox.inbox()] == [State.CANDIDATE] * 2
