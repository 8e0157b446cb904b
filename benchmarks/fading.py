"""What ten thousand episodes cost: searches and lists beside those of as many memories, forgetting, and how long a
pass keeps another writer waiting.

    python benchmarks/fading.py [--episodes 10000]

Times of the clock count what else the machine does: each stands beside the CPU time that it took.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import random
import tempfile
import time
from collections.abc import Awaitable
from datetime import UTC, datetime, timedelta
from pathlib import Path

from stores import summary

from orca_core.clock import ClockAt
from orca_core.jobs.retention import EpisodeForgetting
from orca_core.model.episodes import Episode
from orca_core.model.memories import NewMemory, State
from orca_core.model.operations import Actor, OperationHeader
from orca_core.model.recall import TextHit, VectorHit
from orca_core.model.record_types import EPISODE, MEMORY, Kind
from orca_core.model.tasks import Outcome
from orca_core.model.views import ForgottenEpisodes, MemoryQuery, MemorySort, RecordQuery, StatusCriteria
from orca_core.operations.stores import Stores
from orca_core.rules.work import retention
from orca_core.settings import ForgetSettings
from orca_core.store.sqlite.store import open_stores

NOW = datetime(2026, 11, 20, 12, 0, tzinfo=UTC)
AT_ONCE = 1000
QUESTIONS = 40
MODEL, DIMENSIONS = "random", 256
TARGETS = ("nginx", "postgres", "redis", "payments-api", "ci", "报表", "网关", "检索")


def episode(number: int, chance: random.Random) -> Episode:
    made = NOW - timedelta(days=chance.randrange(0, 300))
    target = chance.choice(TARGETS)
    text = f"{target} broke for the {number}th time; restarted it, read the log, changed a timeout"
    outcome = chance.choice(list(Outcome))
    return Episode(0, str(number), text, text, made, made, made, target=target, steps=("a", "b"), outcome=outcome)


async def fill(stores: Stores, count: int) -> None:
    """As many memories with the same texts, to compare with."""
    chance = random.Random(7)
    episodes = [episode(number, chance) for number in range(count)]
    header = OperationHeader(Actor.IMPORT, "import", NOW)
    for first in range(0, count, AT_ONCE):
        some = episodes[first : first + AT_ONCE]
        await stores.memories.make_all(EPISODE, some, header)
        await stores.memories.store_all([(NewMemory(each.text), header) for each in some])


async def embed(stores: Stores) -> None:
    """Of random vectors: how near they are is the same for both kinds."""
    chance = random.Random(8)
    while waiting := await stores.vectors.unembedded(MODEL, AT_ONCE):
        vectors = [(each.ref, each.text, [chance.gauss(0, 1) for _ in range(DIMENSIONS)]) for each in waiting]
        await stores.vectors.put(MODEL, vectors)
    await stores.vectors.refresh_index(MODEL)


async def waits_beside(stores: Stores, stop: asyncio.Event) -> list[float]:
    """How long small writes take beside it. The first one of a process reads what the rules know, and counts not."""
    waits, number = [], 0
    while not stop.is_set():
        begun = time.perf_counter()
        await stores.memories.add(NewMemory(f"memory {number}"), OperationHeader(Actor.USER, "add", NOW))
        waits.append(time.perf_counter() - begun)
        number += 1
        await asyncio.sleep(0.005)
    return waits


async def forget(stores: Stores) -> None:
    """The daily pass."""
    settings = ForgetSettings()
    begun = time.perf_counter(), time.process_time()
    ages = await stores.retention.ages()
    told(f"read the ages of {len(ages)}", begun)
    begun = time.perf_counter(), time.process_time()
    chosen = retention.episodes_to_forget(ages, NOW, settings)
    told(f"choose {len(chosen.all)} of them", begun)
    begun = time.perf_counter(), time.process_time()
    await EpisodeForgetting(stores, ClockAt(NOW), ForgetSettings(threshold=0.0)).run()
    told("a pass that finds nothing", begun)

    faded = await passed(stores, "forgets", NOW, settings)
    begun = time.perf_counter(), time.process_time()
    await stores.history.undo(faded.operation, NOW)
    told("taking it back, in one transaction", begun)
    later = NOW + timedelta(days=120)  # what was brought back ages from then
    await passed(stores, "forgets again", later, settings)
    await passed(stores, "deletes", later + timedelta(days=31), ForgetSettings(threshold=0.0))


async def passed(stores: Stores, does: str, at: datetime, settings: ForgetSettings) -> ForgottenEpisodes:
    """A pass that has much to do, and what writes beside it wait."""
    await stores.memories.add(NewMemory(f"the first one {does}"), OperationHeader(Actor.USER, "add", NOW))
    stop = asyncio.Event()
    beside = asyncio.create_task(waits_beside(stores, stop))
    begun = time.perf_counter(), time.process_time()
    faded = await EpisodeForgetting(stores, ClockAt(at), settings).run()
    told(f"a pass that {does}: {max(len(faded.episodes), len(faded.deleted))}", begun)
    stop.set()
    print(summary("  a write beside it", await beside, "50 ms"))
    return faded


async def look(stores: Stores) -> None:
    """Searches and lists, of memories and of episodes: the first call of each is not counted."""
    chance = random.Random(9)
    questions = [
        [chance.choice(TARGETS), "restarted", "timeout", str(chance.randrange(9_999))] for _ in range(QUESTIONS)
    ]
    vectors = [[chance.gauss(0, 1) for _ in range(DIMENSIONS)] for _ in range(QUESTIONS)]
    live = RecordQuery({"state": (State.LIVE.value,)}, limit=50)
    of_memories = MemoryQuery(StatusCriteria((State.LIVE,)), sort=MemorySort.NEW, limit=50)
    for kind in (MEMORY, EPISODE):
        by_words = [await timed(by_its_words(stores, kind, tokens)) for tokens in questions]
        by_vector = [await timed(by_its_vector(stores, kind, each)) for each in vectors]
        lists = [
            await timed(stores.memories.page(of_memories) if kind is MEMORY else stores.records[kind].page(live))
            for _ in range(QUESTIONS)
        ]
        for what, seconds in (("by words", by_words), ("by vectors", by_vector), ("a page of 50", lists)):
            print(summary(f"CPU of {kind.name}: {what}", seconds[1:]))


async def by_its_words(stores: Stores, kind: Kind, tokens: list[str]) -> list[TextHit]:
    return await stores.search.at_once(lambda now: now.words.by_tokens(tokens, 20, kind=kind))


async def by_its_vector(stores: Stores, kind: Kind, vector: list[float]) -> list[VectorHit]:
    return await stores.search.at_once(lambda now: now.vectors.by_vector(MODEL, vector, 20, kind=kind))


async def timed(work: Awaitable[object]) -> float:
    begun = time.process_time()
    await work
    return time.process_time() - begun


def told(what: str, begun: tuple[float, float]) -> None:
    took, worked = time.perf_counter() - begun[0], time.process_time() - begun[1]
    print(f"{what:44} {1000 * took:9.1f} ms, of which CPU {1000 * worked:9.1f} ms")


async def measure(count: int, folder: Path) -> None:
    stores = await open_stores(folder / "orca.db", scope="me", must_exist=False)
    print(f"{os.cpu_count()} cores, {os.getloadavg()[0]:.1f} processes want one")
    await fill(stores, count)
    await embed(stores)
    await look(stores)
    await forget(stores)
    await stores.upkeep.aclose()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--episodes", type=int, default=10_000)
    with tempfile.TemporaryDirectory() as folder:
        asyncio.run(measure(parser.parse_args().episodes, Path(folder)))


if __name__ == "__main__":
    main()
