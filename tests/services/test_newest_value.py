"""Two values of one thing: both are recalled, the newer first; what a person does by hand is a word like any other."""

from __future__ import annotations

import pytest
from fakes.clocks import StillClock
from fakes.facts import fact, finds, learn, pasted
from fakes.scripted_model import ScriptedModel
from fakes.turns import only, turn

from orca_core.model.events import Injected
from orca_core.model.memories import Added
from orca_core.model.recall import Injection
from orca_core.model.views import ListQuery
from orca_core.orca import Orca

LOW = fact("用户的房租是900元", "我的房租是900元")
QUESTION = "你知道我的房租是多少吗"


async def recalled(orca: Orca, text: str = QUESTION) -> Injection:
    return only(await turn(orca, text, session_id="asked"), Injected).injection


def long_term(injection: Injection) -> list[str]:
    return [item.content for item in injection.injected if item.is_citable]


BOTH_TRUE = [
    ("The blog is built with Hugo", "The blog is hosted on Netlify"),
    ("User's wife plays the oboe", "User's wife works in Ghent"),
    ("Reports run on ClickHouse", "Reports run on Mondays"),
]


@pytest.mark.parametrize("contents", BOTH_TRUE)
async def test_a_pair_hides_neither_of_two_true_memories(
    open_orca, clock: StillClock, contents: tuple[str, str]
) -> None:
    async with open_orca() as orca:
        for content in contents:
            await orca.memories.add(content)
            clock.advance(86_400)
        injection = await recalled(orca, "What do you remember about me?")
        assert set(long_term(injection)) == set(contents)


MIDDLE = fact("用户的房租是950元", "我的房租是950元")
HIGH_HAND = fact("用户的房租是990元", "我的房租是990元")
WHERE = "你知道我的房租是多少吗"


async def hear_of_hand(orca: Orca, clock: StillClock, *texts: str) -> None:
    """Each text in a conversation of its own, an hour after the one before."""
    for text in texts:
        clock.advance(3600)
        await turn(orca, text, session_id=text)
        await learn(orca)
    clock.advance(3600)


async def recalled_of_hand(orca: Orca, question: str = WHERE) -> set[str]:
    injection = only(await turn(orca, question, session_id="asked"), Injected).injection
    return {item.content for item in injection.injected if item.is_citable}


async def pairs(orca: Orca) -> list[tuple[int, int]]:
    """Newer and older of each open pair."""
    return [(pair.newer.memory.id, pair.older.memory.id) for pair in await orca.memories.undecided()]


async def test_a_memory_that_says_something_else_is_of_no_pair(open_orca, clock: StillClock) -> None:
    async with open_orca(agent=ScriptedModel(finds(LOW), finds(MIDDLE))) as orca:
        await hear_of_hand(orca, clock, "我的房租是900元", "我的房租是950元")
        edited = await orca.memories.edit(1, content="用户每周打网球")
        assert await pairs(orca) == []
        assert await recalled_of_hand(orca, "你知道我打什么球吗") == {"用户每周打网球"}
        await orca.history.undo(edited.operation)
        assert await pairs(orca) == [(2, 1)]


async def test_a_value_that_was_edited_by_hand_is_the_newest(open_orca, clock: StillClock) -> None:
    async with open_orca(agent=ScriptedModel(finds(LOW), finds(MIDDLE))) as orca:
        await hear_of_hand(orca, clock, "我的房租是900元", "我的房租是950元")
        edited = await orca.memories.edit(1, content="用户的房租是990元")
        assert await pairs(orca) == [(1, 2)]
        await orca.history.undo(edited.operation)
        assert await pairs(orca) == [(2, 1)]
        await orca.history.redo()
        assert await pairs(orca) == [(1, 2)]


async def test_an_edit_is_later_than_words_that_are_read_after_it(open_orca, clock: StillClock) -> None:
    async with open_orca(agent=ScriptedModel(finds(LOW), finds(MIDDLE))) as orca:
        await hear_of_hand(orca, clock, "我的房租是900元")
        await turn(orca, "我的房租是950元", session_id="late")
        clock.advance(3600)
        await orca.memories.edit(1, content="用户的房租是990元")
        await learn(orca)
        assert await pairs(orca) == [(1, 2)]


