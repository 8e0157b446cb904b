"""How long does a search take in a home of any size, and does it find what an exact one finds?

Vectors of 1,024 dimensions that are at hand, words as people use them (`large_homes.py`). Prints the CPU time of the
vectors' search alone with its recall beside comparing every vector, and of a whole look: for what comes unasked, and
for what a person asks.

    python benchmarks/find_speed.py [--memories 10000] [--searches 200]
"""

from __future__ import annotations

import argparse
import asyncio
import tempfile
import time
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import TYPE_CHECKING

from large_homes import MODEL, SCOPE, Given, World, fill
from stores import ScriptedModel, summary

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


async def timed(name: str, count: int, search: Callable[[int], Awaitable[object]], target: str = "") -> None:
    cpu = []
    for number in range(count):
        started = time.process_time()
        await search(number)
        cpu.append(time.process_time() - started)
    print(summary(name, cpu, target))


async def measure(home: Path, memories: int, searches: int) -> None:
    world, path = World(), home / "orca.db"
    vectors, texts = await fill(path, world, memories)
    asked, questions = world.asked(vectors), [world.question(text) for text in texts]
    stores = await open_stores(path, scope=SCOPE, must_exist=True, rules=JOURNAL_RULES)
    exact = await open_stores(path, scope=SCOPE, must_exist=True, rules=JOURNAL_RULES, vector_index=False)
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
    for question in questions[:WARM_UP]:
        await engine.search.look(question, wide=True, cached=False)
    await _brought(stores, asked[0])
    by_vector = f"CPU of vectors at {memories:,}"
    await timed(by_vector, searches, lambda each: stores.search.by_vector(MODEL, asked[each], NOMINATED))
    print(f"{'recall@10 beside the exact search':34} {await _recall(stores, exact, asked):.3f}")
    for is_wide, name in ((False, "unasked"), (True, "asked")):
        await timed(
            f"CPU of a look at {memories:,}, {name}",
            searches,
            lambda each, is_wide=is_wide: engine.search.look(questions[WARM_UP + each], wide=is_wide, cached=False),
        )
    await engine.aclose()
    await exact.housekeeping.aclose()


async def _brought(stores: Stores, vector: Array) -> None:
    """Search until what is read in the background is at hand."""
    for _ in range(2):
        await stores.search.by_vector(MODEL, vector, NOMINATED)
    await stores.search._vectors._at_hand.wait()


async def _recall(stores: Stores, exact: Stores, asked: Array) -> float:
    found = 0
    for vector in asked[:COMPARED]:
        near = await stores.search.by_vector(MODEL, vector, NOMINATED)
        truth = await exact.search.by_vector(MODEL, vector, RECALLED)
        found += len({hit.ref for hit in near[:RECALLED]} & {hit.ref for hit in truth})
    return found / (COMPARED * RECALLED)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--memories", type=int, default=10_000)
    parser.add_argument("--searches", type=int, default=200)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as home:
        asyncio.run(measure(Path(home), arguments.memories, arguments.searches))


if __name__ == "__main__":
    main()
