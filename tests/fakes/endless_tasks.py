"""Starts, works on and ends tasks without end, takes ends back and makes them again, until it is killed; and looks
whether all that it acknowledged is there, once. Run as `python endless_tasks.py HOME`."""

from __future__ import annotations

import asyncio
import random
import sys
from collections import Counter
from collections.abc import Iterable
from pathlib import Path

from orca_core.clock import SystemClock
from orca_core.model.memories import State
from orca_core.model.records import EPISODE
from orca_core.model.tasks import TaskStatus
from orca_core.model.views import RecordQuery
from orca_core.operations.stores import Stores
from orca_core.rules.memory import undo_rules
from orca_core.services.tasks import Tasks
from orca_core.settings import EpisodeSettings
from orca_core.store.sqlite.store import open_stores

ENDED = (TaskStatus.COMPLETED, TaskStatus.FAILED)


async def opened(home: Path) -> Stores:
    return await open_stores(home / "orca.db", scope="me", must_exist=False)


def tasks_on(stores: Stores) -> Tasks:
    return Tasks(stores.tasks, lambda: None, SystemClock(), EpisodeSettings())


async def work_without_end(home: Path) -> None:
    """Says each thing once it is done: `started 3`, `step 3`, `over 3 ended` or `over 3 dropped`."""
    stores = await opened(home)
    tasks, clock, chance = tasks_on(stores), SystemClock(), random.Random()
    while True:
        number = (await tasks.start("s", "mend the build", target="ci")).task.id
        print("started", number, flush=True)
        for each in range(chance.randrange(4)):
            await tasks.add_step(number, f"step {each}", result="x" * 5_000, status="completed")
            print("step", number, flush=True)
        if chance.random() < 0.2:
            await tasks.drop(number)
            print("over", number, "dropped", flush=True)
            continue
        await tasks.complete(number, chance.choice(["success", "partial", "failed"]))
        what = chance.random()
        if what < 0.4:
            await stores.history.undo(None, clock.now(), undo_rules.plan)
            if what < 0.2:
                await stores.history.redo(None, clock.now(), undo_rules.plan)
            else:
                await tasks.complete(number, "partial")
        print("over", number, "ended", flush=True)


async def look(home: Path, said: Iterable[str]) -> Counter[str]:
    """What is not as it must be, counted by what it is."""
    stores = await opened(home)
    found = {view.task.id: view for view in (await stores.tasks.listed(RecordQuery())).records}
    episodes = [each async for each in stores.records[EPISODE].all()]
    integrity = (await stores.housekeeping.health()).integrity
    await stores.housekeeping.aclose()
    lines = [line.split() for line in said]
    steps = Counter(int(line[1]) for line in lines if line[0] == "step")
    live = Counter(each.task for each in episodes if each.state is State.LIVE)
    wrong: Counter[str] = Counter()
    wrong["tasks lost"] = sum(line[0] == "started" and int(line[1]) not in found for line in lines)
    wrong["steps lost"] = sum(len(found[number].steps) < count for number, count in steps.items() if number in found)
    wrong["steps doubled"] = sum(
        len({step.number for step in view.steps}) != len(view.steps)
        or len({step.description for step in view.steps}) != len(view.steps)
        for view in found.values()
    )
    over = {int(line[1]): line[2] == "ended" for line in lines if line[0] == "over"}
    wrong["ends lost"] = sum(
        number in found and (found[number].task.status in ENDED) != is_ended for number, is_ended in over.items()
    )
    wrong["ended tasks without their episode"] = sum(
        view.task.status in ENDED and live[number] != 1 for number, view in found.items()
    )
    wrong["episodes without their task's end"] = sum(
        number is None or number not in found or found[number].task.status not in ENDED for number in live
    )
    wrong["episodes doubled"] = len(episodes) - len({each.task for each in episodes})
    wrong["databases damaged"] = integrity != "ok"
    return +wrong


if __name__ == "__main__":
    asyncio.run(work_without_end(Path(sys.argv[1])))
