"""Brings a document into a home, and is killed by itself before a statement that writes, of so many; says how many there were."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from fakes.documents import a_memory, brought, document

from orca_core.store.sqlite.engine.scope import SQLiteRows
from orca_core.store.sqlite.store import open_stores

MEMORIES = 300


async def bring(folder: Path, last: int) -> int:
    done = 0

    def counted(work: Any) -> Any:
        def counting(rows: SQLiteRows, text: str, values: Any) -> Any:
            nonlocal done
            done += 1
            if done == last:
                os.kill(os.getpid(), signal.SIGKILL)
            return work(rows, text, values)

        return counting

    for name in ("_inserted", "_changed", "_each"):
        setattr(SQLiteRows, name, counted(getattr(SQLiteRows, name)))
    stores = await open_stores(folder / "orca.db", scope="me", must_exist=False)
    operation = {"number": 1, "actor": "user", "action": "add", "at": "2026-01-01"}
    history = [{"operation": 1, "before": None, "after": {}}]
    memories = (a_memory(f"giraffe {number}", history=history) for number in range(MEMORIES))
    await brought(stores, document(*memories, operations=[operation]))
    await stores.upkeep.aclose()
    return done


if __name__ == "__main__":
    sys.stdout.write(str(asyncio.run(bring(Path(sys.argv[1]), int(sys.argv[2])))))
