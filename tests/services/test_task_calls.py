"""The calls that the steps of a task made, by the names by which acts mean them, each with its star."""

from __future__ import annotations

import pytest
from fakes.clocks import StillClock

from orca_core.model.errors import InvalidInput, NotFound
from orca_core.orca import Orca


async def with_calls(engine: Orca) -> int:
    task = await engine.work.tasks.start("s", "nginx answers 502")
    number, add = task.task.id, engine.work.tasks.add_step
    await add(number, "look", tool="shell", result="gone", status="failed")
    view = await add(number, "search", tool="Web_Search", result="none", status="completed")
    await engine.work.tasks.add_step(number, "think")
    call = {"tool": "shell", "call_id": "c7", "step": view.steps[0].id, "at": "2026-01-01T00:00:00Z"}
    await engine.tools.record([call, {"tool": "shell", "call_id": "c8"}], "s")
    return number


async def test_calls_are_named_by_themselves_or_by_their_step(open_engine) -> None:
    async with open_engine(at=StillClock()) as engine:
        task = await with_calls(engine)
        found = await engine.tools.calls_of_task(task)

        assert [(each.step, each.name, each.call.tool, each.is_collected) for each in found] == [
            (1, "step 1", "shell", False),
            (1, "c7", "shell", False),
            (2, "step 2", "Web_Search", False),
        ]


async def stars(engine: Orca, task: int) -> list[str]:
    return [each.name for each in await engine.tools.calls_of_task(task) if each.is_collected]


async def test_a_star_is_on_the_call_that_the_act_names_until_it_is_taken_back(open_engine) -> None:
    async with open_engine(at=StillClock()) as engine:
        task = await with_calls(engine)
        record = engine.feedback.actions.record
        await record("COLLECT_TOOL", "s", task=task, tool="shell", call="c7")
        assert await stars(engine, task) == ["c7"]
        await record("COLLECT_TOOL", "s", task=task, tool="web_search")  # in any case, and whatever call of it
        assert await stars(engine, task) == ["c7", "step 2"]
        await record("COLLECT_TOOL", "elsewhere", task=task, tool="shell", call="step 1")
        assert await stars(engine, task) == ["c7", "step 2"]
        await record("UNCOLLECT_TOOL", "s", task=task, tool="shell", call="c7")
        await engine.history.undo(None)
        await engine.history.redo(None)
        assert await stars(engine, task) == ["step 2"]


@pytest.mark.parametrize("wrong", [None, "w1", 1.5])
async def test_a_task_is_named_by_its_number(open_engine, wrong) -> None:
    async with open_engine() as engine:
        with pytest.raises(NotFound):
            await engine.tools.calls_of_task(99)
        with pytest.raises(InvalidInput):
            await engine.tools.calls_of_task(wrong)
