"""What deleting costs others: a long chat, and thirty memories out of a hundred thousand.

    python benchmarks/deletion.py [--rounds 2000] [--memories 100000] [--deleted 30]

Orca writes in transactions, one at a time for all processes: while one stands, another Orca's "remember …" waits. So
the longest single write transaction counts as much as the whole time. Another Orca saves rounds meanwhile
(`neighbour.py`).
"""

from __future__ import annotations

import argparse
import asyncio
import random
import tempfile
import time
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime
from pathlib import Path

import apsw
from neighbour import Neighbour
from stores import sentence

from orca_core.model.memories import NewShortTerm
from orca_core.model.record_types import memory_ref, summary_ref

from fakes.records import begin, header, record  # isort: skip  # `stores` says where fakes are

from orca_core.model.memories import NewMemory, Use
from orca_core.model.recall import Injection, Item, Level, Receipt, References, ScoreParts
from orca_core.operations.memories import MemoryStore
from orca_core.operations.operations import OpenOperation
from orca_core.operations.stores import Stores
from orca_core.rules.retrieval import prompt_assembly
from orca_core.settings import MemorySettings
from orca_core.store.ports import Rows
from orca_core.store.sqlite.engine.database import Database, Work
from orca_core.store.sqlite.store import open_stores

MODEL, DIMENSIONS = "benchmark", 256
SHOWN = 5
AT_ONCE = 2000


def database_of(stores: Stores) -> Database:
    database = stores.upkeep._scope._database  # type: ignore[attr-defined]
    assert isinstance(database, Database)
    return database


def receipt_of(number: int, memories: list[int], texts: dict[int, str], last_summary: str) -> Receipt:
    """What a turn shows: some memories, and the summary of the round before."""
    chance = random.Random(number)
    shown = [
        Item(memory_ref(each), texts[each], ScoreParts(0.5), "technical") for each in chance.sample(memories, SHOWN)
    ]
    if number > 1:
        shown.append(Item(summary_ref(number - 1), last_summary, ScoreParts(0.2), "recent"))
    left_out = [Item(memory_ref(each), texts[each], ScoreParts(0.1), "below_floor") for each in memories[:20]]
    block = prompt_assembly.memory_block(shown, "Notes about the user.")
    return Receipt(
        "long", number, Injection(Level.FULL, ("technical",), tuple(shown), tuple(left_out), block), References()
    )


async def fill_memories(stores: Stores, count: int) -> dict[int, str]:
    chance = random.Random(20)
    texts: dict[int, str] = {}
    memories = stores.memories
    assert isinstance(memories, MemoryStore)
    for first in range(0, count, AT_ONCE):
        contents = [sentence(number, chance) for number in range(first, min(first + AT_ONCE, count))]

        def write(rows: Rows, contents: list[str] = contents) -> list[int]:
            operation = OpenOperation(rows, memories._types, MemorySettings(), header())
            return [operation.add(NewMemory(each)).memory.id for each in contents]

        ids = await memories._transactions.write(write)
        texts.update(zip(ids, contents, strict=True))
        await stores.vectors.put(
            MODEL,
            [(memory_ref(each), texts[each], [chance.gauss(0, 1) for _ in range(DIMENSIONS)]) for each in ids],
        )
    await stores.search.at_once(lambda now: now.vectors.by_vector(MODEL, [1.0] * DIMENSIONS, 5))
    return texts


async def fill_chat(stores: Stores, rounds: int, memories: list[int], texts: dict[int, str]) -> None:
    """A chat whose every round was shown memories and the summary of the round before it."""
    vector = [0.5] * DIMENSIONS
    summary = ""
    for number in range(1, rounds + 1):
        started = await begin(stores, "long", f"Question {number}: {'how would that go on? ' * 10}")
        receipt = receipt_of(number, memories, texts, summary)
        summary = f"User asked: question {number}\nAnswer: {number} {'and so on ' * 10}"
        finished = record(
            started,
            answer=f"Answer {number}: {'it goes on like this. ' * 40}",
            receipt=receipt,
            short_term=NewShortTerm(summary, f"question {number}", True, ("question", str(number))),
            uses={item.ref.id: Use.USED for item in receipt.injection.injected if item.is_citable},
            at=datetime.now(UTC),
        )
        await stores.sessions.finish_round(finished)
        await stores.vectors.cache(MODEL, {f"Question {number}: {'how would that go on? ' * 10}": vector})


async def measure(name: str, stores: Stores, path: Path, delete: Callable[[], Awaitable[object]]) -> None:
    database = database_of(stores)
    seconds: list[float] = []
    write = database.write

    async def timed(work: Work[object]) -> object:
        def measured(connection: apsw.Connection) -> object:
            started = time.perf_counter()
            try:
                return work(connection)
            finally:
                seconds.append(time.perf_counter() - started)

        return await write(measured)

    database.write = timed  # type: ignore[method-assign, assignment]
    with Neighbour(path) as neighbour:
        started = time.perf_counter()
        await delete()
        total = time.perf_counter() - started
    database.write = write  # type: ignore[method-assign]
    print(
        f"{name:44} longest transaction {max(seconds) * 1000:10,.1f} ms of {len(seconds):4}   total {total:8.2f} s"
        f"   {neighbour.waits.words()}",
        flush=True,
    )


async def run(home: Path, rounds: int, memories: int, deleted: int) -> None:
    path = home / "orca.db"
    stores = await open_stores(path, scope="me", must_exist=False)
    texts = await fill_memories(stores, memories)
    shown = list(texts)[-max(deleted, 2 * SHOWN) :]
    await fill_chat(stores, rounds, shown, texts)
    await stores.upkeep.idle()
    await measure(
        f"{deleted} of {memories:,} memories",
        stores,
        path,
        lambda: stores.memories.delete(shown[:deleted], header("delete")),
    )
    await measure(
        f"a chat of {rounds:,} rounds", stores, path, lambda: stores.sessions.delete("long", header("delete"))
    )
    await stores.upkeep.aclose()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=2000)
    parser.add_argument("--memories", type=int, default=100_000)
    parser.add_argument("--deleted", type=int, default=30)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as home:
        asyncio.run(run(Path(home), arguments.rounds, arguments.memories, arguments.deleted))


if __name__ == "__main__":
    main()
