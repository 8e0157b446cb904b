"""What a person does by hand is a word like any other: the latest one is the newer of a pair of values."""

from __future__ import annotations

import pytest
from fakes.clocks import StillClock
from fakes.facts import fact, finds, learn, pasted
from fakes.scripted_model import ScriptedModel
from fakes.turns import only, turn

from orca_core.domain.events import Injected
from orca_core.engine import Engine

HANGZHOU = fact("用户住在杭州", "我住在杭州")
SUZHOU = fact("用户住在苏州", "我住在苏州")
WUXI = fact("用户住在无锡", "我住在无锡")
WHERE = "你知道我住在哪里吗"


async def hear(engine: Engine, clock: StillClock, *texts: str) -> None:
    """Each text in a conversation of its own, an hour after the one before."""
    for text in texts:
        clock.advance(3600)
        await turn(engine, text, session_id=text)
        await learn(engine)
    clock.advance(3600)


async def recalled(engine: Engine, question: str = WHERE) -> set[str]:
    injection = only(await turn(engine, question, session_id="asked"), Injected).injection
    return {item.content for item in injection.injected if item.is_citable}


async def pairs(engine: Engine) -> list[tuple[int, int]]:
    """Newer and older of each open pair."""
    return [(pair.newer.memory.id, pair.older.memory.id) for pair in await engine.inbox.undecided()]


async def test_a_memory_that_says_something_else_is_of_no_pair(open_engine, clock: StillClock) -> None:
    async with open_engine(agent=ScriptedModel(finds(HANGZHOU), finds(SUZHOU))) as engine:
        await hear(engine, clock, "我住在杭州", "我住在苏州")
        edited = await engine.memories.edit(1, content="用户每周打网球")
        assert await pairs(engine) == []
        assert await recalled(engine, "你知道我打什么球吗") == {"用户每周打网球"}
        await engine.history.undo(edited.operation)
        assert await pairs(engine) == [(2, 1)]


async def test_a_value_that_was_edited_by_hand_is_the_newest(open_engine, clock: StillClock) -> None:
    async with open_engine(agent=ScriptedModel(finds(HANGZHOU), finds(SUZHOU))) as engine:
        await hear(engine, clock, "我住在杭州", "我住在苏州")
        edited = await engine.memories.edit(1, content="用户住在无锡")
        assert await pairs(engine) == [(1, 2)]
        await engine.history.undo(edited.operation)
        assert await pairs(engine) == [(2, 1)]
        await engine.history.redo()
        assert await pairs(engine) == [(1, 2)]


async def test_what_was_typed_after_an_edit_is_newer(open_engine, clock: StillClock) -> None:
    async with open_engine(agent=ScriptedModel(finds(HANGZHOU), finds(SUZHOU))) as engine:
        await hear(engine, clock, "我住在杭州")
        await engine.memories.edit(1, content="用户住在无锡")
        await hear(engine, clock, "我住在苏州")
        assert await pairs(engine) == [(2, 1)]


async def test_an_edit_is_later_than_words_that_are_read_after_it(open_engine, clock: StillClock) -> None:
    async with open_engine(agent=ScriptedModel(finds(HANGZHOU), finds(SUZHOU))) as engine:
        await hear(engine, clock, "我住在杭州")
        await turn(engine, "我住在苏州", session_id="late")
        clock.advance(3600)
        await engine.memories.edit(1, content="用户住在无锡")
        await learn(engine)
        assert await pairs(engine) == [(1, 2)]


async def test_a_candidate_that_is_accepted_is_the_newest(open_engine, clock: StillClock) -> None:
    agent = ScriptedModel(finds(fact("用户住在苏州", "")), finds(WUXI))
    async with open_engine(agent=agent) as engine:
        await turn(engine, "总结一下", pasted("我住在苏州。" * 20), session_id="pasted")
        await learn(engine)
        await hear(engine, clock, "我住在无锡")
        [candidate] = await engine.inbox.inbox()
        await engine.inbox.accept([candidate.id])
        assert await pairs(engine) == [(1, 2)]


@pytest.mark.parametrize("text", ["记住：我住在苏州", "/remember 我住在苏州"])
async def test_what_is_remembered_at_once_stands_in_the_place_of_another_value(
    open_engine, clock: StillClock, text: str
) -> None:
    async with open_engine(agent=ScriptedModel(finds(HANGZHOU))) as engine:
        await hear(engine, clock, "我住在杭州")
        await turn(engine, text, session_id="now")
        assert await pairs(engine) == [(2, 1)]


async def test_what_is_added_by_hand_stands_in_the_place_of_another_value(open_engine, clock: StillClock) -> None:
    async with open_engine(agent=ScriptedModel(finds(HANGZHOU))) as engine:
        await hear(engine, clock, "我住在杭州")
        await engine.memories.add("用户喜欢乌龙茶")
        assert await pairs(engine) == []
        await engine.memories.add("用户住在苏州")
        assert await pairs(engine) == [(3, 1)]
        clock.advance(3600)
        await engine.memories.add("用户住在杭州")
        assert await pairs(engine) == [(1, 3)]