async def test_a_candidate_that_is_accepted_is_the_newest(open_orca, clock: StillClock) -> None:
    agent = ScriptedModel(finds(fact("用户的房租是950元", "")), finds(HIGH_HAND))
    async with open_orca(agent=agent) as orca:
        await turn(orca, "总结一下", pasted("我的房租是950元。" * 20), session_id="pasted")
        await learn(orca)
        await hear_of_hand(orca, clock, "我的房租是990元")
        [candidate] = await orca.memories.candidates()
        await orca.memories.accept([candidate.id])
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


async def test_a_run_that_is_taken_back_made_nothing_newer(open_orca, clock: StillClock) -> None:
    back = fact("用户的房租是900元", "我的房租又是900元了")
    async with open_orca(agent=ScriptedModel(finds(LOW), finds(MIDDLE), finds(back))) as orca:
        await hear_of_hand(orca, clock, "我的房租是900元", "我的房租是950元")
        clock.advance(3600)
        await turn(orca, "我的房租又是900元了", session_id="back")
        [event] = await learn(orca)
        assert await pairs(orca) == [(1, 2)]
        await orca.history.undo(event.learnt.operation)
        assert await pairs(orca) == [(2, 1)]


async def test_what_a_person_kept_beside_another_stays_so_when_it_is_said_again(open_orca, clock: StillClock) -> None:
    async with open_orca(agent=ScriptedModel(finds(LOW), finds(MIDDLE))) as orca:
        await hear_of_hand(orca, clock, "我的房租是900元", "我的房租是950元")
        await orca.memories.keep_both(1, 2)
        await orca.memories.add("用户的房租是900元")
        assert await pairs(orca) == []


SPELT_ANEW = [
    ("User lives in Oslo", "The user lives in Oslo"),
    ("User lives in Oslo", "user lives in oslo."),
    ("User uses Vim", "User  uses vim"),
    ("用户喜欢喝绿茶", "用户喜欢喝綠茶。"),
]
TYPED = {"User lives in Oslo": "I live in Oslo", "User uses Vim": "I use Vim", "用户喜欢喝绿茶": "我喜欢喝绿茶"}


async def contents(orca: Orca) -> list[tuple[str, str]]:
    page = await orca.memories.page(ListQuery("all"))
    return [(view.memory.content, view.memory.type.value) for view in page.records]


@pytest.mark.parametrize(("first", "again"), SPELT_ANEW)
async def test_added_by_hand(open_orca, first: str, again: str) -> None:
    async with open_orca() as orca:
        await orca.memories.add(first, type_word="fact")
        said = await orca.memories.add(again, type_word="preference")
        assert (said.outcome, said.memory.id, said.memory.seen) == (Added.CONFIRMED, 1, 2)
        assert await contents(orca) == [(first, "fact")]
        await orca.history.undo()
        assert (await orca.memories.get([1]))[0].seen == 1


@pytest.mark.parametrize(("first", "again"), SPELT_ANEW)
async def test_learnt_twice(open_orca, clock: StillClock, first: str, again: str) -> None:
    agent = ScriptedModel(finds(fact(first, TYPED[first])), finds(fact(again, TYPED[first], type="preference")))
    async with open_orca(agent=agent) as orca:
        for number in range(2):
            clock.advance(3600)
            await turn(orca, TYPED[first], session_id=f"s{number}")
            await learn(orca)
        assert await contents(orca) == [(first, "fact")]
        assert await orca.memories.undecided() == []


@pytest.mark.parametrize("text", ["记住：用户喜欢喝綠茶", "/remember 用户喜欢喝綠茶。"])
async def test_remembered_on_request(open_orca, text: str) -> None:
    async with open_orca() as orca:
        await orca.memories.add("用户喜欢喝绿茶", type_word="fact")
        await turn(orca, text, session_id="s")
        assert await contents(orca) == [("用户喜欢喝绿茶", "fact")]
