"""What a person does by hand is a word like any other: the latest one is the newer of a pair of values."""

from __future__ import annotations

import pytest
from fakes.clocks import StillClock
from fakes.facts import fact, finds, learn, pasted
from fakes.scripted_model import ScriptedModel
from fakes.turns import only, turn

from orca_core.model.events import Injected
from orca_core.orca import Orca

LOW = fact("用户的房租是900元", "我的房租是900元")
MIDDLE = fact("用户的房租是950元", "我的房租是950元")
HIGH = fact("用户的房租是990元", "我的房租是990元")
WHERE = "你知道我的房租是多少吗"


async def hear(engine: Orca, clock: StillClock, *texts: str) -> None:
    """Each text in a conversation of its own, an hour after the one before."""
    for text in texts:
        clock.advance(3600)
        await turn(engine, text, session_id=text)
        await learn(engine)
    clock.advance(3600)


async def recalled(engine: Orca, question: str = WHERE) -> set[str]:
    injection = only(await turn(engine, question, session_id="asked"), Injected).injection
    return {item.content for item in injection.injected if item.is_citable}


async def pairs(engine: Orca) -> list[tuple[int, int]]:
    """Newer and older of each open pair."""
    return [(pair.newer.memory.id, pair.older.memory.id) for pair in await engine.inbox.undecided()]


async def test_a_memory_that_says_something_else_is_of_no_pair(open_engine, clock: StillClock) -> None:
    async with open_engine(agent=ScriptedModel(finds(LOW), finds(MIDDLE))) as engine:
        await hear(engine, clock, "我的房租是900元", "我的房租是950元")
        edited = await engine.memories.edit(1, content="用户每周打网球")
        assert await pairs(engine) == []
        assert await recalled(engine, "你知道我打什么球吗") == {"用户每周打网球"}
        await engine.history.undo(edited.operation)
        assert await pairs(engine) == [(2, 1)]


async def test_a_value_that_was_edited_by_hand_is_the_newest(open_engine, clock: StillClock) -> None:
    async with open_engine(agent=ScriptedModel(finds(LOW), finds(MIDDLE))) as engine:
        await hear(engine, clock, "我的房租是900元", "我的房租是950元")
        edited = await engine.memories.edit(1, content="用户的房租是990元")
        assert await pairs(engine) == [(1, 2)]
        await engine.history.undo(edited.operation)
        assert await pairs(engine) == [(2, 1)]
        await engine.history.redo()
        assert await pairs(engine) == [(1, 2)]


async def test_what_was_typed_after_an_edit_is_newer(open_engine, clock: StillClock) -> None:
    async with open_engine(agent=ScriptedModel(finds(LOW), finds(MIDDLE))) as engine:
        await hear(engine, clock, "我的房租是900元")
        await engine.memories.edit(1, content="用户的房租是990元")
        await hear(engine, clock, "我的房租是950元")
        assert await pairs(engine) == [(2, 1)]


async def test_an_edit_is_later_than_words_that_are_read_after_it(open_engine, clock: StillClock) -> None:
    async with open_engine(agent=ScriptedModel(finds(LOW), finds(MIDDLE))) as engine:
        await hear(engine, clock, "我的房租是900元")
        await turn(engine, "我的房租是950元", session_id="late")
        clock.advance(3600)
        await engine.memories.edit(1, content="用户的房租是990元")
        await learn(engine)
        assert await pairs(engine) == [(1, 2)]


async def test_a_candidate_that_is_accepted_is_the_newest(open_engine, clock: StillClock) -> None:
    agent = ScriptedModel(finds(fact("用户的房租是950元", "")), finds(HIGH))
    async with open_engine(agent=agent) as engine:
        await turn(engine, "总结一下", pasted("我的房租是950元。" * 20), session_id="pasted")
        await learn(engine)
        await hear(engine, clock, "我的房租是990元")
        [candidate] = await engine.inbox.inbox()
        await engine.inbox.accept([candidate.id])
        assert await pairs(engine) == [(1, 2)]


@pytest.mark.parametrize("text", ["记住：我的房租是950元", "/remember 我的房租是950元"])
async def test_what_is_remembered_at_once_stands_in_the_place_of_another_value(
    open_engine, clock: StillClock, text: str
) -> None:
    async with open_engine(agent=ScriptedModel(finds(LOW))) as engine:
        await hear(engine, clock, "我的房租是900元")
        await turn(engine, text, session_id="now")
        assert await pairs(engine) == [(2, 1)]


async def test_what_is_added_by_hand_stands_in_the_place_of_another_value(open_engine, clock: StillClock) -> None:
    async with open_engine(agent=ScriptedModel(finds(LOW))) as engine:
        await hear(engine, clock, "我的房租是900元")
        await engine.memories.add("用户喜欢乌龙茶")
        assert await pairs(engine) == []
        await engine.memories.add("用户的房租是950元")
        assert await pairs(engine) == [(3, 1)]
        clock.advance(3600)
        await engine.memories.add("用户的房租是900元")
        assert await pairs(engine) == [(1, 3)]


async def test_a_run_that_is_taken_back_made_nothing_newer(open_engine, clock: StillClock) -> None:
    back = fact("用户的房租是900元", "我的房租又是900元了")
    async with open_engine(agent=ScriptedModel(finds(LOW), finds(MIDDLE), finds(back))) as engine:
        await hear(engine, clock, "我的房租是900元", "我的房租是950元")
        clock.advance(3600)
        await turn(engine, "我的房租又是900元了", session_id="back")
        [event] = await learn(engine)
        assert await pairs(engine) == [(1, 2)]
        await engine.history.undo(event.learnt.operation)
        assert await pairs(engine) == [(2, 1)]


async def test_what_a_person_kept_beside_another_stays_so_when_it_is_said_again(open_engine, clock: StillClock) -> None:
    async with open_engine(agent=ScriptedModel(finds(LOW), finds(MIDDLE))) as engine:
        await hear(engine, clock, "我的房租是900元", "我的房租是950元")
        await engine.inbox.keep_both(1, 2)
        await engine.memories.add("用户的房租是900元")
        assert await pairs(engine) == []


async def test_what_a_person_merged_is_no_second_value_when_it_is_restored(open_engine, clock: StillClock) -> None:
    async with open_engine() as engine:
        for text in ("User writes code with Vim", "Vim is the editor that the user likes"):
            await engine.memories.add(text)
        clock.advance(3600)
        await engine.inbox.merge(1, [2])
        await engine.memories.restore([2])
        assert [pair.why for pair in await engine.inbox.undecided() if pair.why == "other_value"] == []
