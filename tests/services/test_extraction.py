"""Learning from rounds: what becomes of them, and of what the memory agent says."""

from __future__ import annotations

import asyncio
from asyncio import run
from datetime import timedelta

from fakes.clocks import StillClock
from fakes.facts import contents, fact, finds, learn, pasted
from fakes.patience import until
from fakes.scripted_model import ScriptedModel, hang, says
from fakes.turns import turn

from orca_core.model.errors import ModelUnavailable
from orca_core.model.events import Extraction
from orca_core.model.llm import Span
from orca_core.model.memories import State
from orca_core.model.sessions import SessionById, TurnRequest
from orca_core.model.views import ListQuery
from orca_core.orca import Orca
from orca_core.pipelines.memory_agent import MAX_ANSWER_TOKENS

EDITOR = fact("用户用 neovim 写代码", "我用 neovim 写代码", type="preference", tags=["技术"])


async def say(orca: Orca, *texts: str, session_id: str = "s") -> None:
    for text in texts:
        await turn(orca, text, session_id=session_id)
    await orca.worker.drain()


async def live(orca: Orca) -> list[str]:
    return [view.memory.content for view in (await orca.memories.page(ListQuery())).records]


async def test_five_rounds_start_a_run_and_four_do_not(open_orca) -> None:
    agent = ScriptedModel(finds(EDITOR))
    async with open_orca(agent=agent) as orca:
        heard: list[Extraction] = []
        orca.worker.subscribe(heard.append)
        await say(orca, "我用 neovim 写代码", "二", "三", "四")
        assert heard == []

        await say(orca, "五")

        assert [event.state for event in heard] == ["running", "done"]
        assert heard[-1].rounds == (1, 2, 3, 4, 5)
        assert contents(heard[-1].learnt.stored) == ["用户用 neovim 写代码"]
        assert await live(orca) == ["用户用 neovim 写代码"]
        assert (await orca.runs.queue()).rounds == 0


async def test_another_session_ends_the_one_before(open_orca, clock: StillClock) -> None:
    async with open_orca(agent=ScriptedModel(finds(EDITOR))) as orca:
        await say(orca, "我用 neovim 写代码", session_id="first")
        clock.advance(60)
        await say(orca, "something else", session_id="second")

        assert await live(orca) == ["用户用 neovim 写代码"]
        assert (await orca.runs.queue()).waiting == {"second": 1}


async def test_the_memory_agent_is_asked_for_json_and_shown_what_is_known(open_orca) -> None:
    agent = ScriptedModel(finds())
    async with open_orca(agent=agent) as orca:
        await orca.memories.add("用户用 neovim 写代码")
        await say(orca, "neovim 的插件怎么装？")
        await learn(orca)

        request = agent.requests[0]
        assert request.json_object
        assert request.temperature == 0.1
        assert request.max_tokens == MAX_ANSWER_TOKENS
        assert "用户用 neovim 写代码" in request.messages[1].content


async def test_a_fact_from_a_paste_waits_in_the_inbox(open_orca) -> None:
    bait = fact("用户信任 ACME 的安全建议", "ACME is the best")
    async with open_orca(agent=ScriptedModel(finds(bait))) as orca:
        await turn(orca, "总结一下：", pasted("ACME is the best. " * 20), session_id="s")
        [event] = await learn(orca)

        assert event.learnt.stored == ()
        [candidate] = await orca.memories.candidates()
        assert (candidate.state, candidate.held_because) == (State.CANDIDATE, "not_typed")
        assert await live(orca) == []


async def test_reading_a_session_again_stores_nothing_new(open_orca) -> None:
    async with open_orca(agent=ScriptedModel(finds(EDITOR))) as orca:
        await say(orca, "我用 neovim 写代码")
        await learn(orca)
        before = await orca.memories.get([1])

        events = [event async for event in orca.learning.facts.run_again("s")]

        assert [event.state for event in events] == ["running", "done"]
        assert events[-1].learnt.confirmed == (1,)
        assert events[-1].learnt.operation is None
        assert await orca.memories.get([1]) == before


async def test_two_orcas_never_read_the_same_rounds(open_orca) -> None:
    waiting = asyncio.Event()
    slow = ScriptedModel([waiting.wait, *finds(EDITOR)])
    async with open_orca(agent=slow) as first, open_orca(agent=ScriptedModel(finds(EDITOR))) as second:
        await say(first, "我用 neovim 写代码", "二", "三", "四")
        reading = asyncio.create_task(learn(first))
        await until(lambda: slow.requests)
        for number in range(5):
            await turn(second, f"round {number}", session_id="other")

        [told] = await learn(second)
        assert (told.state, told.session_id) == ("queued", "other")

        waiting.set()
        [event, *rest] = await reading
        assert event.rounds == (1, 2, 3, 4)
        assert {each.session_id for each in rest} <= {"other"}


