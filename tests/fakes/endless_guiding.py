"""Records calls of tools and writes guides of them without end, takes some of these back and brings them again, until it
is killed; and looks whether every call is there once, and no guide was written twice of the same calls. Run as `python
endless_guiding.py HOME`."""

from __future__ import annotations

import asyncio
import random
import sys
from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from uuid import uuid4

from orca_core.clock import SystemClock
from orca_core.model.learning import RunEnd, RunState
from orca_core.model.memories import State
from orca_core.model.records import GUIDE
from orca_core.model.tools import DueGuides, Guide, JudgedGuide
from orca_core.operations.stores import Stores
from orca_core.rules.memory import undo_rules
from orca_core.rules.work.reported_calls import checked
from orca_core.store.sqlite.store import open_stores

TOOLS = ("web_search", "Shell", "write_file")
AT_ONCE = 3
MANY = 1_000_000


async def opened(home: Path) -> Stores:
    return await open_stores(home / "orca.db", scope="me", must_exist=False)


async def call(stores: Stores, tool: str, *names: str) -> None:
    """Calls by these names, all in one report."""
    now = SystemClock().now()
    await stores.tools.record([checked({"tool": tool, "call_id": each, "output": "ok"}, now, "s") for each in names])


def due() -> DueGuides:
    return DueGuides(SystemClock().now(), AT_ONCE, 300.0)


async def write(stores: Stores, chance: random.Random | None = None) -> list[Guide]:
    """Every guide that is due; by chance a run fails, finds nothing, or is taken back and brought again."""
    clock, written = SystemClock(), []
    while batch := await stores.guides.claim(due()):
        dice = chance.random() if chance else 1.0
        if dice < 0.05:
            await stores.learning.fail(batch, RunState.FAILED, "down", clock.now(), RunEnd(clock.now()))
            continue
        held = "not_in_calls" if 0.05 <= dice < 0.2 else None
        judged = JudgedGuide(f"{batch.tool}: {uuid4().hex}", "m", held)
        settled = await stores.guides.finish(batch, judged, RunEnd(clock.now()))
        if settled is None or settled.guide is None:
            continue
        if 0.2 <= dice < 0.4:
            undone = await stores.history.undo(settled.operation, clock.now(), undo_rules.plan)
            await stores.history.redo(undone.operation, clock.now(), undo_rules.plan)
        written.append(settled.guide)
        if chance:
            print("written", settled.guide.id, settled.guide.version, flush=True)
    return written


async def work_without_end(home: Path) -> None:
    """Says each thing once it is done: `called NAME`, and `written 1 2` (a guide and its version). Every report holds a
    call that was reported before."""
    stores, chance = await opened(home), random.Random()
    known = {tool: uuid4().hex for tool in TOOLS}
    while True:
        tool = chance.choice(TOOLS)
        fresh = [uuid4().hex for _ in range(chance.randint(1, AT_ONCE))]
        await call(stores, tool, known[tool], *fresh)
        for each in (known[tool], *fresh):
            print("called", each, flush=True)
        known[tool] = fresh[-1]
        await write(stores, chance)


async def look(home: Path, said: Iterable[str]) -> Counter[str]:
    """What is not as it must be, counted by what it is. What was cut short goes on first."""
    stores = await opened(home)
    await write(stores)
    calls = [each for tool in TOOLS for each in await stores.tools.calls(tool, MANY)]
    guides = {each.id: each async for each in stores.records[GUIDE].all()}
    waiting = await stores.guides.waiting()
    counted = sum(each.calls for each in await stores.tools.figures())
    twice = [await _written_twice(stores, each) for each in guides.values()]
    integrity = (await stores.housekeeping.health()).integrity
    await stores.housekeeping.aclose()
    lines = [line.split() for line in said]
    names = Counter(each.call_id for each in calls)
    standing = Counter((each.target, each.state) for each in guides.values() if each.state is not State.ARCHIVED)
    wrong: Counter[str] = Counter()
    wrong["calls lost"] = len({line[1] for line in lines if line[0] == "called"} - names.keys())
    wrong["calls doubled"] = sum(count > 1 for count in names.values())
    wrong["calls counted wrongly"] = abs(counted - len(calls))
    wrong["guides lost"] = sum(
        line[0] == "written" and (int(line[1]) not in guides or guides[int(line[1])].version < int(line[2]))
        for line in lines
    )
    wrong["tools with two guides"] = sum(count > 1 for count in standing.values())
    wrong["guides written twice of the same calls"] = sum(twice) + _made_twice(guides.values())
    wrong["tools left due"] = sum(each.fresh > AT_ONCE for each in waiting)
    wrong["databases damaged"] = integrity != "ok"
    return +wrong


async def _written_twice(stores: Stores, guide: Guide) -> int:
    """How many operations made another version of it that rests on no further call."""
    changes = await stores.records[GUIDE].history(guide.id)
    return sum("version" in each.after and "through" not in each.after for each in changes)


def _made_twice(guides: Iterable[Guide]) -> int:
    return sum(count > 1 for count in Counter((each.target, each.through) for each in guides).values())


if __name__ == "__main__":
    asyncio.run(work_without_end(Path(sys.argv[1])))
