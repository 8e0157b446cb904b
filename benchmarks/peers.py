"""The same searches in Orca and in what others search memories with, in one run: who needs how long, and finds what?

Vectors of 1,024 dimensions and texts of `large_homes.py`; each question is a text with its vector, given to everyone,
so that no embedder is measured. The peers take turns, block by block, in one process on one core. Printed for each: CPU
and wall time of a search for the nearest ten (median / 95th percentile, ms), how many times as long as Orca's of the
same sort that is, how many of the ten nearest vectors it finds, what it took to fill, and what it takes on the disk.

    pip install -e '.[peers]'
    python benchmarks/peers.py [--memories 10000] [--searches 100]

`orca: vectors` is the search by vectors alone, as chromadb, qdrant and sqlite-vec search; `orca: look` is what a turn
does: words, vectors, rules, whole memories. mem0 searches by its own `Memory.search` in a local qdrant, by
vectors: its words need a model that it would fetch. Orca's home is written in bulk, which says nothing of filling.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import statistics
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from large_homes import MODEL, SCOPE, Given, World, fill
from peer_stores import NEAREST, Chroma, Mem0, Peer, Qdrant, Vec0
from stores import orca_on

from orca_core.model.recall import Which
from orca_core.store.sqlite.store import open_stores

if TYPE_CHECKING:
    from large_homes import Array

BLOCK, WARM_UP = 20, 10
TELLS_NOBODY = {"ANONYMIZED_TELEMETRY": "False", "MEM0_TELEMETRY": "False"}
HEAD = "| | CPU | wall | times Orca's | recall@10 | filling, CPU | disk a memory |"


class Orca(Peer):
    """The home is filled by `large_homes.py`; both sorts of search share it."""

    def __init__(self, home: Path, *, whole: bool, given: Given) -> None:
        super().__init__(home)
        self.name = "orca: look" if whole else "orca: vectors"
        self.beside = self.name
        self._whole = self.goes_by_words = whole
        self._given = given

    def fill(self, texts: Sequence[str], vectors: Array, /) -> None:
        """It is filled."""

    async def open(self) -> None:
        self._stores = await open_stores(self.home / "orca.db", scope=SCOPE, must_exist=True)
        self._orca = orca_on(self._stores, lambda: self._given)

    async def search(self, text: str, vector: Array, /) -> list[int]:
        if not self._whole:
            hits = await self._stores.search.at_once(
                lambda now: now.vectors.by_vector(MODEL, vector, NEAREST, which=Which.ALL)
            )
            return [hit.ref.id for hit in hits]
        found = (await self._orca.search.look(text, cached=False)).found
        return [each.memory.id for each in found[:NEAREST]]

    async def aclose(self) -> None:
        await self._orca.aclose()


async def peers_in(home: Path, given: Given) -> list[Peer]:
    orcas = [Orca(home / "orca", whole=whole, given=given) for whole in (False, True)]
    for each in orcas:
        await each.open()
    return [*orcas, Vec0(home / "vec0"), Chroma(home / "chroma"), Qdrant(home / "qdrant"), Mem0(home / "mem0")]


async def measure(home: Path, memories: int, searches: int) -> None:
    world = World()
    (home / "orca").mkdir()
    everything = Everything(world)
    sampled, texts = await fill(home / "orca" / "orca.db", everything, memories)
    asked, questions = world.asked(sampled)[: searches + WARM_UP], [world.question(text) for text in texts]
    vectors = everything.written()
    truth = [nearest_of(vectors, each) for each in asked]
    peers, filled = [], {}
    for each in await peers_in(home, Given(dict(zip(questions, asked, strict=False)))):
        began = time.process_time()
        try:
            each.fill(everything.texts, vectors)
        except ImportError as error:
            print(f"{each.name} is left out: {error}", file=sys.stderr)
            continue
        filled[each.name] = f"{time.process_time() - began:.0f} s"
        peers.append(each)
    times = await take_turns(peers, list(zip(questions, asked, strict=False)), truth)
    print(HEAD, "|" + " --- |" * (HEAD.count("|") - 1), sep="\n")
    for each in peers:
        cpu, wall, recall = times[each.name]
        beside = statistics.median(cpu) / statistics.median(times[each.beside][0])
        disk = f"{each.disk() / memories / 1000:.1f} KB"
        known = "–" if each.goes_by_words else f"{recall:.3f}"
        took = "–" if isinstance(each, Orca) else filled[each.name]
        print("| " + " | ".join((each.name, spread(cpu), spread(wall), f"{beside:.1f}", known, took, disk)) + " |")
        await each.aclose()


class Everything(World):
    """A world that keeps what it made."""

    def __init__(self, world: World) -> None:
        self.__dict__.update(world.__dict__)
        self._kept: list[Array] = []
        self.texts: list[str] = []

    def vectors(self, count: int) -> Array:
        self._kept.append(super().vectors(count))
        return self._kept[-1]

    def text(self) -> str:
        self.texts.append(super().text())
        return self.texts[-1]

    def written(self) -> Array:
        import numpy as np

        return np.concatenate(self._kept)


Times = dict[str, tuple[list[float], list[float], float]]


async def take_turns(peers: Sequence[Peer], asked: Sequence[tuple[str, Array]], truth: Sequence[set[int]]) -> Times:
    """The CPU and wall milliseconds of each search by each peer, and the share of the truth that it found."""
    cpu: dict[str, list[float]] = {each.name: [] for each in peers}
    wall: dict[str, list[float]] = {each.name: [] for each in peers}
    found = dict.fromkeys(cpu, 0)
    for peer in peers:
        for text, vector in asked[:WARM_UP]:
            await peer.search(text, vector)
        await asyncio.sleep(1)  # what is read in the background is at hand
    rest = range(WARM_UP, len(asked))
    for begin in range(WARM_UP, len(asked), BLOCK):
        for peer in peers:
            for at in rest[begin - WARM_UP : begin - WARM_UP + BLOCK]:
                started, clock = time.process_time(), time.perf_counter()
                numbers = await peer.search(*asked[at])
                cpu[peer.name].append(1000 * (time.process_time() - started))
                wall[peer.name].append(1000 * (time.perf_counter() - clock))
                found[peer.name] += len(truth[at].intersection(numbers))
    return {each.name: (cpu[each.name], wall[each.name], found[each.name] / (NEAREST * len(rest))) for each in peers}


def nearest_of(vectors: Array, vector: Array) -> set[int]:
    import numpy as np

    return {int(at) + 1 for at in np.argpartition(vectors @ vector, -NEAREST)[-NEAREST:]}


def spread(values: Sequence[float]) -> str:
    ordered = sorted(values)
    return f"{statistics.median(ordered):.1f} / {ordered[int(0.95 * len(ordered)) - 1]:.1f}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--memories", type=int, default=10_000)
    parser.add_argument("--searches", type=int, default=100)
    arguments = parser.parse_args()
    os.environ |= TELLS_NOBODY
    os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
    with tempfile.TemporaryDirectory() as home:
        asyncio.run(measure(Path(home), arguments.memories, arguments.searches))


if __name__ == "__main__":
    main()
