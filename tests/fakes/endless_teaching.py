"""Makes episodes on a few targets and knowledge of them without end, takes some of it back and brings it again, until
it is killed; and looks whether all that it acknowledged is there, and nothing was made of one episode twice. Run as
`python endless_teaching.py HOME`."""

from __future__ import annotations

import asyncio
import random
import sys
from collections import Counter
from collections.abc import Iterable
from datetime import UTC, datetime
from pathlib import Path
from uuid import uuid4

from orca_core.clock import SystemClock
from orca_core.model.episodes import Episode
from orca_core.model.knowledge import DueTargets, Judged, Taught
from orca_core.model.learning import RunEnd, RunKind, RunState
from orca_core.model.memories import State
from orca_core.model.operations import Actor, OperationHeader
from orca_core.model.records import EPISODE, KNOWLEDGE
from orca_core.operations.stores import Stores
from orca_core.rules.memory import undo_rules
from orca_core.store.sqlite.store import open_stores

TARGETS = ("orders", "Payments", "build")
MANY = 1_000_000


async def opened(home: Path) -> Stores:
    return await open_stores(home / "orca.db", scope="me", must_exist=False)


def an_episode(target: str) -> Episode:
    now = datetime.now(UTC)
    return Episode(0, uuid4().hex, f"{target} broke", "it broke", now, now, now, target=target)


async def teach(stores: Stores, chance: random.Random | None = None) -> None:
    """Every run that is due; by chance one fails, or is taken back and brought again."""
    clock = SystemClock()
    while batch := await stores.knowledge.claim(DueTargets(clock.now(), 3)):
        if chance and chance.random() < 0.2:
            await stores.learning.fail(batch, RunState.FAILED, "down", clock.now(), RunEnd(clock.now()))
            continue
        content = f"{len(batch.episodes)} more {uuid4().hex}"
        judged = Judged(Taught(batch.target, content), f"{batch.target} {content}", "m")
        settled = await stores.knowledge.finish(batch, judged, RunEnd(clock.now()))
        if settled is None or settled.knowledge is None or chance is None:
            continue
        if chance.random() < 0.3:
            undone = await stores.history.undo(settled.operation, clock.now(), undo_rules.plan)
            await stores.history.redo(undone.operation, clock.now(), undo_rules.plan)
        print("taught", settled.knowledge.id, settled.knowledge.version, flush=True)


async def teach_without_end(home: Path) -> None:
    """Says each thing once it is done: `episode 3`, `taught 1 2` (the knowledge and its version)."""
    stores = await opened(home)
    chance, clock = random.Random(), SystemClock()
    while True:
        header = OperationHeader(Actor.USER, "add", clock.now())
        made = await stores.records[EPISODE].add(an_episode(chance.choice(TARGETS)), header)
        print("episode", made.id, flush=True)
        await teach(stores, chance)


async def look(home: Path, said: Iterable[str]) -> Counter[str]:
    """What is not as it must be, counted by what it is. What was cut short goes on first."""
    stores = await opened(home)
    await teach(stores)
    episodes = {each.id: each async for each in stores.records[EPISODE].all()}
    known = {each.id: each async for each in stores.records[KNOWLEDGE].all()}
    stand = {each.id for each in await stores.history.operations(MANY) if each.undone_by is None}
    runs = [each for each in await stores.runs.runs(MANY) if each.kind is RunKind.CONSOLIDATE]
    integrity = (await stores.housekeeping.health()).integrity
    await stores.housekeeping.aclose()
    lines = [line.split() for line in said]
    live = [each for each in known.values() if each.state is State.LIVE]
    read = Counter(number for run in runs if run.operation in stand for number in run.episodes)
    wrong: Counter[str] = Counter()
    wrong["episodes lost"] = sum(line[0] == "episode" and int(line[1]) not in episodes for line in lines)
    wrong["knowledge lost"] = sum(
        line[0] == "taught" and (int(line[1]) not in known or known[int(line[1])].version < int(line[2]))
        for line in lines
    )
    wrong["episodes consolidated twice"] = sum(count > 1 for count in read.values())
    wrong["targets known twice"] = len(live) - len({each.target for each in live})
    wrong["marks without their source"] = sum(
        each.consolidated_into is not None and each.id not in known[each.consolidated_into].source_episodes
        for each in episodes.values()
    )
    wrong["sources without their mark"] = sum(
        episodes[number].consolidated_into != each.id for each in live for number in each.source_episodes
    )
    wrong["databases damaged"] = integrity != "ok"
    return +wrong


if __name__ == "__main__":
    asyncio.run(teach_without_end(Path(sys.argv[1])))