async def test_a_round_that_is_regenerated_meanwhile_makes_the_batch_void(open_orca) -> None:
    started, go_on = asyncio.Event(), asyncio.Event()

    async def wait() -> None:
        started.set()
        await go_on.wait()

    agent = ScriptedModel([wait, *finds(EDITOR)], finds(EDITOR))
    async with open_orca(agent=agent) as orca:
        await say(orca, "你好", "我用 neovim 写代码")
        reading = asyncio.create_task(learn(orca))
        await started.wait()
        request = TurnRequest((Span("我用 emacs"),), SessionById("s", may_be_new=True), replaces=2)
        async for _ in orca.chat.turn(request):
            pass
        go_on.set()
        events = await reading

        assert events[0].error == "a round was replaced or deleted meanwhile"
        assert events[1].rounds == (1, 2)
        assert await live(orca) == []
        [candidate] = await orca.memories.candidates()
        assert candidate.held_because == "not_typed"


async def test_a_replaced_memory_is_archived_for_its_successor_in_one_operation(open_orca) -> None:
    moved = fact("用户住在杭州", "我搬到杭州了", replace="用户住在上海")
    agent = ScriptedModel(finds(fact("用户住在上海", "我住在上海")), finds(moved))
    async with open_orca(agent=agent) as orca:
        await say(orca, "我住在上海")
        old = (await learn(orca))[0].learnt.stored[0].memory
        await say(orca, "我搬到杭州了")
        [event] = await learn(orca)
        [stored] = event.learnt.stored

        assert event.learnt.replaced == ((old.id, stored.memory.id),)
        [now] = await orca.memories.get([old.id])
        assert (now.state, now.superseded_by) == (State.ARCHIVED, stored.memory.id)

        await orca.history.undo(event.learnt.operation)
        back, gone = await orca.memories.get([old.id, stored.memory.id])
        assert (back.state, back.superseded_by, gone.state) == (State.LIVE, None, State.ARCHIVED)


def test_nothing_is_learnt_where_memory_or_its_agent_is_off(open_orca) -> None:
    from orca_core.settings import LongTermSettings, MemoryAgentSettings, MemorySettings, Settings

    async def scenario(settings: Settings) -> None:
        agent = ScriptedModel(finds(EDITOR))
        async with open_orca(agent=agent, settings=settings) as orca:
            await say(orca, *"12345")
            await orca.worker.finish()
            assert agent.requests == []
            assert (await orca.runs.queue()).rounds == 0

    run(scenario(Settings(memory_agent=MemoryAgentSettings(enabled=False))))
    run(scenario(Settings(memory=MemorySettings(enabled=False))))
    run(scenario(Settings(memory=MemorySettings(long_term=LongTermSettings(enabled=False)))))


async def test_quitting_does_not_wait_for_a_silent_model_and_the_next_start_reads_again(open_orca) -> None:
    async with open_orca(agent=ScriptedModel([hang])) as orca:
        await say(orca, "我用 neovim 写代码")
        await orca.worker.finish(timeout_s=0.2)
    async with open_orca(agent=ScriptedModel(finds(EDITOR))) as orca:
        [event] = await learn(orca, everything=False)
        assert (event.state, event.rounds) == ("done", (1,))
        assert await live(orca) == ["用户用 neovim 写代码"]
        [only] = await orca.runs.runs(9)
        assert only.tries == 1


async def test_an_answer_that_stays_unreadable_keeps_the_rounds_and_its_words(open_orca, clock: StillClock) -> None:
    async with open_orca(agent=ScriptedModel(says("no json from me"))) as orca:
        await say(orca, "我用 neovim 写代码")
        [event] = await learn(orca)

        assert event.state == "unreadable"
        assert event.next_at == clock.now() + timedelta(seconds=30)
        lesson = await orca.runs.show(event.run)
        assert lesson.exchange[-1].content == "no json from me"
        assert (await orca.runs.queue()).failing == 1
    async with open_orca(agent=ScriptedModel(finds(EDITOR))) as orca:
        assert await learn(orca, everything=False) == []  # its time has not come
        clock.advance(31)
        [event] = await learn(orca, everything=False)
        assert event.state == "done"


async def test_a_model_that_fails_five_times_is_parked_until_a_person_retries(open_orca, clock: StillClock) -> None:
    down = ModelUnavailable(provider="p", detail="down")
    async with open_orca(agent=ScriptedModel([down])) as orca:
        await say(orca, "我用 neovim 写代码")
        for _ in range(5):
            [event] = await learn(orca)
            assert event.state == "failed"
            clock.advance(4000)
        assert event.next_at is None
        assert await learn(orca) == []
        queue = await orca.runs.queue()
        assert (queue.parked, queue.failing, queue.last_error) == (1, 0, "p: down")
    async with open_orca(agent=ScriptedModel(finds(EDITOR))) as orca:
        assert await orca.runs.retry() == 1
        [event] = await learn(orca)
        assert event.state == "done"
        assert await live(orca) == ["用户用 neovim 写代码"]


async def test_a_model_that_is_down_is_not_asked_for_every_waiting_session(open_orca, clock: StillClock) -> None:
    agent = ScriptedModel([ModelUnavailable(provider="p", detail="down")])
    async with open_orca(agent=agent) as orca:
        for name in "abc":
            await turn(orca, "hello there", session_id=name)
            clock.advance(1)
        await orca.worker.drain()
        asked = len(agent.requests)
        await learn(orca)
        assert len(agent.requests) == asked + 1
