"""Whatever breaks while a batch is read was counted when it was claimed: said, paid for five times at most, parked."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from pathlib import Path

import apsw
import pytest
from fakes.clocks import StillClock
from fakes.facts import fact, finds, learn
from fakes.patience import until
from fakes.scripted_model import ScriptedModel, hang, says
from fakes.turns import turn
from msgspec.structs import replace

from orca_core.model.events import Extraction
from orca_core.model.learning import Batch, Choose, Due, Proposal, RunState, Settlement, Wanted
from orca_core.model.memories import Memory
from orca_core.operations.stores import Stores
from orca_core.orca import Orca
from orca_core.pipelines.proposals import Proposals
from orca_core.rules.learning import fact_extraction, resolve
from orca_core.rules.learning.run_schedule import MAX_TRIES
from orca_core.settings import LongTermSettings, MemoryAgentSettings, MemorySettings, Settings, SummarizeSettings

EDITOR = fact("用户用 neovim 写代码", "我用 neovim 写代码", type="preference", tags=["技术"])


def no_rule(_proposal: Proposal, _nominated: Sequence[Memory]) -> Settlement:
    raise ZeroDivisionError("a rule that raises")


def refuse_memories(database: Path) -> None:
    connection = apsw.Connection(str(database))
    connection.set_busy_timeout(30_000)
    connection.execute(
        "CREATE TRIGGER refuse BEFORE INSERT ON long_term_memories BEGIN SELECT RAISE(ABORT, 'refused'); END"
    )
    connection.close()


async def tried_to_the_end(engine: Orca, clock: StillClock) -> list[Extraction]:
    """Learn far more often than a batch may be tried; what came of it each time."""
    ends = []
    for _ in range(MAX_TRIES + 3):
        ends += await learn(engine)
        clock.advance(4000)
    return ends


@pytest.mark.parametrize("breaks", ["rule", "database", "search"])
async def test_what_fails_behind_the_answer_is_paid_for_five_times_and_parked(
    open_engine, clock: StillClock, database: Path, monkeypatch: pytest.MonkeyPatch, breaks: str
) -> None:
    async def nowhere(*_asked: object, **_how: object) -> list[int]:
        raise LookupError("nothing is where it should be")

    agent = ScriptedModel(finds(EDITOR))
    async with open_engine(agent=agent) as engine:
        await turn(engine, "我用 neovim 写代码", session_id="s")
        await engine.worker.drain(30)
        if breaks == "rule":
            monkeypatch.setattr(resolve, "settle", no_rule)
        elif breaks == "database":
            refuse_memories(database)
        else:
            monkeypatch.setattr(Proposals, "near_to", nowhere)
        ends = await tried_to_the_end(engine, clock)

        assert [event.state for event in ends] == ["failed"] * MAX_TRIES
        assert ends[-1].next_at is None
        assert len(agent.requests) == MAX_TRIES
        said = {
            "rule": "ZeroDivisionError (test_tries.py:",
            "database": "refused",
            "search": "LookupError (test_tries.py:",
        }[breaks]
        assert all(said in event.error for event in ends)
        lesson = await engine.runs.show(ends[0].run)
        assert (lesson.run.is_parked, lesson.run.tries, said in lesson.run.error) == (True, MAX_TRIES, True)
        assert lesson.exchange[-1].role == "assistant"  # what it answered is kept, to be looked at


async def test_a_fold_that_breaks_is_counted_and_parked(
    open_engine, clock: StillClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    def unreadable(_text: str) -> str:
        raise ZeroDivisionError("no summary")

    settings = Settings(memory_agent=MemoryAgentSettings(summarize=SummarizeSettings(trigger_tokens=50)))
    agent = ScriptedModel(says("A summary."))
    async with open_engine(ScriptedModel(says("long " * 100)), agent=agent, settings=settings) as engine:
        await turn(engine, "one", session_id="s")
        await engine.worker.drain(30)
        monkeypatch.setattr(fact_extraction, "read_summary", unreadable)
        for number in range(MAX_TRIES + 3):
            await turn(engine, f"question {number}", session_id="s")
            await engine.worker.drain(30)
            clock.advance(4000)
        folds = [each for each in await engine.runs.runs(99) if each.kind == "summarize"]
        assert [(each.tries, each.is_parked, "ZeroDivisionError" in each.error) for each in folds] == [
            (MAX_TRIES, True, True)
        ]
        assert len([each for each in agent.requests if not each.json_object]) == MAX_TRIES


async def test_quitting_in_the_middle_of_a_fold_costs_no_try(open_engine) -> None:
    settings = Settings(
        memory=MemorySettings(long_term=LongTermSettings(enabled=False)),  # nothing but folds asks the agent
        memory_agent=MemoryAgentSettings(summarize=SummarizeSettings(trigger_tokens=50)),
    )
    model = ScriptedModel(says("long " * 100))
    async with open_engine(model, agent=ScriptedModel([hang]), settings=settings) as engine:
        for number in range(3):
            await turn(engine, f"question {number}", session_id="s")
    for number in range(MAX_TRIES + 1):
        agent = ScriptedModel([hang])
        async with open_engine(model, agent=agent, settings=settings) as engine:
            await turn(engine, f"another {number}", session_id="s")
            await until(lambda agent=agent: agent.requests)
    async with open_engine(model, agent=ScriptedModel(says("A summary.")), settings=settings) as engine:
        await turn(engine, "the last", session_id="s")
        await engine.worker.drain(30)
        [first, *_] = (await engine.runs.runs(99))[::-1]
        assert (first.state, first.tries) == (RunState.DONE, 1)


async def test_who_stops_listening_gives_the_batch_back_and_lets_others_lead(open_engine) -> None:
    async with open_engine(agent=ScriptedModel(finds(EDITOR))) as engine, open_engine() as other:
        await turn(engine, "我用 neovim 写代码", session_id="s")
        await engine.worker.drain(30)
        events = engine.learning.facts.run(Wanted(everything=True))
        assert (await anext(events)).state == "running"
        await events.aclose()
        [event] = await learn(other)
        assert event.state == "none"
        [only] = await engine.runs.runs(9)
        assert only.tries == 1


async def test_quitting_while_a_batch_is_claimed_costs_no_try(open_engine, clock: StillClock) -> None:
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

    async with open_engine() as engine:
        await turn(engine, "我用 neovim 写代码", session_id="s")
        await engine.worker.drain(30)
    for _ in range(MAX_TRIES + 1):
        slow: list[SlowToAnswer] = []

        def behind(stores: Stores, slow: list[SlowToAnswer] = slow) -> Stores:
            slow.append(SlowToAnswer(stores))
            return replace(stores, learning=slow[0])

        async with open_engine(agent=ScriptedModel([hang]), behind=behind) as engine:
            clock.advance(4000)
            engine.worker.wake()
            await slow[0].is_claiming.wait()
    async with open_engine(agent=ScriptedModel(finds(EDITOR))) as engine:
        [event] = await learn(engine)
        assert event.state == "done"
        [only] = await engine.runs.runs(9)
        assert (only.state, only.tries) == (RunState.DONE, 1)
