"""Takes back the latest operation of a home in slices, and is killed by itself before one of them."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from fakes.records import later
from fakes.slices import slices_of

from orca_core.operations.undo import HistoryStore
from orca_core.store.sqlite.store import open_stores

SIZE = 7


async def take_back(folder: Path, last: int) -> None:
    done = 0
    take_slice = HistoryStore._slice

    def counted(*given: Any) -> Any:
        nonlocal done
        done += 1
        if done == last:
            os.kill(os.getpid(), signal.SIGKILL)
        return take_slice(*given)

    HistoryStore._slice = counted  # type: ignore[method-assign]
    stores = await open_stores(folder / "orca.db", scope="me", must_exist=True)
    with slices_of(SIZE):
        await stores.history.undo(None, later())
    await stores.upkeep.aclose()


if __name__ == "__main__":
    asyncio.run(take_back(Path(sys.argv[1]), int(sys.argv[2])))
