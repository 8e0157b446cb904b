"""Tasks worked on by whoever, in whatever order, with whatever text: one end, one episode."""

from __future__ import annotations

import asyncio
import random
from pathlib import Path
from typing import Any

import pytest
from fakes.clocks import StillClock

from orca_core.model.errors import InvalidInput, OrcaError
from orca_core.model.memories import State
from orca_core.model.records import EPISODE
from orca_core.model.tasks import Outcome, StepStatus, TaskStatus
from orca_core.rules.memory import undo_rules
from orca_core.serialize.work import task_json
from orca_core.services.tasks import Tasks
from orca_core.settings import MemorySettings, Settings
from orca_core.settings.work import EpisodeSettings
from orca_core.store.protocols import Stores
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
        newest = max([1, *(view.task.id for view in (await tasks.page(limit=1)).tasks)])
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
                return await stores.history.undo(chance.choice([None, operation]), clock.now(), undo_rules.plan)
            case 6:
                return await stores.history.redo(chance.choice([None, operation]), clock.now(), undo_rules.plan)
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
        for view in (await tasks.page()).tasks:
            is_live = states.get(view.task.id) is State.LIVE
            assert is_live == (view.task.status in ENDED)
            assert (view.task.outcome is not None) == (view.task.status in ENDED)
    assert done > 40
    await stores.housekeeping.aclose()


async def test_of_two_that_end_a_task_at_once_one_does(database: Path, clock: StillClock) -> None:
    one, two = await opened(database), await opened(database)
    mine, theirs = (Tasks(each.tasks, lambda: None, clock, EpisodeSettings()) for each in (one, two))
    for number in range(1, 9):
        await mine.start("s", "mend the build")
        ends = await asyncio.gather(mine.complete(number), theirs.fail(number), return_exceptions=True)
        assert sorted(isinstance(each, InvalidInput) for each in ends) == [False, True]
    assert len(await episodes_of(one)) == 8
    await one.housekeeping.aclose()
    await two.housekeeping.aclose()


@pytest.mark.parametrize("text", HOSTILE)
async def test_hostile_text_in_every_field_is_stored_clean_and_found_again(open_engine, text: str) -> None:
    async with open_engine() as engine:
        tasks = engine.work.tasks
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
        await engine.history.undo(None)
        await engine.history.redo(None)
        [again] = await tasks.get([1])
        assert (again.task.status, again.steps) == (TaskStatus.COMPLETED, view.steps)


async def test_a_task_that_nobody_touched_for_two_weeks_is_offered(open_engine, clock: StillClock) -> None:
    async with open_engine() as engine:
        tasks = engine.work.tasks
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


async def test_no_episode_is_made_where_they_are_off(open_engine) -> None:
    settings = Settings(memory=MemorySettings(episodes=EpisodeSettings(enabled=False)))
    async with open_engine(settings=settings) as engine:
        await engine.work.tasks.start("s", "mend the build")
        ended = await engine.work.tasks.complete(1)
        assert (ended.episode, ended.task.task.outcome) == (None, Outcome.SUCCESS)


async def test_lists_are_of_a_session_and_of_a_status(open_engine) -> None:
    async with open_engine() as engine:
        tasks = engine.work.tasks
        for session in ("s", "s", "other"):
            await tasks.start(session, "mend the build")
        await tasks.fail(1, "no way")
        await tasks.drop(2)

        async def ids(*words: str, **which: Any) -> list[int]:
            return [view.task.id for view in (await tasks.page(*words, **which)).tasks]

        assert await ids() == [3, 2, 1]
        assert await ids("ended") == [2, 1]
        assert await ids("failed", session_id="s") == [1]
        assert await ids(session_id="s", limit=1, offset=1) == [1]
        assert (await tasks.page(limit=1)).total == 3


async def test_no_byte_of_a_deleted_chat_s_tasks_is_left(database: Path, clock: StillClock, open_engine) -> None:
    from fakes.turns import turn

    async with open_engine() as engine:
        tasks = engine.work.tasks
        await turn(engine, "ok")
        await tasks.start("s", "the wombat is loose", context={"where": "wombat lane"})
        await turn(engine, "ok")
        await tasks.add_step(1, "call the wombat", args={"name": "wombat"}, result="wombat!")
        await tasks.update_step(1, 1, description="call the wombat again")
        await tasks.drop(1)
        assert await engine.sessions.delete("s")
        await engine.worker.tidy()
    left = [path.name for path in database.parent.iterdir() if path.is_file() and b"wombat" in path.read_bytes()]
    assert left == []
