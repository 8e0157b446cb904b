"""Tasks worked on by whoever, in whatever order, their plans, and the calls that their steps made."""

from __future__ import annotations

import asyncio
import random
from pathlib import Path
from typing import Any

import pytest
from fakes.clocks import StillClock

from orca_core.model.errors import InvalidInput, OrcaError
from orca_core.model.feedback import Action, ActionState
from orca_core.model.memories import State
from orca_core.model.record_types import EPISODE
from orca_core.model.tasks import Outcome, StepStatus, TaskStatus, TaskView, WantedStep
from orca_core.operations.stores import Stores
from orca_core.orca import Orca
from orca_core.serialize.work import task_json
from orca_core.services.tasks import Tasks
from orca_core.settings import EpisodeSettings
from orca_core.store.sqlite.store import open_stores

DAY_S = 86_400
ENDED = (TaskStatus.COMPLETED, TaskStatus.FAILED)
HOSTILE = (
    "\x00nul", "half \ud83d", "pair \ud83d\ude00", "\u202ertl", "a\x1b[2Jb", "```\nout of the fence", '"}], {"id": "m1"',
    "{request}", "'; DROP TABLE tasks; --", "%s %d {0}", "\u2028line", "e\u0301" * 50, "👨‍👩‍👧‍👦", "字" * 400,
)  # fmt: skip


async def opened(database: Path) -> Stores:
    return await open_stores(database, scope="me", must_exist=False)


async def episodes_of(stores: Stores) -> dict[int | None, State]:
    """The state of the episode of each task; no task has two."""
    episodes = [each async for each in stores.records[EPISODE].all()]
    states = {each.task: each.state for each in episodes}
    assert len(states) == len(episodes)
    return states


@pytest.mark.parametrize("seed", range(6))
async def test_whatever_is_done_and_taken_back_an_ended_task_has_its_episode(
    database: Path, clock: StillClock, seed: int
) -> None:
    stores, chance = await opened(database), random.Random(seed)
    tasks = Tasks(stores.tasks, lambda: None, clock, EpisodeSettings())

    async def act() -> Any:
        clock.advance(60)
        newest = max([1, *(view.task.id for view in (await tasks.page(limit=1)).records)])
        number, operation = chance.randint(max(1, newest - 2), newest), chance.randint(1, 99)
        match chance.randrange(8):
            case 0:
                return await tasks.start("s", "mend the build")
            case 1:
                return await tasks.add_step(number, "a step", status=chance.choice(list(StepStatus)[:4]))
            case 2:
                return await tasks.update_step(number, chance.randint(1, 4), status=chance.choice(list(StepStatus)))
            case 3:
                return await tasks.complete(number, chance.choice(list(Outcome)))
            case 4:
                return await tasks.drop(number)
            case 5:
                return await stores.history.undo(chance.choice([None, operation]), clock.now())
            case 6:
                return await stores.history.redo(chance.choice([None, operation]), clock.now())
            case _:
                return await tasks.set_context(number, {"tries": operation})

    done = 0
    for _ in range(160):
        try:
            await act()
        except OrcaError:
            continue
        done += 1
        states = await episodes_of(stores)
        for view in (await tasks.page()).records:
            is_live = states.get(view.task.id) is State.LIVE
            assert is_live == (view.task.status in ENDED)
            assert (view.task.outcome is not None) == (view.task.status in ENDED)
    assert done > 40
    await stores.upkeep.aclose()


async def test_of_two_that_end_a_task_at_once_one_does(database: Path, clock: StillClock) -> None:
    one, two = await opened(database), await opened(database)
    mine, theirs = (Tasks(each.tasks, lambda: None, clock, EpisodeSettings()) for each in (one, two))
    for number in range(1, 9):
        await mine.start("s", "mend the build")
        ends = await asyncio.gather(mine.complete(number), theirs.fail(number), return_exceptions=True)
        assert sorted(isinstance(each, InvalidInput) for each in ends) == [False, True]
    assert len(await episodes_of(one)) == 8
    await one.upkeep.aclose()
    await two.upkeep.aclose()


@pytest.mark.parametrize("text", HOSTILE)
async def test_hostile_text_in_every_field_is_stored_clean_and_found_again(open_orca, text: str) -> None:
    async with open_orca() as orca:
        tasks = orca.work.tasks
        begun = await tasks.start(
            "s", text, target=text[:200], summary=text, tags=[text[:30]], context={text: [text, {text: 1}]}
        )
        await tasks.add_step(
            1, text, tool=text[:200], args={text: text, "n": 2**80, "deep": [{"x": text}]}, result=text
        )
        await tasks.update_step(1, 1, description=text, result=text * 2, status="failed")
        await tasks.set_context(1, {text: None, "more": text})
        [view] = await tasks.get([1])
        ended = await tasks.complete(1, "partial", text)
        told = str([task_json(begun), task_json(view), task_json(ended.task)])
        assert ended.episode is not None
        assert not set("\x00\ud83d\u202e\x1b") & set(told)
        assert "\n" not in view.task.request + view.steps[0].description + ended.episode.text
        await orca.history.undo(None)
        await orca.history.redo(None)
        [again] = await tasks.get([1])
        assert (again.task.status, again.steps) == (TaskStatus.COMPLETED, view.steps)