async def test_a_replaced_value_that_is_restored_is_the_newest(open_engine, clock: StillClock) -> None:
    moved = fact("用户住在苏州", "我搬到苏州了，现在住在苏州", replace="用户住在杭州")
    async with open_engine(agent=ScriptedModel(finds(HANGZHOU), finds(moved))) as engine:
        await hear(engine, clock, "我住在杭州", "我搬到苏州了，现在住在苏州")
        assert await recalled(engine) == {"用户住在苏州"}
        await engine.memories.restore([1])
        assert await pairs(engine) == [(1, 2)]


async def test_a_run_that_is_taken_back_made_nothing_newer(open_engine, clock: StillClock) -> None:
    back = fact("用户住在杭州", "我又住在杭州了")
    async with open_engine(agent=ScriptedModel(finds(HANGZHOU), finds(SUZHOU), finds(back))) as engine:
        await hear(engine, clock, "我住在杭州", "我住在苏州")
        clock.advance(3600)
        await turn(engine, "我又住在杭州了", session_id="back")
        [event] = await learn(engine)
        assert await pairs(engine) == [(1, 2)]
        await engine.history.undo(event.learnt.operation)
        assert await pairs(engine) == [(2, 1)]


async def test_what_was_to_replace_a_memory_is_a_value_beside_what_replaced_it_since(
    open_engine, clock: StillClock
) -> None:
    vim = fact("User writes with Vim", "I write with Vim")
    emacs = fact("User writes with Emacs", "", replace="User writes with Vim")
    helix = fact("User writes with Helix", "I switched from Vim to Helix", replace="User writes with Vim")
    async with open_engine(agent=ScriptedModel(finds(vim), finds(emacs), finds(helix))) as engine:
        await hear(engine, clock, "I write with Vim")
        await turn(engine, "sum this up", pasted("They write with Emacs now. " * 20), session_id="pasted")
        await learn(engine)
        await hear(engine, clock, "I switched from Vim to Helix")
        [candidate] = await engine.inbox.inbox()
        await engine.inbox.accept([candidate.id])
        assert await pairs(engine) == [(2, 3)]


async def test_what_a_person_kept_beside_another_stays_so_when_it_is_said_again(open_engine, clock: StillClock) -> None:
    async with open_engine(agent=ScriptedModel(finds(HANGZHOU), finds(SUZHOU))) as engine:
        await hear(engine, clock, "我住在杭州", "我住在苏州")
        await engine.inbox.keep_both(1, 2)
        await engine.memories.add("用户住在杭州")
        assert await pairs(engine) == []


VIM = fact("User writes code with Vim", "I write code with Vim")
HELIX = fact("User writes code with Helix", "I switched from Vim to Helix", replace="User writes code with Vim")
ZED = fact("User writes code with Zed", "I switched from Helix to Zed", replace="User writes code with Helix")
BACK = fact("User writes code with Vim", "I'm back on Vim now, I write code with Vim")
CHANGES = ("I write code with Vim", "I switched from Vim to Helix", "I switched from Helix to Zed")
EDITOR = "Do you know which editor I write code with?"


async def test_what_comes_back_takes_the_place_of_the_last_of_its_successors(open_engine, clock: StillClock) -> None:
    async with open_engine(agent=ScriptedModel(*map(finds, (VIM, HELIX, ZED, BACK)))) as engine:
        await hear(engine, clock, *CHANGES, "I'm back on Vim now, I write code with Vim")
        assert await recalled(engine, EDITOR) == {"User writes code with Vim"}
        [zed] = await engine.memories.get([3])
        assert (zed.state.value, zed.superseded_by) == ("archived", 1)


async def test_what_is_added_again_takes_the_place_of_the_last_of_its_successors(
    open_engine, clock: StillClock
) -> None:
    async with open_engine(agent=ScriptedModel(*map(finds, (VIM, HELIX, ZED)))) as engine:
        await hear(engine, clock, *CHANGES)
        await engine.memories.add("User writes code with Vim")
        assert await recalled(engine, EDITOR) == {"User writes code with Vim"}


async def test_a_run_takes_no_place_from_a_last_successor_that_a_person_edited(open_engine, clock: StillClock) -> None:
    async with open_engine(agent=ScriptedModel(*map(finds, (VIM, HELIX, ZED, BACK)))) as engine:
        await hear(engine, clock, *CHANGES)
        await engine.memories.edit(3, content="User writes code with Zed, in Vim mode")
        await hear(engine, clock, "I'm back on Vim now, I write code with Vim")
        [vim, zed] = await engine.memories.get([1, 3])
        assert (vim.state.value, vim.would_replace, zed.state.value) == ("candidate", 3, "live")


async def test_what_a_run_replaced_is_a_second_value_when_it_is_restored(open_engine, clock: StillClock) -> None:
    async with open_engine(agent=ScriptedModel(*map(finds, (VIM, HELIX, ZED)))) as engine:
        await hear(engine, clock, *CHANGES)
        await engine.memories.restore([1])
        assert await pairs(engine) == [(1, 3)]


async def test_what_a_person_merged_is_no_second_value_when_it_is_restored(open_engine, clock: StillClock) -> None:
    async with open_engine() as engine:
        for text in ("User writes code with Vim", "Vim is the editor that the user likes"):
            await engine.memories.add(text)
        clock.advance(3600)
        await engine.inbox.merge(1, [2])
        await engine.memories.restore([2])
        assert [pair.why for pair in await engine.inbox.undecided() if pair.why == "other_value"] == []
