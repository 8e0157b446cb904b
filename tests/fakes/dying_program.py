"""Work that is killed by itself before, or behind, a step of it: `python dying_program.py WORK PATH STEP`, where the work
is `read` (a round, and its facts again and again), `import`, `delete_chat`, `delete_memories` or `undo`."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from collections.abc import Awaitable, Callable, Mapping
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from fakes.clocks import StillClock
from fakes.deleting import database_of, opened
from fakes.documents import a_memory, brought, document
from fakes.facts import fact, finds, learn
from fakes.records import header, later
from fakes.scripted_model import ScriptedModel, says
from fakes.slices import slices_of
from fakes.turns import turn

from orca_core.llm.cached_embedder import CachedEmbedder
from orca_core.llm.local_embedder import LocalEmbedder
from orca_core.model.errors import ModelUnavailable
from orca_core.model.learning import Wanted
from orca_core.operations.undo import HistoryStore
from orca_core.orca import Orca
from orca_core.settings import Settings
from orca_core.store.sqlite.engine.database import Work
from orca_core.store.sqlite.engine.scope import SQLiteRows
from orca_core.store.sqlite.store import open_stores

SAID = "我用 neovim 写代码"
FOUND = fact("用户用 neovim 写代码")
HOUR_S = 3600
IMPORTED = 300
SLICE = 7


class Steps:
    """Counts the steps that are taken; the last one kills the process."""

    def __init__(self, last: int) -> None:
        self.taken = 0
        self._last = last

    def take(self) -> None:
        self.taken += 1
        if self.taken == self._last:
            os.kill(os.getpid(), signal.SIGKILL)

    def before(self, work: Callable[..., Any]) -> Callable[..., Any]:
        """The same work, a step before each call of it."""

        def counted(*given: Any) -> Any:
            self.take()
            return work(*given)

        return counted


async def read(database: Path, again: int) -> None:
    """Learn from one round, `again` times once more; the verifier fails, knows nothing, and at last kills."""

    async def die() -> None:
        Steps(1).take()

    clock = StillClock()
    down = [ModelUnavailable(provider="p", detail="down")]
    answers = [down, *[says("no idea")] * (again - 1), [die]][-again - 1 :]
    stores = await open_stores(database, scope="me", must_exist=False)
    orca = Orca(
        Settings(),
        stores,
        model=ScriptedModel,
        agent=lambda: ScriptedModel(finds(FOUND), verifier=answers),
        embedder=lambda: CachedEmbedder(LocalEmbedder(), stores.vectors),
        clock=clock,
    )
    await turn(orca, SAID)
    await learn(orca)
    for _ in range(again):
        clock.advance(HOUR_S)
        async for _event in orca.learning.facts.run(Wanted(inbox=True)):
            pass


async def bring(folder: Path, last: int) -> None:
    """Import a document, killed before a statement that writes; prints how many there were."""
    steps = Steps(last)
    for name in ("_inserted", "_changed", "_each"):
        setattr(SQLiteRows, name, steps.before(getattr(SQLiteRows, name)))
    stores = await open_stores(folder / "orca.db", scope="me", must_exist=False)
    operation = {"number": 1, "actor": "user", "action": "add", "at": "2026-01-01"}
    history = [{"operation": 1, "before": None, "after": {}}]
    memories = (a_memory(f"giraffe {number}", history=history) for number in range(IMPORTED))
    await brought(stores, document(*memories, operations=[operation]))
    await stores.upkeep.aclose()
    sys.stdout.write(str(steps.taken))


async def delete_chat(folder: Path, last: int) -> None:
    """Delete the chat "s", killed behind a transaction."""
    stores = await opened(folder)
    _killed_behind(database_of(stores), Steps(last))
    await stores.sessions.delete("s", header("delete"))


async def delete_memories(folder: Path, last: int) -> None:
    """The same of the memories 1 and 2."""
    stores = await opened(folder)
    _killed_behind(database_of(stores), Steps(last))
    await stores.memories.delete([1, 2], header("delete"))


def _killed_behind(database: Any, steps: Steps) -> None:
    write = database.write

    async def counted(work: Work[object]) -> object:
        result = await write(work)
        steps.take()
        return result

    database.write = counted


async def undo(folder: Path, last: int) -> None:
    """Take back the latest operation in slices, killed before one of them."""
    HistoryStore._slice = Steps(last).before(HistoryStore._slice)  # type: ignore[method-assign]
    stores = await open_stores(folder / "orca.db", scope="me", must_exist=True)
    with slices_of(SLICE):
        await stores.history.undo(None, later())
    await stores.upkeep.aclose()


WORK: Mapping[str, Callable[[Path, int], Awaitable[None]]] = {
    "read": read,
    "import": bring,
    "delete_chat": delete_chat,
    "delete_memories": delete_memories,
    "undo": undo,
}


async def main() -> None:
    name, path, step = sys.argv[1:]
    await WORK[name](Path(path), int(step))


if __name__ == "__main__":
    asyncio.run(main())
