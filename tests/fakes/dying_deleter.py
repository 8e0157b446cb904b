"""Deletes the chat "s" and the memories 1 and 2, and is killed by itself after so many transactions."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from fakes.deleting import database_of, opened
from fakes.records import header

from orca_core.store.sqlite.engine.database import Work


async def delete(folder: Path, what: str, transactions: int) -> None:
    stores = await opened(folder)
    database = database_of(stores)
    write, done = database.write, 0

    async def last(work: Work[object]) -> object:
        nonlocal done
        result = await write(work)
        done += 1
        if done == transactions:
            os.kill(os.getpid(), signal.SIGKILL)
        return result

    database.write = last  # type: ignore[method-assign, assignment]
    await (
        stores.sessions.delete("s", header("delete"))
        if what == "chat"
        else stores.memories.delete([1, 2], header("delete"))
    )


if __name__ == "__main__":
    asyncio.run(delete(Path(sys.argv[1]), sys.argv[2], int(sys.argv[3])))
