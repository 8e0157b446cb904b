"""What is said or read a second time, and what hands have a say in."""

from __future__ import annotations

import pytest
from fakes.clocks import StillClock
from fakes.facts import fact, finds, learn
from fakes.scripted_model import ScriptedModel, answers
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
    return [memory.content for memory in (await engine.memories.page(ListQuery())).memories]


async def test_what_a_hand_wrote_is_only_proposed_to_be_replaced(open_engine) -> None:
    moved = fact("用户住在杭州", "我搬到杭州了", replace="用户住在上海")
    async with open_engine(agent=ScriptedModel(finds(moved))) as engine:
        old = (await engine.memories.add("用户住在上海")).memory
        await say(engine, "我搬到杭州了")
        await learn(engine)
        [candidate] = await engine.inbox.inbox()

        assert (await engine.memories.get([old.id])) == [old]
        assert (candidate.held_because, candidate.would_replace) == ("kept_by_hand", old.id)


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


async def test_reading_again_in_other_words_stores_nothing(open_engine) -> None:
    reworded = fact("写代码的编辑器是 neovim 而不是别的", "我用 neovim 写代码", type="fact")
    async with open_engine(agent=ScriptedModel(finds(EDITOR), finds(reworded))) as engine:
        await say(engine, "我用 neovim 写代码")
        await learn(engine)
        before = await engine.memories.get([1])

        events = [event async for event in engine.learning.facts.run_again("s")]

        assert events[-1].learnt.confirmed == (1,)
        assert await engine.memories.get([1]) == before
        assert await live(engine) == ["用户用 neovim 写代码"]


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


async def test_one_run_does_not_undo_what_it_replaced(open_engine) -> None:
    lives = fact("用户住在上海", "我住在上海")
    moved = fact("用户住在杭州", "我搬到杭州了", replace="用户住在上海")
    async with open_engine(agent=ScriptedModel(finds(lives), finds(moved, lives))) as engine:
        await say(engine, "我住在上海")
        await learn(engine)
        await say(engine, "以前我住在上海，后来我搬到杭州了")
        await learn(engine)

        assert await live(engine) == ["用户住在杭州"]


async def test_answering_anew_what_asked_to_remember_counts_once(open_engine) -> None:
    async with open_engine() as engine:
        await turn(engine, "记住：我用 neovim 写代码", session_id="s")
        before = await engine.memories.get([1])
        for _ in range(2):
            await turn(engine, "记住：我用 neovim 写代码", session_id="s", replaces=1)
        assert await engine.memories.get([1]) == before

        await turn(engine, "记住：我用 helix 写代码", session_id="s", replaces=1)
        assert await live(engine) == ["我用 helix 写代码"]


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


async def test_what_was_put_back_to_wait_lives_again_by_new_words_alone(open_engine) -> None:
    weak = fact("用户用 neovim 写代码", type="preference")
    doubt = [answers(False), answers(True)]
    agent = ScriptedModel(finds(weak), finds(EDITOR), finds(EDITOR), finds(EDITOR), verifier=doubt)
    async with open_engine(agent=agent) as engine:
        await say(engine, "用 neovim 写代码怎么样？")
        await learn(engine)
        [waiting] = await engine.inbox.inbox()
        await say(engine, "我用 neovim 写代码")
        [event] = await learn(engine)
        promoted = await live(engine)
        await engine.history.undo(event.learnt.operation)

        again = [told async for told in engine.learning.facts.run_again("s") if told.state != "running"][-1]
        [still] = await engine.inbox.inbox()
        undone = await live(engine)
        await say(engine, "说真的，我用 neovim 写代码")
        await learn(engine)

        assert (promoted, undone, still.id) == ([waiting.content], [], waiting.id)
        assert [each.reason for each in again.learnt.dropped] == ["undone"]
        assert await live(engine) == [waiting.content]


async def test_redoing_what_was_undone_lets_it_be_confirmed_again(open_engine) -> None:
    async with open_engine(agent=ScriptedModel(finds(EDITOR))) as engine:
        await say(engine, "我用 neovim 写代码")
        [event] = await learn(engine)
        await engine.history.undo(event.learnt.operation)
        await engine.history.redo()

        again = [told async for told in engine.learning.facts.run_again("s")][-1]

        assert (again.learnt.dropped, again.learnt.confirmed) == ((), (1,))
        assert await live(engine) == ["用户用 neovim 写代码"]


async def test_a_memory_is_found_by_the_day_on_which_its_words_were_typed(open_engine, clock: StillClock) -> None:
    async with open_engine(agent=ScriptedModel(finds(EDITOR))) as engine:
        await say(engine, "我用 neovim 写代码")
        typed = clock.now()
        clock.advance(40 * 86_400)
        await learn(engine)

        for day, is_found in ((typed, True), (clock.now(), False)):
            found = await engine.search.find(f"{day.month}月{day.day}日", 5)
            assert bool(found.hits) is is_found
