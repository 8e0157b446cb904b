"""Two values of one thing: both are recalled, the newer first; what a person does by hand is a word like any other."""

from __future__ import annotations

import pytest
from fakes.clocks import StillClock
from fakes.facts import fact, finds, learn
from fakes.scripted_model import ScriptedModel
from fakes.turns import only, turn

from orca_core.model.events import Injected
from orca_core.model.recall import Injection
from orca_core.orca import Orca

LOW = fact("用户的房租是900元", "我的房租是900元")
QUESTION = "你知道我的房租是多少吗"


async def recalled(orca: Orca, text: str = QUESTION) -> Injection:
    return only(await turn(orca, text, session_id="asked"), Injected).injection


MIDDLE = fact("用户的房租是950元", "我的房租是950元")


async def hear_of_hand(orca: Orca, clock: StillClock, *texts: str) -> None:
    """Each text in a conversation of its own, an hour after the one before."""
    for text in texts:
        clock.advance(3600)
        await turn(orca, text, session_id=text)
        await learn(orca)
    clock.advance(3600)


async def pairs(orca: Orca) -> list[tuple[int, int]]:
    """Newer and older of each open pair."""
    return [(pair.newer.memory.id, pair.older.memory.id) for pair in await orca.memories.undecided()]


async def test_a_value_that_was_edited_by_hand_is_the_newest(open_orca, clock: StillClock) -> None:
    async with open_orca(agent=ScriptedModel(finds(LOW), finds(MIDDLE))) as orca:
        await hear_of_hand(orca, clock, "我的房租是900元", "我的房租是950元")
        edited = await orca.memories.edit(1, content="用户的房租是990元")
        assert await pairs(orca) == [(1, 2)]
        await orca.history.undo(edited.operation)
        assert await pairs(orca) == [(2, 1)]
        await orca.history.redo()
        assert await pairs(orca) == [(1, 2)]


@pytest.mark.parametrize("text", ["记住：我的房租是950元", "/remember 我的房租是950元"])
async def test_what_is_remembered_at_once_stands_in_the_place_of_another_value(
    open_orca, clock: StillClock, text: str
) -> None:
    async with open_orca(agent=ScriptedModel(finds(LOW))) as orca:
        await hear_of_hand(orca, clock, "我的房租是900元")
        await turn(orca, text, session_id="now")
        assert await pairs(orca) == [(2, 1)]


async def test_what_is_added_by_hand_stands_in_the_place_of_another_value(open_orca, clock: StillClock) -> None:
    async with open_orca(agent=ScriptedModel(finds(LOW))) as orca:
        await hear_of_hand(orca, clock, "我的房租是900元")
        await orca.memories.add("用户喜欢乌龙茶")
        assert await pairs(orca) == []
        await orca.memories.add("用户的房租是950元")
        assert await pairs(orca) == [(3, 1)]
        clock.advance(3600)
        await orca.memories.add("用户的房租是900元")
        assert await pairs(orca) == [(1, 3)]


async def test_what_a_person_kept_beside_another_stays_so_when_it_is_said_again(open_orca, clock: StillClock) -> None:
    async with open_orca(agent=ScriptedModel(finds(LOW), finds(MIDDLE))) as orca:
        await hear_of_hand(orca, clock, "我的房租是900元", "我的房租是950元")
        await orca.memories.keep_both(1, 2)
        await orca.memories.add("用户的房租是900元")
        assert await pairs(orca) == []
