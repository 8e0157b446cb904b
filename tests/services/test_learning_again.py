"""What is said or read a second time, and what hands have a say in."""

from __future__ import annotations

import pytest
from fakes.facts import fact, finds, learn
from fakes.scripted_model import ScriptedModel
from fakes.turns import turn

from orca_core.model.llm import Span
from orca_core.model.memories import State
from orca_core.model.sessions import SessionById, TurnRequest
from orca_core.model.views import ListQuery
from orca_core.orca import Orca

EDITOR = fact("用户用 neovim 写代码", "我用 neovim 写代码", type="preference", tags=["技术"])


async def say(engine: Orca, *texts: str) -> None:
    for text in texts:
        await turn(engine, text, session_id="s")
    await engine.worker.drain()


async def live(engine: Orca) -> list[str]:
    return [view.memory.content for view in (await engine.memories.page(ListQuery())).records]


@pytest.mark.parametrize("hand", ["edit", "accept"])
async def test_what_a_hand_changed_or_accepted_is_only_proposed_to_be_replaced(open_engine, hand: str) -> None:
    moved = fact("用户住在杭州", "我搬到杭州了", replace="用户住在上海")
    lives = fact("用户住在上海", "我住在上海" if hand == "edit" else "")
    async with open_engine(agent=ScriptedModel(finds(lives), finds(moved))) as engine:
        await say(engine, "我住在上海" if hand == "edit" else "今天天气不错")
        await learn(engine)
        await (engine.memories.edit(1, tags=["生活"]) if hand == "edit" else engine.inbox.accept([1]))
        await say(engine, "我搬到杭州了")
        await learn(engine)
        [candidate] = await engine.inbox.inbox()

        assert (candidate.held_because, candidate.would_replace) == ("kept_by_hand", 1)
        assert (await engine.memories.get([1]))[0].state is State.LIVE
        await engine.history.undo()  # the hand lets go: what lives on typed words alone yields
        assert (await engine.memories.get([1]))[0].tags == ()


async def test_confirming_the_same_rounds_twice_counts_once(open_engine) -> None:
    agent = ScriptedModel(finds(EDITOR), finds(EDITOR), finds(EDITOR), finds(EDITOR))
    async with open_engine(agent=agent) as engine:
        await say(engine, "我用 neovim 写代码")
        await learn(engine)
        await say(engine, "你好", "我用 neovim 写代码")
        await learn(engine)
        assert (await engine.memories.get([1]))[0].seen == 2

        assert [event.state async for event in engine.learning.facts.run_again("s")][-1] == "done"
        assert (await engine.memories.get([1]))[0].seen == 2
        request = TurnRequest((Span("我用 neovim 写代码"),), SessionById("s"), replaces=3)
        async for _ in engine.chat.turn(request):
            pass
        await learn(engine)
        assert (await engine.memories.get([1]))[0].seen == 2


async def test_reading_again_what_was_undone_brings_nothing_back(open_engine) -> None:
    async with open_engine(agent=ScriptedModel(finds(EDITOR))) as engine:
        await say(engine, "我用 neovim 写代码")
        [event] = await learn(engine)
        await engine.history.undo(event.learnt.operation)

        again = [told async for told in engine.learning.facts.run_again("s")][-1]

        assert [(each.content, each.reason) for each in again.learnt.dropped] == [
            ("用户用 neovim 写代码", "archived: undone")
        ]
        assert await live(engine) == []


async def test_what_was_replaced_comes_back_when_it_is_said_again_but_not_against_a_hand(open_engine) -> None:
    lives = fact("用户住在上海", "我住在上海")
    moved = fact("用户住在杭州", "我搬到杭州了", replace="用户住在上海")
    agent = ScriptedModel(finds(lives), finds(moved), finds(lives), finds(moved), finds(lives))
    async with open_engine(agent=agent) as engine:
        seen = []
        for said in ("我住在上海", "我搬到杭州了", "我住在上海", "我搬到杭州了"):
            await say(engine, said)
            await learn(engine)
            seen.append(await live(engine))
        await engine.memories.edit(2, tags=["生活"])
        await say(engine, "我住在上海")
        await learn(engine)
        [waiting] = await engine.inbox.inbox()

        assert seen == [["用户住在上海"], ["用户住在杭州"], ["用户住在上海"], ["用户住在杭州"]]
        assert await live(engine) == ["用户住在杭州"]
        assert (waiting.id, waiting.held_because, waiting.would_replace) == (1, "kept_by_hand", 2)
        await engine.inbox.accept([1])
        assert await live(engine) == ["用户住在上海"]


async def test_a_replacement_that_was_undone_is_not_made_again_from_the_same_words(open_engine) -> None:
    lives = fact("用户住在上海", "我住在上海")
    moved = fact("用户住在杭州", "我搬到杭州了", replace="用户住在上海")
    reworded = fact("用户在杭州定居", "搬到杭州了", replace="用户住在上海")
    async with open_engine(agent=ScriptedModel(finds(lives), finds(moved), finds(lives, reworded))) as engine:
        await say(engine, "我住在上海")
        await learn(engine)
        await say(engine, "我搬到杭州了")
        [event] = await learn(engine)
        await engine.history.undo(event.learnt.operation)
        before = await live(engine)

        again = [told async for told in engine.learning.facts.run_again("s")][-1]

        assert before == await live(engine) == ["用户住在上海"]
        assert [each.reason for each in again.learnt.dropped] == ["archived: undone"]
        assert (again.learnt.stored, again.learnt.candidates, again.learnt.replaced) == ((), (), ())
