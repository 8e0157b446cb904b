"""How long does a search take in homes of several sizes, and does it find what an exact one finds?

Vectors of 1,024 dimensions that are at hand, words as people use them (`large_homes.py`). Prints a table: the CPU time
of the vectors' search alone, with its recall beside comparing every vector; of a whole look for what comes unasked, and
for what a person asks (median / 95th percentile, ms, and how much of the mean runs on a thread that reads);
how long it takes until the vectors are at hand; what a memory takes on the disk, and of the process while all are at
hand.

    python benchmarks/find_speed.py [--memories 1000 10000 100000] [--searches 200] [--homes DIR] [--plots DIR]

A million memories take twenty minutes to write: with `--homes` they are kept for the next run. With `--plots` time and
space are drawn, too.
"""

from __future__ import annotations

import argparse
import asyncio
import itertools
import json
import statistics
import tempfile
import time
from collections.abc import Awaitable, Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from multiprocessing import get_context
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

import apsw
from large_homes import MODEL, SCOPE, Given, World, fill
from msgspec import Struct
from plots import growth_plot
from reads import Work, each_read
from stores import orca_on

from orca_core.model.recall import VectorHit
from orca_core.operations.stores import Stores
from orca_core.store.sqlite.engine.connection import connect
from orca_core.store.sqlite.index import vector_format
from orca_core.store.sqlite.index.index_tables import MEMORY_TABLES
from orca_core.store.sqlite.store import open_stores

if TYPE_CHECKING:
    from large_homes import Array

T = TypeVar("T")

NOMINATED, RECALLED, COMPARED, WARM_UP, A_PART = 50, 10, 40, 20, 20_000
HEAD = "| memories | vectors | recall@10 | unasked | asked | at hand after | disk a memory | process a memory |"


class Figures(Struct, frozen=True):
    """Of one size: CPU milliseconds of each search, and what the memories take."""

    memories: int
    vectors: list[float]
    recall: float
    unasked: list[float]
    asked: list[float]
    in_store: tuple[float, float]
    """How many milliseconds of a look, unasked and asked, run on a thread that reads, on the average."""
    at_hand_s: float
    disk: float
    process: float

    def __str__(self) -> str:
        looks = [
            f"{spread(times)} ({store:.1f})"
            for times, store in zip((self.unasked, self.asked), self.in_store, strict=True)
        ]
        cells = (f"{self.memories:,}", spread(self.vectors), f"{self.recall:.3f}", *looks, f"{self.at_hand_s:.1f} s",
                 f"{self.disk / 1000:.1f} KB", f"{self.process / 1000:.2f} KB")  # fmt: skip
        return "| " + " | ".join(cells) + " |"


def spread(milliseconds: list[float]) -> str:
    ordered = sorted(milliseconds)
    return f"{statistics.median(ordered):.1f} / {ordered[int(0.95 * len(ordered)) - 1]:.1f}"


async def timed(count: int, search: Callable[[int], Awaitable[object]]) -> list[float]:
    cpu = []
    for number in range(count):
        started = time.process_time()
        await search(number)
        cpu.append(1000 * (time.process_time() - started))
    return cpu


@contextmanager
def reads_timed(seconds: list[float]) -> Iterator[None]:
    """Note the CPU time of every read of the store."""

    def timed_read(work: Work, connection: apsw.Connection) -> object:
        began = time.thread_time()
        try:
            return work(connection)
        finally:
            seconds.append(time.thread_time() - began)

    with each_read(timed_read):
        yield


def measured(home: Path, memories: int, searches: int) -> Figures:
    return asyncio.run(measure(home, memories, searches))


async def filled(home: Path, memories: int) -> tuple[Array, list[str]]:
    """A home with so many memories, made where it is not there: vectors and texts of questions about some of them."""
    import numpy as np

    asked, questions = home / "asked.npy", home / "questions.json"
    if not questions.exists():
        world = World()
        vectors, texts = await fill(home / "orca.db", world, memories)
        np.save(asked, world.asked(vectors))
        questions.write_text(json.dumps([world.question(text) for text in texts]), encoding="utf-8")
    return np.load(asked), json.loads(questions.read_text(encoding="utf-8"))


