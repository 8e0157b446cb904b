"""One statement is stored once, whatever its type and spelling, by whichever door it comes."""

from __future__ import annotations

import pytest
from fakes.clocks import StillClock
from fakes.facts import fact, finds, learn
from fakes.scripted_model import ScriptedModel
from fakes.turns import turn

from orca_core.model.memories import Added
from orca_core.model.views import ListQuery
from orca_core.orca import Orca

SPELT_ANEW = [
    ("User lives in Oslo", "The user lives in Oslo"),
    ("User lives in Oslo", "user lives in oslo."),
    ("User uses Vim", "User  uses vim"),
    ("用户喜欢喝绿茶", "用户喜欢喝綠茶。"),
]
TYPED = {"User lives in Oslo": "I live in Oslo", "User uses Vim": "I use Vim", "用户喜欢喝绿茶": "我喜欢喝绿茶"}


async def contents(engine: Orca) -> list[tuple[str, str]]:
    page = await engine.memories.page(ListQuery("all"))
    return [(view.memory.content, view.memory.type.value) for view in page.views]


@pytest.mark.parametrize(("first", "again"), SPELT_ANEW)
async def test_added_by_hand(open_engine, first: str, again: str) -> None:
    async with open_engine() as engine:
        await engine.memories.add(first, type_word="fact")
        said = await engine.memories.add(again, type_word="preference")
        assert (said.outcome, said.memory.id, said.memory.seen) == (Added.CONFIRMED, 1, 2)
        assert await contents(engine) == [(first, "fact")]
        await engine.history.undo()
        assert (await engine.memories.get([1]))[0].seen == 1


@pytest.mark.parametrize(("first", "again"), SPELT_ANEW)
async def test_proposed_by_an_agent(open_engine, first: str, again: str) -> None:
    async with open_engine() as engine:
        await engine.memories.add(first, type_word="event")
        await engine.memory.propose("s", [again])
        assert await contents(engine) == [(first, "event")]


@pytest.mark.parametrize(("first", "again"), SPELT_ANEW)
async def test_proposed_twice_and_then_added(open_engine, first: str, again: str) -> None:
    async with open_engine() as engine:
        await engine.memory.propose("s", [first, again])
        assert [content for content, _type in await contents(engine)] == [first]
        said = await engine.memories.add(again, type_word="project")
        assert (said.outcome, said.memory.id) == (Added.PROMOTED, 1)


@pytest.mark.parametrize(("first", "again"), SPELT_ANEW)
async def test_learnt_twice(open_engine, clock: StillClock, first: str, again: str) -> None:
    agent = ScriptedModel(finds(fact(first, TYPED[first])), finds(fact(again, TYPED[first], type="preference")))
    async with open_engine(agent=agent) as engine:
        for number in range(2):
            clock.advance(3600)
            await turn(engine, TYPED[first], session_id=f"s{number}")
            await learn(engine)
        assert await contents(engine) == [(first, "fact")]
        assert await engine.inbox.undecided() == []


@pytest.mark.parametrize("text", ["记住：用户喜欢喝綠茶", "/remember 用户喜欢喝綠茶。"])
async def test_remembered_on_request(open_engine, text: str) -> None:
    async with open_engine() as engine:
        await engine.memories.add("用户喜欢喝绿茶", type_word="fact")
        await turn(engine, text, session_id="s")
        assert await contents(engine) == [("用户喜欢喝绿茶", "fact")]


@pytest.mark.parametrize(
    ("first", "other"),
    [
        ("User codes in C", "User codes in C++"),
        ("User pays 3.5 euros", "User pays 35 euros"),
        ("User lives in Oslo", "User lived in Oslo"),
        ("Anna manages Ines", "Ines manages Anna"),
    ],
)
async def test_what_says_something_else_is_another_memory(open_engine, first: str, other: str) -> None:
    async with open_engine() as engine:
        await engine.memories.add(first)
        said = await engine.memories.add(other)
        assert (said.outcome, said.memory.id) == (Added.CREATED, 2)
