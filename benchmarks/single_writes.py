"""What a single write takes in a home of many memories: one memory more, the weights of a turn, one weight by hand.

    python benchmarks/single_writes.py [--memories 10000 100000] [--writes 300] [--homes FOLDER]

Each is printed as its caller waits for it; and how long its transaction held the lock meanwhile. No embedder is asked:
the background does that afterwards.
"""

from __future__ import annotations

import argparse
import asyncio
import random
import shutil
import tempfile
import time
from collections.abc import Awaitable, Callable
from pathlib import Path

from holding import Watch, watched
from large_homes import SCOPE, World, fill
from stores import sentence, summary

from fakes.records import begin, header, record  # isort: skip  # `stores` says where fakes are

from orca_core.model.memories import NewMemory, Use
from orca_core.store.sqlite.store import open_stores

USED = 20
EVERY_S = 0.01
"""Between two of them, as nobody writes without a pause."""
WARM = 10
TARGET = "2 ms"


async def timed(name: str, watch: Watch, count: int, write: Callable[[int], Awaitable[object]], target: str) -> None:
    """The first ones, in which the rules read their words, are told apart."""
    took = []
    for number in range(WARM + count):
        if number == WARM:
            watch.holds.clear()
        started = time.perf_counter()
        await write(number)
        took.append(time.perf_counter() - started)
        await asyncio.sleep(EVERY_S)
    holds = watch.holds
    print(summary(name, took[WARM:], target))
    print(summary("    of it the lock was held", [each.seconds for each in holds]))
    print(summary("    of it to commit", [each.committing_s for each in holds]))
    print(summary("    of it Orca's own work", [each.cpu_s for each in holds]), flush=True)


async def measure(path: Path, memories: int, writes: int) -> None:
    with watched() as watch:
        stores = await open_stores(path, scope=SCOPE, must_exist=True)
        chance = random.Random(7)
        numbers = chance.sample(range(1, memories + 1), USED * (writes + WARM))
        print(f"{memories:,} memories, {writes} writes each")

        async def add(number: int) -> None:
            await stores.memories.add(NewMemory(sentence(memories + number, chance)), header())

        async def by_hand(number: int) -> None:
            each = numbers[number]
            await stores.memories.change_all([each], header("edit"), lambda _: {each: {"weight": 1 + chance.random()}})

        async def all_by_hand(number: int) -> None:
            those = numbers[number * USED : (number + 1) * USED]
            weights = {each: {"weight": 1 + chance.random()} for each in those}
            await stores.memories.change_all(those, header("edit"), lambda _all: weights)

        async def by_a_turn(number: int) -> None:
            uses = dict.fromkeys(numbers[number * USED : (number + 1) * USED], Use.USED)
            await stores.sessions.finish_round(record(started[number], uses=uses))

        await timed("one memory more", watch, writes, add, TARGET)
        await timed("one weight, by hand", watch, writes, by_hand, TARGET)
        await timed(f"{USED} weights, by hand", watch, writes, all_by_hand, TARGET)
        started = [await begin(stores, f"s{number // 20}") for number in range(writes + WARM)]
        await timed(f"a turn's end, with {USED} weights", watch, writes, by_a_turn, TARGET)
        await stores.upkeep.aclose()


async def measured(memories: int, writes: int, homes: Path) -> None:
    kept = homes / f"{memories}.db"
    if not kept.exists():
        await fill(kept, World(), memories)
    with tempfile.TemporaryDirectory(dir=homes) as folder:
        await measure(Path(shutil.copyfile(kept, Path(folder) / "orca.db")), memories, writes)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--memories", type=int, nargs="+", default=[10_000, 100_000])
    parser.add_argument("--writes", type=int, default=300)
    parser.add_argument("--homes", type=Path, help="keep the databases here, so that the next run need not fill them")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        for count in arguments.memories:
            asyncio.run(measured(count, arguments.writes, arguments.homes or Path(folder)))


if __name__ == "__main__":
    main()
