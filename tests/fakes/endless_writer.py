"""Writes turns without end and prints the number of each that is done. Someone will kill it."""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from fakes.records import EVOLVE, begin, record, remember

from orca_core.model.memories import Use
from orca_core.store.sqlite.store import open_stores


async def write(folder: Path) -> None:
    stores = await open_stores(folder / "orca.db", scope="me", must_exist=False)
    [memory_id] = await remember(stores, "a memory that every turn uses")
    while True:
        started = await begin(stores)
        await stores.sessions.save_partial(started.id, "half of it", "")
        await stores.sessions.finish_round(record(started, uses={memory_id: Use.USED}), EVOLVE)
        print(started.number, flush=True)


if __name__ == "__main__":
    asyncio.run(write(Path(sys.argv[1])))