async def measure(home: Path, memories: int, searches: int) -> Figures:
    path = home / "orca.db"
    asked, questions = await filled(home, memories)
    stores = await open_stores(path, scope=SCOPE, must_exist=True)
    embedder = Given(dict(zip(questions, asked, strict=True)))
    searches = min(searches, len(questions) - WARM_UP)
    orca = orca_on(stores, lambda: embedder)

    resident, started = _resident(), time.process_time()
    await _brought(stores, asked[0])
    at_hand, resident = time.process_time() - started, _resident() - resident
    for question in questions[:WARM_UP]:
        await orca.search.look_around(question, cached=False)
    by_vector = await timed(searches, lambda each: _by_vector(stores, asked[each]))
    looks, in_store = [], []
    for look in (orca.search.look, orca.search.look_around):
        seconds: list[float] = []
        with reads_timed(seconds):
            times = await timed(searches, lambda each, look=look: look(questions[WARM_UP + each], cached=False))
        looks.append(times)
        in_store.append(1000 * sum(seconds) / searches)
    recall = await _recall(path, stores, asked[:COMPARED])
    await orca.aclose()
    disk = path.stat().st_size / memories
    return Figures(memories, by_vector, recall, *looks, (in_store[0], in_store[1]), at_hand, disk, resident / memories)


async def _by_vector(stores: Stores, vector: Array) -> list[VectorHit]:
    return await stores.search.at_once(lambda now: now.vectors.by_vector(MODEL, vector, NOMINATED))


async def _brought(stores: Stores, vector: Array) -> None:
    """Search until what is read in the background is at hand."""
    for _ in range(2):
        await _by_vector(stores, vector)
    await (await stores.search.at_once(lambda now: now.vectors._ram_index)).wait()


async def _recall(path: Path, stores: Stores, asked: Array) -> float:
    """The share of the nearest ten that is found, every vector compared."""
    truth = _nearest(path, asked)
    found = 0
    for vector, nearest in zip(asked, truth, strict=True):
        hits = await _by_vector(stores, vector)
        found += len(nearest.intersection(hit.ref.id for hit in hits[:RECALLED]))
    return found / (len(asked) * RECALLED)


def _nearest(path: Path, asked: Array) -> list[set[int]]:
    connection = connect(path)
    rows = connection.execute(
        "SELECT v.id, v.vector FROM vectors v JOIN long_term_memories m ON m.id = v.id"
        " WHERE v.kind = ? AND v.model = ? AND m.state = 'live'",
        (MEMORY_TABLES.kind.name, MODEL),
    )
    best: list[dict[int, float]] = [{} for _ in asked]
    while part := list(itertools.islice(rows, A_PART)):
        products = vector_format.from_blobs([blob for _, blob in part], asked.shape[1]) @ asked.T
        for kept, column in zip(best, products.T, strict=True):
            kept.update((part[at][0], float(column[at])) for at in column.argsort()[-RECALLED:])
    connection.close()
    return [set(sorted(each, key=lambda number: each[number])[-RECALLED:]) for each in best]


def _resident() -> int:
    """Bytes of memory that the process holds."""
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * 4096


def draw(plots: Path, figures: Sequence[Figures]) -> None:
    median = {
        "vectors": {each.memories: statistics.median(each.vectors) for each in figures},
        "unasked": {each.memories: statistics.median(each.unasked) for each in figures},
        "asked": {each.memories: statistics.median(each.asked) for each in figures},
    }
    space = {
        "disk": {each.memories: each.disk / 1000 for each in figures},
        "process": {each.memories: each.process / 1000 for each in figures},
    }
    for name, series, y in (("search-time", median, "CPU, ms"), ("search-space", space, "KB a memory")):
        (plots / f"{name}.svg").write_text(growth_plot(series, x="memories", y=y), encoding="utf-8")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--memories", type=int, nargs="+", default=[1_000, 10_000, 100_000])
    parser.add_argument("--searches", type=int, default=200)
    parser.add_argument("--homes", type=Path)
    parser.add_argument("--plots", type=Path)
    arguments = parser.parse_args()
    print(HEAD, "|" + " --- |" * (HEAD.count("|") - 1), sep="\n")
    figures = []
    for memories in arguments.memories:
        with tempfile.TemporaryDirectory() as passing:
            home = (arguments.homes or Path(passing)) / f"home{memories}"
            home.mkdir(parents=True, exist_ok=True)
            with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as own:  # what one holds is not the next one's
                figures.append(own.submit(measured, home, memories, arguments.searches).result())
        print(figures[-1], flush=True)
    if arguments.plots:
        draw(arguments.plots, figures)


if __name__ == "__main__":
    main()
