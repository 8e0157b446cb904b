"""Do searches stay fast beside a process that writes, and while a home goes over to another model?

    python benchmarks/searches_beside.py [--memories 100000] [--searches 300] [--homes DIR]

Searches by vectors that are at hand, in a copy of a home of `find_speed.py`: alone; beside another process that adds a
memory with its vector every 20 ms; while the vectors of another model come, as the embedding job stores them, searched
by that model from its first vector on; once after all others came unasked, here and in a home that is opened then; and
while its index is filled. Median, 95th percentile and most, in milliseconds: of the processor, all threads that work
meanwhile among them, and of the clock, which on a busy machine holds waiting for a core, too. For two it prints what
another save of this process waits, for no turn may; and at last how many rows searches wrote, which must be none.
"""

from __future__ import annotations

import argparse
import asyncio
import itertools
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Awaitable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TypeVar

import apsw
import stores as _stores  # noqa: F401  # it says where fakes are
from find_speed import NOMINATED, filled
from large_homes import MODEL, SCOPE, World
from reads import Work, each_read

from orca_core.model.record_types import memory_ref
from orca_core.operations.stores import Stores
from orca_core.store.sqlite.store import open_stores

from fakes.records import remember  # isort: skip  # `stores` says where fakes are

T = TypeVar("T")

OTHER, A_BATCH, BY_THE_JOB, EVERY_S, A_SEARCH_S = "another", 32, 5_000, 0.02, 0.05


async def write(path: Path) -> None:
    """Add a memory with its vector every 20 ms, until the standard input is closed."""
    stores = await open_stores(path, scope=SCOPE, must_exist=True)
    vectors = World(7).vectors(100)
    reading = asyncio.get_running_loop().run_in_executor(None, sys.stdin.read)
    print("ready", flush=True)
    while not reading.done():
        said = f"written beside {time.time_ns()}"
        [number] = await remember(stores, said)
        await stores.vectors.put(MODEL, [(memory_ref(number), said, vectors[number % len(vectors)])])
        await asyncio.sleep(EVERY_S)
    await stores.upkeep.aclose()


@contextmanager
def writer(path: Path) -> Iterator[None]:
    command = [sys.executable, __file__, "--write", str(path)]
    process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    assert process.stdout.readline().strip() == "ready"
    yield
    process.communicate()
    assert process.returncode == 0


@contextmanager
def written_by_reads(changes: list[int]) -> Iterator[None]:
    """Note how many rows each read of the store changes."""

    def counted(work: Work, connection: apsw.Connection) -> object:
        before = connection.total_changes()
        found = work(connection)
        changes.append(connection.total_changes() - before)
        return found

    with each_read(counted):
        yield


def spread(times: list[float]) -> str:
    ordered = sorted(times)
    return f"{ordered[len(ordered) // 2]:7.1f} / {ordered[int(0.95 * len(ordered)) - 1]:7.1f} / {ordered[-1]:7.1f}"


class Timed:
    """CPU and wall milliseconds of each."""

    def __init__(self) -> None:
        self.cpu: list[float] = []
        self.wall: list[float] = []

    async def one(self, work: Awaitable[object]) -> None:
        cpu, wall = time.process_time(), time.perf_counter()
        await work
        self.cpu.append(1000 * (time.process_time() - cpu))
        self.wall.append(1000 * (time.perf_counter() - wall))

    def __str__(self) -> str:
        return f"{len(self.cpu):5} | CPU {spread(self.cpu)} | wall {spread(self.wall)}"


class Measured:
    """One home, and what is done to it."""

    def __init__(self, stores: Stores, asked: list[list[float]]) -> None:
        self._stores = stores
        self._asked = itertools.cycle(asked)

    async def search(self, timed: Timed, model: str = MODEL) -> None:
        vector = next(self._asked)
        await timed.one(self._stores.search.at_once(lambda now: now.vectors.by_vector(model, vector, NOMINATED)))

    async def searched(self, count: int) -> Timed:
        timed = Timed()
        for _ in range(count):
            await self.search(timed)
            await asyncio.sleep(EVERY_S)
        return timed

    async def beside(self, work: Awaitable[object]) -> tuple[Timed, Timed]:
        """Searches by the other model, and saves, until the work is done."""
        searches, saves = Timed(), Timed()
        working = asyncio.ensure_future(work)
        while not working.done():
            await self.search(searches, OTHER)
            await saves.one(remember(self._stores, f"said beside {time.time_ns()}"))
            await asyncio.sleep(A_SEARCH_S)
        await working
        return searches, saves

    async def embedded(self, count: int, at_once: int = A_BATCH) -> None:
        """Give so many memories a vector of the other model, as the embedding job does."""
        for _ in range(-(-count // at_once)):
            waiting = await self._stores.vectors.unembedded(OTHER, at_once)
            await self._stores.vectors.put(OTHER, [(each.ref, each.text, next(self._asked)) for each in waiting])


async def measure(path: Path, asked: list[list[float]], memories: int, searches: int) -> None:
    stores = await open_stores(path, scope=SCOPE, must_exist=True)
    measured, changes = Measured(stores, asked), list[int]()
    with written_by_reads(changes):
        await measured.searched(2)
        await (await stores.search.at_once(lambda now: now.vectors._ram_index)).wait()
        print("alone            ", await measured.searched(searches), flush=True)
        with writer(path):
            print("beside a writer  ", await measured.searched(searches), flush=True)
        told = "{0}: searches {1}\n{0}: saves    {2}"
        name = "another model comes"
        print(told.format(name, *await measured.beside(measured.embedded(BY_THE_JOB))), flush=True)
        await measured.embedded(memories, 1_000)  # while nobody searches
        first = Timed()
        await measured.search(first, OTHER)
        print("the first search after all came", first)
        print("a home opened then, its first   ", await opened_amid(path, asked), flush=True)
        name = "its index is filled"
        print(told.format(name, *await measured.beside(stores.vectors.refresh_index(OTHER))), flush=True)
    print("rows written by", len(changes), "reads:", sum(changes))
    await stores.upkeep.aclose()


async def opened_amid(path: Path, asked: list[list[float]]) -> Timed:
    """The first searches of a home that was left before the index of its new model was begun."""
    stores = await open_stores(path, scope=SCOPE, must_exist=True)
    measured, timed = Measured(stores, asked), Timed()
    for _ in range(20):
        await measured.search(timed, OTHER)
        await asyncio.sleep(A_SEARCH_S)
    await stores.upkeep.aclose()
    return timed


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--memories", type=int, default=100_000)
    parser.add_argument("--searches", type=int, default=300)
    parser.add_argument("--homes", type=Path)
    parser.add_argument("--write", type=Path, help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.write:
        asyncio.run(write(arguments.write))
        return
    with tempfile.TemporaryDirectory() as passing:
        home = (arguments.homes or Path(passing)) / f"home{arguments.memories}"
        home.mkdir(parents=True, exist_ok=True)
        asked, _questions = asyncio.run(filled(home, arguments.memories))
        copied = Path(passing) / "orca.db"
        shutil.copy(home / "orca.db", copied)
        asyncio.run(measure(copied, list(asked), arguments.memories, arguments.searches))


if __name__ == "__main__":
    main()
