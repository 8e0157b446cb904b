"""A plan that is edited is one operation, and an act of the user in the same transaction."""

from __future__ import annotations

import json

import pytest
from fakes.clocks import StillClock
from fakes.scripted_model import ScriptedModel, says

from orca_core.model.errors import InvalidInput
from orca_core.model.feedback import Action, ActionState
from orca_core.model.learning import Wanted
from orca_core.model.memories import State
from orca_core.model.tasks import StepStatus, TaskView, WantedStep
from orca_core.model.views import ListQuery
from orca_core.orca import Orca
from orca_core.settings import MemorySettings, Settings
from orca_core.settings.feedback import ActionSettings

OFF = Settings(memory=MemorySettings(actions=ActionSettings(enabled=False)))


async def begun(engine: Orca) -> TaskView:
    task = await engine.work.tasks.start("s", "nginx answers 502")
    await engine.work.tasks.add_step(task.task.id, "look at the log", status="completed")
    await engine.work.tasks.add_step(task.task.id, "restart it")
    return await engine.work.tasks.add_step(task.task.id, "tell the others")


async def edited(engine: Orca, task: TaskView, *lines: WantedStep) -> TaskView:
    return await engine.work.tasks.plan(task.task.id, lines, [step.number for step in task.steps])


def line(task: TaskView, number: int) -> WantedStep:
    [step] = [step for step in task.steps if step.number == number]
    return WantedStep(step.description, number)


async def acts(engine: Orca) -> list[Action]:
    return list((await engine.feedback.actions.page(type_words=["EDIT_ROADMAP"])).records)


async def test_a_plan_is_one_operation_with_its_act_and_undo_takes_both_back(open_engine) -> None:
    async with open_engine(at=StillClock()) as engine:
        task = await begun(engine)
        new = WantedStep("write a test first")
        view = await edited(engine, task, line(task, 1), new, line(task, 2))
        assert [(step.number, step.description) for step in view.steps] == [
            (1, "look at the log"),
            (4, "write a test first"),
            (5, "restart it"),
        ]
        [act] = await acts(engine)
        assert (act.task, act.session_id, act.stands) == (task.task.id, "s", True)
        assert act.data["previous"] == "look at the log\nrestart it\ntell the others"
        assert act.data["current"] == "look at the log\nwrite a test first\nrestart it"
        [(operation, changes)] = [each for each in await engine.history.activity(9) if each[0].id == view.operation]
        assert operation.header.action == "edit_roadmap"
        assert [change.ref.kind.name for change in changes].count("action") == 1

        await engine.history.undo(None)
        [by_now] = await engine.work.tasks.get([task.task.id])
        assert by_now.steps == task.steps
        assert await acts(engine) == []
        assert (await engine.feedback.actions.get([act.id]))[0].state is ActionState.UNDONE
        await engine.history.redo(None)
        [again] = await engine.work.tasks.get([task.task.id])
        assert (again.steps, [each.id for each in await acts(engine)]) == (view.steps, [act.id])


async def test_a_step_that_came_meanwhile_stays(open_engine) -> None:
    async with open_engine() as engine:
        task = await begun(engine)
        await engine.work.tasks.add_step(task.task.id, "of a program")
        view = await edited(engine, task, line(task, 1), line(task, 2), WantedStep("new"))
        assert [step.description for step in view.steps] == ["look at the log", "restart it", "of a program", "new"]


async def test_nothing_is_noted_where_acts_are_off_or_no_words_changed(open_engine) -> None:
    async with open_engine(settings=OFF) as engine:
        task = await begun(engine)
        assert (await edited(engine, task, line(task, 1), line(task, 3))).operation is not None
        assert await acts(engine) == []
    async with open_engine() as engine:
        task = await begun(engine)
        same = [line(task, number) for number in (1, 2, 3)]
        assert (await edited(engine, task, *same)).operation is None
        ended = await edited(engine, task, same[0], WantedStep("restart it", 2, StepStatus.COMPLETED), same[2])
        assert (ended.operation is not None, ended.steps[1].status) == (True, StepStatus.COMPLETED)
        with pytest.raises(InvalidInput, match="step 1 has ended"):
            await edited(engine, ended, same[2])
        assert await acts(engine) == []


async def test_what_the_user_wrote_into_plans_is_read_as_an_edit(open_engine) -> None:
    said = {"action": 1, "content": "The user wants a test to be written first", "type": "implicit"}
    agent = ScriptedModel(acts=[says(json.dumps({"preferences": [said]}))])
    async with open_engine(agent=agent) as engine:
        task = await begun(engine)
        await edited(engine, task, line(task, 1), WantedStep("write a test first"), line(task, 2), line(task, 3))
        [_] = [each async for each in engine.learning.feedback.run(Wanted(everything=True)) if each.state == "done"]
        shown = json.loads(agent.act_requests[0].messages[1].content)
        assert shown["acts"][0]["did"] == "EDIT_ROADMAP"
        assert "+write a test first" in shown["acts"][0]["difference"]
        assert shown["acts"][0]["task"]["request"] == "nginx answers 502"
        [view] = (await engine.memories.page(ListQuery("all"))).views
        assert (view.memory.state, view.memory.held_because) == (State.CANDIDATE, "unproven")
