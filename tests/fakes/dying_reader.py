"""Learns from one round, and is killed by itself when the second reader is asked."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from fakes.clocks import StillClock
from fakes.facts import fact, finds, learn
from fakes.scripted_model import ScriptedModel
from fakes.turns import turn

from orca_core.embeddings.cached import CachedEmbedder
from orca_core.embeddings.local import LocalEmbedder
from orca_core.engine import Engine
from orca_core.journal_rules import JOURNAL_RULES
from orca_core.settings import Settings
from orca_core.storage.sqlite.store import open_stores

SAID = "我用 neovim 写代码"
FOUND = fact("用户用 neovim 写代码")


async def die() -> None:
    os.kill(os.getpid(), signal.SIGKILL)


async def read(database: Path) -> None:
    stores = await open_stores(database, scope="me", must_exist=False, rules=JOURNAL_RULES)
    engine = Engine(
        Settings(),
        stores,
        model=ScriptedModel,
        agent=lambda: ScriptedModel(finds(FOUND), second=[[die]]),
        embedder=lambda: CachedEmbedder(LocalEmbedder(), stores.vectors),
        clock=StillClock(),
    )
    await turn(engine, SAID)
    await learn(engine)


if __name__ == "__main__":
    asyncio.run(read(Path(sys.argv[1])))
