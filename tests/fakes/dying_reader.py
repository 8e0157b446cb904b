"""Learns from one round, and is killed by itself when the verifier is asked; run as `python dying_reader.py FILE [TIMES]`
where that is done so many times more, until the last of them in vain."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from fakes.clocks import StillClock
from fakes.facts import fact, finds, learn
from fakes.scripted_model import ScriptedModel, says
from fakes.turns import turn

from orca_core.llm.cached_embedder import CachedEmbedder
from orca_core.llm.local_embedder import LocalEmbedder
from orca_core.model.errors import ModelUnavailable
from orca_core.model.learning import Wanted
from orca_core.orca import Orca
from orca_core.settings import Settings
from orca_core.store.sqlite.store import open_stores

SAID = "我用 neovim 写代码"
HOUR_S = 3600
FOUND = fact("用户用 neovim 写代码")


async def die() -> None:
    os.kill(os.getpid(), signal.SIGKILL)


async def read(database: Path, again: int) -> None:
    clock = StillClock()
    down = [ModelUnavailable(provider="p", detail="down")]
    stores = await open_stores(database, scope="me", must_exist=False)
    orca = Orca(
        Settings(),
        stores,
        model=ScriptedModel,
        agent=lambda: ScriptedModel(
            finds(FOUND), verifier=[down, *[says("no idea")] * (again - 1), [die]][-again - 1 :]
        ),
        embedder=lambda: CachedEmbedder(LocalEmbedder(), stores.vectors),
        clock=clock,
    )
    await turn(orca, SAID)
    await learn(orca)
    for _ in range(again):
        clock.advance(HOUR_S)
        async for _event in orca.learning.facts.run(Wanted(inbox=True)):
            pass


if __name__ == "__main__":
    asyncio.run(read(Path(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 0))
