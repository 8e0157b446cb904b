"""How long does a search take in homes of several sizes, and does it find what an exact one finds?

Vectors of 1,024 dimensions that are at hand, words as people use them (`large_homes.py`). Prints a table: the CPU time
of the vectors' search alone, with its recall beside comparing every vector; of a whole look for what comes unasked, and
for what a person asks (median / 95th percentile, ms); how long it takes until the vectors are at hand; what a memory
takes on the disk, and of the process while all are at hand.

    python benchmarks/find_speed.py [--memories 1000 10000 100000] [--searches 200]
"""

from __future__ import annotations

import argparse
import asyncio
import statistics
import tempfile
import time
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import TYPE_CHECKING

from large_homes import MODEL, SCOPE, Given, World, fill
from stores import ScriptedModel

from orca_core.clock import SystemClock
from orca_core.compose import compose
from orca_core.domain.stores import Stores
from orca_core.flows.shared.lazy import Lazy
from orca_core.journal_rules import JOURNAL_RULES
from orca_core.settings import Settings
from orca_core.storage.sqlite.store import open_stores

if TYPE_CHECKING:
    from large_homes import Array

NOMINATED, RECALLED, COMPARED, WARM_UP = 50, 10, 40, 20
HEAD = "| memories | vectors | recall@10 | unasked | asked | at hand after | disk a memory | process a memory |"


async def timed(count: int, search: Callable[[int], Awaitable[object]]) -> str:
    cpu = []
    for number in range(count):
        started = time.process_time()
        await search(number)
        cpu.append(1000 * (time.process_time() - started))
    return f"{statistics.median(cpu):.1f} / {sorted(cpu)[int(0.95 * count) - 1]:.1f}"


async def measure(home: Path, memories: int, searches: int) -> str:
    """A line of the table."""
    world, path = World(), home / "orca.db"
    vectors, texts = await fill(path, world, memories)
    asked, questions = world.asked(vectors), [world.question(text) for text in texts]
    stores = await open_stores(path, scope=SCOPE, must_exist=True, rules=JOURNAL_RULES)
    embedder = Given(dict(zip(questions, asked, strict=True)))
    searches = min(searches, len(questions) - WARM_UP)
    engine = compose(
        Settings(),
        stores,
        model=Lazy(ScriptedModel),
        agent=Lazy(ScriptedModel),
        embedder=Lazy(lambda: embedder),
        clock=SystemClock(),
    )

    resident, started = _resident(), time.process_time()
    await _brought(stores, asked[0])
    at_hand, resident = time.process_time() - started, _resident() - resident
    for question in questions[:WARM_UP]:
        await engine.search.look(question, wide=True, cached=False)
    by_vector = await timed(searches, lambda each: stores.search.by_vector(MODEL, asked[each], NOMINATED))
    looks = [
        await timed(
            searches,
            lambda each, wide=wide: engine.search.look(questions[WARM_UP + each], wide=wide, cached=False),
        )
        for wide in (False, True)
    ]
    recall = await _recall(path, stores, asked)
    await engine.aclose()
    disk = path.stat().st_size / memories
    cells = (f"{memories:,}", by_vector, f"{recall:.3f}", *looks, f"{at_hand:.1f} s", f"{disk / 1000:.1f} KB",
             f"{resident / memories / 1000:.1f} KB")  # fmt: skip
    return "| " + " | ".join(cells) + " |"


async def _brought(stores: Stores, vector: Array) -> None:
    """Search until what is read in the background is at hand."""
    for _ in range(2):
        await stores.search.by_vector(MODEL, vector, NOMINATED)
    await stores.search._vectors._at_hand.wait()


async def _recall(path: Path, stores: Stores, asked: Array) -> float:
    exact = await open_stores(path, scope=SCOPE, must_exist=True, rules=JOURNAL_RULES, vector_index=False)
    found = 0
    for vector in asked[:COMPARED]:
        near = await stores.search.by_vector(MODEL, vector, NOMINATED)
        truth = await exact.search.by_vector(MODEL, vector, RECALLED)
        found += len({hit.ref for hit in near[:RECALLED]} & {hit.ref for hit in truth})
    await exact.housekeeping.aclose()
    return found / (COMPARED * RECALLED)


def _resident() -> int:
    """Bytes of memory that the process holds."""
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * 4096


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--memories", type=int, nargs="+", default=[1_000, 10_000, 100_000])
    parser.add_argument("--searches", type=int, default=200)
    arguments = parser.parse_args()
    print(HEAD, "|" + " --- |" * (HEAD.count("|") - 1), sep="\n")
    for memories in arguments.memories:
        with tempfile.TemporaryDirectory() as home:
            print(asyncio.run(measure(Path(home), memories, arguments.searches)), flush=True)


if __name__ == "__main__":
    main()
