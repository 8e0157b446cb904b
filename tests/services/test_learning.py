"""Learning from rounds: read once, tried again, parked; what is said a second time and what hands have a say in."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from pathlib import Path

import apsw
import pytest
from fakes.clocks import StillClock
from fakes.facts import fact, finds, learn
from fakes.scripted_model import ScriptedModel, hang, says
from fakes.turns import turn
from msgspec.structs import replace

from orca_core.model.errors import ModelUnavailable
from orca_core.model.events import Extraction, SummaryFolded
from orca_core.model.learning import Batch, Choose, Due, Proposal, Resolution, RunState, Wanted
from orca_core.model.memories import Memory
from orca_core.model.views import ListQuery
from orca_core.operations.stores import Stores
from orca_core.orca import Orca
from orca_core.pipelines import facts
from orca_core.rules.learning import resolve
from orca_core.rules.learning.run_schedule import FIRST_WAIT_S, MAX_TRIES
from orca_core.settings import LongTermSettings, MemoryAgentSettings, MemorySettings, Settings, SummarizeSettings

EDITOR = fact("用户用 neovim 写代码", "我用 neovim 写代码", type="preference", tags=["技术"])


async def say(orca: Orca, *texts: str) -> None:
    for text in texts:
        await turn(orca, text, session_id="s")
    await orca.worker.drain()


async def live(orca: Orca) -> list[str]:
    return [view.memory.content for view in (await orca.memories.page(ListQuery())).records]


async def test_reading_again_what_was_undone_brings_nothing_back(open_orca) -> None:
    async with open_orca(agent=ScriptedModel(finds(EDITOR))) as orca:
        await say(orca, "我用 neovim 写代码")
        [event] = await learn(orca)
        await orca.history.undo(event.learnt.operation)

        again = [told async for told in orca.learning.facts.run_again("s")][-1]

        assert [(each.content, each.reason) for each in again.learnt.dropped] == [
            ("用户用 neovim 写代码", "archived: undone")
        ]
        assert await live(orca) == []


class Gate:
    """A step at which the memory agent waits until it is let through."""

    def __init__(self) -> None:
        self.reached, self.open = asyncio.Event(), asyncio.Event()

    async def __call__(self) -> None:
        self.reached.set()
        await self.open.wait()


async def five_rounds(orca, session_id: str = "a") -> None:
    for number in range(5):
        await turn(orca, f"round {number}", session_id=session_id)


async def test_a_session_that_ends_while_another_is_read_is_learnt_from_too(open_orca) -> None:
    """Quitting right after an answer, while a batch is under way."""

    gate = Gate()
    async with open_orca(agent=ScriptedModel([gate, *finds()], finds(EDITOR))) as orca:
        await five_rounds(orca)
        await gate.reached.wait()
        await turn(orca, "我用 neovim 写代码", session_id="b")
        leaving = asyncio.create_task(orca.worker.finish(timeout_s=30))
        await asyncio.sleep(0)
        gate.open.set()
        await leaving

        assert (await orca.runs.queue()).rounds == 0
        [memory] = [view.memory for view in (await orca.memories.page(ListQuery())).records]
        assert memory.content == "用户用 neovim 写代码"


async def test_what_ended_is_read_once_the_model_answers_again(open_orca, clock: StillClock) -> None:
    agent = ScriptedModel([ModelUnavailable(provider="p", detail="down")], finds())
    async with open_orca(agent=agent) as orca:
        await turn(orca, "one", session_id="a")
        await turn(orca, "two", session_id="b")
        await orca.worker.finish(timeout_s=30)  # both have ended; the first one's failure ends the run
        clock.advance(31)
        orca.worker.wake()
        await orca.worker.drain(30)
        assert (await orca.runs.queue()).rounds == 0


async def test_a_worker_that_died_of_something_else_lets_its_orca_close(open_orca) -> None:
    async def dies() -> None:
        raise SystemError("dead")

    async with open_orca() as orca:
        for lane in (orca.worker._learning, orca.worker._upkeep):
            lane._task.start(dies)
        await asyncio.sleep(0)
    async with open_orca() as orca:  # it was closed: the database is free
        assert await orca.runs.runs(1) == []


async def test_a_session_that_ended_is_remembered_while_another_orca_leads(open_orca) -> None:
    gate = Gate()
    async with (
        open_orca(agent=ScriptedModel([gate, *finds()])) as other,
        open_orca(agent=ScriptedModel(finds(EDITOR))) as orca,
    ):
        await five_rounds(other)
        await gate.reached.wait()
        told: list[Extraction | SummaryFolded] = []
        orca.worker.subscribe(told.append)
        await turn(orca, "我用 neovim 写代码", session_id="b")
        await orca.worker.finish()
        assert [(each.state, each.session_id) for each in told] == [("queued", "b")]
        gate.open.set()
        await other.worker.drain(30)
        orca.worker.wake()
        await orca.worker.drain(30)
        extracted = [each for each in told if isinstance(each, Extraction)]
        assert (extracted[-1].state, extracted[-1].session_id) == ("done", "b")


FOLDING = Settings(
    memory=MemorySettings(long_term=LongTermSettings(enabled=False)),  # nothing but folds asks the agent
    memory_agent=MemoryAgentSettings(summarize=SummarizeSettings(trigger_tokens=50)),
)


async def test_a_fold_that_failed_is_tried_again_when_its_time_has_come(open_orca, clock: StillClock) -> None:
    down = ModelUnavailable(provider="p", detail="down")
    async with open_orca(ScriptedModel(says("long " * 100)), agent=ScriptedModel([down]), settings=FOLDING) as it:
        for number in range(3):
            await turn(it, f"question {number}", session_id="s")
            await it.worker.drain(30)
    clock.advance(FIRST_WAIT_S + 1)
    told: list[Extraction | SummaryFolded] = []
    async with open_orca(agent=ScriptedModel(says("A summary.")), settings=FOLDING) as orca:
        orca.worker.subscribe(told.append)
        orca.worker.wake()
        await orca.worker.drain(30)
        assert (await orca.runs.queue()).next_at is None
    assert [each.error for each in told] == [""]


def no_rule(_proposal: Proposal, _nominated: Sequence[Memory]) -> Resolution:
    raise ZeroDivisionError("a rule that raises")


def refuse_memories(database: Path) -> None:
    connection = apsw.Connection(str(database))
    connection.set_busy_timeout(30_000)
    connection.execute(
        "CREATE TRIGGER refuse BEFORE INSERT ON long_term_memories BEGIN SELECT RAISE(ABORT, 'refused'); END"
    )
    connection.close()


async def tried_to_the_end(orca: Orca, clock: StillClock) -> list[Extraction]:
    """Learn far more often than a batch may be tried; what came of it each time."""
    ends = []
    for _ in range(MAX_TRIES + 3):
        ends += await learn(orca)
        clock.advance(4000)
    return ends


@pytest.mark.parametrize("breaks", ["rule", "database", "search"])
async def test_what_fails_behind_the_answer_is_paid_for_five_times_and_parked(
    open_orca, clock: StillClock, database: Path, monkeypatch: pytest.MonkeyPatch, breaks: str
) -> None:
    async def nowhere(*_asked: object, **_how: object) -> list[int]:
        raise LookupError("nothing is where it should be")

    agent = ScriptedModel(finds(EDITOR))
    async with open_orca(agent=agent) as orca:
        await turn(orca, "我用 neovim 写代码", session_id="s")
        await orca.worker.drain(30)
        if breaks == "rule":
            monkeypatch.setattr(resolve, "settle", no_rule)
        elif breaks == "database":
            refuse_memories(database)
        else:
            monkeypatch.setattr(facts, "near_fact", nowhere)
        ends = await tried_to_the_end(orca, clock)

        assert [event.state for event in ends] == ["failed"] * MAX_TRIES
        assert ends[-1].next_at is None
        assert len(agent.requests) == MAX_TRIES
        said = {
            "rule": "ZeroDivisionError (test_learning.py:",
            "database": "refused",
            "search": "LookupError (test_learning.py:",
        }[breaks]
        assert all(said in event.error for event in ends)
        lesson = await orca.runs.show(ends[0].run)
        assert (lesson.run.is_parked, lesson.run.tries, said in lesson.run.error) == (True, MAX_TRIES, True)
        assert lesson.exchange[-1].role == "assistant"  # what it answered is kept, to be looked at


async def test_who_stops_listening_gives_the_batch_back_and_lets_others_lead(open_orca) -> None:
    async with open_orca(agent=ScriptedModel(finds(EDITOR))) as orca, open_orca() as other:
        await turn(orca, "我用 neovim 写代码", session_id="s")
        await orca.worker.drain(30)
        events = orca.learning.facts.run(Wanted(everything=True))
        assert (await anext(events)).state == "running"
        await events.aclose()
        [event] = await learn(other)
        assert event.state == "none"
        [only] = await orca.runs.runs(9)
        assert only.tries == 1


async def test_quitting_while_a_batch_is_claimed_costs_no_try(open_orca, clock: StillClock) -> None:
    """The claim is carried through without the one who asked for it: nobody would know of the batch."""

    class SlowToAnswer:
        def __init__(self, stores: Stores) -> None:
            self._learning = stores.learning
            self.is_claiming = asyncio.Event()

        def __getattr__(self, name: str) -> object:
            return getattr(self._learning, name)

        async def claim(self, due: Due, choose: Choose) -> Batch | None:
            batch = await self._learning.claim(due, choose)
            self.is_claiming.set()
            await asyncio.sleep(0)
            return batch

    async with open_orca() as orca:
        await turn(orca, "我用 neovim 写代码", session_id="s")
        await orca.worker.drain(30)
    for _ in range(MAX_TRIES + 1):
        slow: list[SlowToAnswer] = []

        def behind(stores: Stores, slow: list[SlowToAnswer] = slow) -> Stores:
            slow.append(SlowToAnswer(stores))
            return replace(stores, learning=slow[0])

        async with open_orca(agent=ScriptedModel([hang]), behind=behind) as orca:
            clock.advance(4000)
            orca.worker.wake()
            await slow[0].is_claiming.wait()
    async with open_orca(agent=ScriptedModel(finds(EDITOR))) as orca:
        [event] = await learn(orca)
        assert event.state == "done"
        [only] = await orca.runs.runs(9)
        assert (only.state, only.tries) == (RunState.DONE, 1)
