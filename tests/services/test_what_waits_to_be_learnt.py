"""What waits for its time: a fold or a batch that failed is tried again then, and nothing spins until it can be."""

from __future__ import annotations

import asyncio

from fakes.clocks import StillClock
from fakes.facts import finds
from fakes.scripted_model import ScriptedModel, says
from fakes.turns import turn

from orca_core.model.errors import ModelUnavailable
from orca_core.model.events import Extraction, Folded
from orca_core.orca import Orca
from orca_core.rules.learning.run_schedule import FIRST_WAIT_S
from orca_core.settings import LongTermSettings, MemoryAgentSettings, MemorySettings, Settings, SummarizeSettings

FOLDING = Settings(
    memory=MemorySettings(long_term=LongTermSettings(enabled=False)),  # nothing but folds asks the agent
    memory_agent=MemoryAgentSettings(summarize=SummarizeSettings(trigger_tokens=50)),
)


async def _five_rounds(engine: Orca, session_id: str) -> None:
    for number in range(5):
        await turn(engine, f"round {number}", session_id=session_id)


async def test_a_fold_that_failed_is_tried_again_when_its_time_has_come(open_engine, clock: StillClock) -> None:
    down = ModelUnavailable(provider="p", detail="down")
    async with open_engine(ScriptedModel(says("long " * 100)), agent=ScriptedModel([down]), settings=FOLDING) as it:
        for number in range(3):
            await turn(it, f"question {number}", session_id="s")
            await it.worker.drain(30)
    clock.advance(FIRST_WAIT_S + 1)
    told: list[Extraction | Folded] = []
    async with open_engine(agent=ScriptedModel(says("A summary.")), settings=FOLDING) as engine:
        engine.worker.subscribe(told.append)
        engine.worker.wake()
        await engine.worker.drain(30)
        assert (await engine.runs.queue()).next_at is None
    assert [each.error for each in told] == [""]


async def test_the_learner_does_not_spin_over_what_it_can_not_begin(open_engine, clock: StillClock) -> None:
    """A failed batch is due, and another Orca leads."""

    reached, opened = asyncio.Event(), asyncio.Event()

    async def gate() -> None:
        reached.set()
        await opened.wait()

    down = ModelUnavailable(provider="p", detail="down")
    async with open_engine(agent=ScriptedModel([down], [gate, *finds()])) as leader, open_engine() as engine:
        await _five_rounds(leader, "a")
        await leader.worker.drain(30)
        await _five_rounds(leader, "b")
        await reached.wait()
        clock.advance(FIRST_WAIT_S + 1)
        engine.worker.wake()
        await engine.worker.drain(30)
        timer = engine.worker._learning._timer
        assert timer is not None
        assert timer.when() > asyncio.get_running_loop().time() + FIRST_WAIT_S / 2
        opened.set()
