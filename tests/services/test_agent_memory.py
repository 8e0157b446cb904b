"""The facade for programs: what an agent measured is kept as it says, and a program can wait for what is learnt."""

from __future__ import annotations

from datetime import timedelta

import pytest
from fakes.clocks import StillClock

from orca_core.demo.agent import DemoAgent
from orca_core.model.errors import InvalidInput
from orca_core.model.events import ActsRead, Extraction


async def test_a_task_takes_a_summary_and_what_is_known_at_it(open_engine) -> None:
    async with open_engine() as engine:
        started = await engine.memory.start_task("s", "502 again", summary="nginx is down", context={"host": "web-1"})

        assert (started.task.summary, started.task.context) == ("nginx is down", {"host": "web-1"})


async def test_a_step_keeps_the_times_that_a_program_measured(open_engine) -> None:
    clock = StillClock()
    began, ended = clock.now() - timedelta(seconds=90), clock.now() - timedelta(seconds=30)
    async with open_engine(at=clock) as engine:
        task = (await engine.memory.start_task("s", "502 again")).task.id
        await engine.memory.add_step(
            task, "look", tool="shell", status="completed", started_at=began, completed_at=ended
        )
        await engine.memory.add_step(task, "wait")
        view = await engine.memory.update_step(
            task, 2, description="wait for it", tool="sleep", args={"s": 5}, status="failed", started_at=began
        )

        assert [(step.started_at, step.completed_at) for step in view.steps] == [(began, ended), (began, clock.now())]
        assert (view.steps[1].description, view.steps[1].tool, view.steps[1].args) == ("wait for it", "sleep", {"s": 5})
        [call] = [each.call for each in await engine.tools.calls_of_task(task) if each.call.tool == "shell"]
        assert call.seconds == 60.0
        assert engine.tools.is_on


@pytest.mark.parametrize(
    ("times", "complaint"),
    [
        ({"started_at": timedelta(0), "completed_at": timedelta(seconds=-1)}, "can not end before it began"),
        ({"completed_at": timedelta(seconds=1)}, "in the future"),
        ({"status": "in_progress", "completed_at": timedelta(0)}, "a step that is in progress has no end"),
    ],
)
async def test_a_time_that_can_not_be_is_refused(open_engine, times: dict[str, object], complaint: str) -> None:
    clock = StillClock()
    given = {name: clock.now() + each if isinstance(each, timedelta) else each for name, each in times.items()}
    async with open_engine(at=clock) as engine:
        task = (await engine.memory.start_task("s", "502 again")).task.id

        with pytest.raises(InvalidInput, match=complaint):
            await engine.memory.add_step(task, "look", **{"status": "completed", **given})


async def test_acts_and_calls_are_recorded_and_learnt_from_on_asking(open_engine) -> None:
    async with open_engine(agent=DemoAgent()) as engine:
        round_number = await engine.memory.save_message("s", "user", "I use vim for everything I write")
        await engine.memory.save_message("s", "assistant", "Good choice. Here is a vimrc, short as you like it.")
        act = await engine.memory.record_action("LIKE", "s", round=round_number)
        taken = await engine.memory.record_tool_calls([{"tool": "shell", "output": "ok"}, {"output": "no name"}], "s")

        assert act is not None
        assert taken is not None
        assert ([each.tool for each in taken.taken], [each.place for each in taken.refused]) == (["shell"], [1])
        ended = await engine.memory.learn("s")
        assert {type(each) for each in ended} == {Extraction, ActsRead}
        assert {each.state for each in ended} <= {"done", "none"}
        assert await engine.memory.learn("s") == []
