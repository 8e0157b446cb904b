"""Talks, and reads each chat for its episode, without end until it is killed; and looks whether every chat that was
told has its episode, once. Run as `python endless_telling.py HOME`."""

from __future__ import annotations

import asyncio
import sys
from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from uuid import uuid4

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from fakes.records import chat

from orca_core.clock import SystemClock
from orca_core.model.episodes import JudgedEpisode, ProposedEpisode
from orca_core.model.learning import Due, RunEnd
from orca_core.model.records import EPISODE
from orca_core.operations.stores import Stores
from orca_core.rules.work import episode_extraction, episode_updates
from orca_core.store.sqlite.store import open_stores

NGINX = JudgedEpisode(ProposedEpisode("nginx answers 502", "nginx", ("reloaded it",)))


async def opened(home: Path) -> Stores:
    return await open_stores(home / "orca.db", scope="me", must_exist=False)


async def work_without_end(home: Path) -> None:
    """Says `said ID` when a round is there, and `told ID` when its episode is."""
    stores, clock = await opened(home), SystemClock()
    while True:
        session_id = uuid4().hex
        await chat(stores, session_id)
        print("said", session_id, flush=True)
        due = Due(clock.now(), 2**31, clock.now(), everything=True)
        while batch := await stores.episodes.claim(due, episode_extraction.how_many_fit, episode_updates.untold):
            ended = RunEnd(clock.now())
            await stores.episodes.finish(batch, [NGINX], (), episode_updates.settle, ended, "m")
            print("told", batch.session_id, flush=True)


async def look(home: Path, said: Iterable[str]) -> Counter[str]:
    """What is not as it must be, counted by what it is."""
    stores = await opened(home)
    made = Counter([each.origin.session_id async for each in stores.records[EPISODE].all()])
    sessions = {each.id for each in await stores.sessions.sessions(None)}
    integrity = (await stores.housekeeping.health()).integrity
    await stores.housekeeping.aclose()
    lines = [line.split() for line in said]
    wrong: Counter[str] = Counter()
    wrong["chats lost"] = sum(line[0] == "said" and line[1] not in sessions for line in lines)
    wrong["episodes lost"] = sum(line[0] == "told" and not made[line[1]] for line in lines)
    wrong["episodes doubled"] = sum(count > 1 for count in made.values())
    wrong["databases damaged"] = integrity != "ok"
    return +wrong


if __name__ == "__main__":
    asyncio.run(work_without_end(Path(sys.argv[1])))