async def test_a_task_that_nobody_touched_for_two_weeks_is_offered(open_orca, clock: StillClock) -> None:
    async with open_orca() as orca:
        tasks = orca.work.tasks
        for request in ("left alone", "worked on", "ended"):
            await tasks.start("s", request)
        await tasks.complete(3)
        clock.advance(13 * DAY_S)
        await tasks.add_step(2, "read the log")
        assert await tasks.idle() == []
        clock.advance(2 * DAY_S)
        assert [view.task.id for view in await tasks.idle()] == [1]
        await tasks.set_context(1, {"seen": True})
        assert await tasks.idle() == []
        assert [view.task.status for view in await tasks.get([1])] == [TaskStatus.IN_PROGRESS]


async def begun(orca: Orca) -> TaskView:
    task = await orca.work.tasks.start("s", "nginx answers 502")
    await orca.work.tasks.add_step(task.task.id, "look at the log", status="completed")
    await orca.work.tasks.add_step(task.task.id, "restart it")
    return await orca.work.tasks.add_step(task.task.id, "tell the others")


async def edited(orca: Orca, task: TaskView, *lines: WantedStep) -> TaskView:
    return await orca.work.tasks.plan(task.task.id, lines, [step.number for step in task.steps])


def line(task: TaskView, number: int) -> WantedStep:
    [step] = [step for step in task.steps if step.number == number]
    return WantedStep(step.description, number)


async def acts(orca: Orca) -> list[Action]:
    return list((await orca.feedback.actions.page(type_words=["EDIT_ROADMAP"])).records)


async def test_a_plan_is_one_operation_with_its_act_and_undo_takes_both_back(open_orca) -> None:
    async with open_orca(at=StillClock()) as orca:
        task = await begun(orca)
        new = WantedStep("write a test first")
        view = await edited(orca, task, line(task, 1), new, line(task, 2))
        assert [(step.number, step.description) for step in view.steps] == [
            (1, "look at the log"),
            (4, "write a test first"),
            (5, "restart it"),
        ]
        [act] = await acts(orca)
        assert (act.task, act.session_id, act.stands) == (task.task.id, "s", True)
        assert act.data["previous"] == "look at the log\nrestart it\ntell the others"
        assert act.data["current"] == "look at the log\nwrite a test first\nrestart it"
        [(operation, changes)] = [each for each in await orca.history.activity(9) if each[0].id == view.operation]
        assert operation.header.action == "edit_roadmap"
        assert [change.ref.kind.name for change in changes].count("action") == 1

        await orca.history.undo(None)
        [by_now] = await orca.work.tasks.get([task.task.id])
        assert by_now.steps == task.steps
        assert await acts(orca) == []
        assert (await orca.feedback.actions.get([act.id]))[0].state is ActionState.UNDONE
        await orca.history.redo(None)
        [again] = await orca.work.tasks.get([task.task.id])
        assert (again.steps, [each.id for each in await acts(orca)]) == (view.steps, [act.id])


async def with_calls(orca: Orca) -> int:
    task = await orca.work.tasks.start("s", "nginx answers 502")
    number, add = task.task.id, orca.work.tasks.add_step
    await add(number, "look", tool="shell", result="gone", status="failed")
    view = await add(number, "search", tool="Web_Search", result="none", status="completed")
    await orca.work.tasks.add_step(number, "think")
    call = {"tool": "shell", "call_id": "c7", "step": view.steps[0].id, "at": "2026-01-01T00:00:00Z"}
    await orca.tools.record([call, {"tool": "shell", "call_id": "c8"}], "s")
    return number


async def test_calls_are_named_by_themselves_or_by_their_step(open_orca) -> None:
    async with open_orca(at=StillClock()) as orca:
        task = await with_calls(orca)
        found = await orca.tools.calls_of_task(task)

        assert [(each.step, each.name, each.call.tool, each.is_collected) for each in found] == [
            (1, "step 1", "shell", False),
            (1, "c7", "shell", False),
            (2, "step 2", "Web_Search", False),
        ]


async def stars(orca: Orca, task: int) -> list[str]:
    return [each.name for each in await orca.tools.calls_of_task(task) if each.is_collected]


async def test_a_star_is_on_the_call_that_the_act_names_until_it_is_taken_back(open_orca) -> None:
    async with open_orca(at=StillClock()) as orca:
        task = await with_calls(orca)
        record = orca.feedback.actions.record
        await record("COLLECT_TOOL", "s", task=task, tool="shell", call="c7")
        assert await stars(orca, task) == ["c7"]
        await record("COLLECT_TOOL", "s", task=task, tool="web_search")  # in any case, and whatever call of it
        assert await stars(orca, task) == ["c7", "step 2"]
        await record("COLLECT_TOOL", "elsewhere", task=task, tool="shell", call="step 1")
        assert await stars(orca, task) == ["c7", "step 2"]
        await record("UNCOLLECT_TOOL", "s", task=task, tool="shell", call="c7")
        await orca.history.undo(None)
        await orca.history.redo(None)
        assert await stars(orca, task) == ["step 2"]
