"""An Orca on a real database, with a model that says what the test wrote down."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from pathlib import Path

import pytest
from fakes.clocks import StillClock
from fakes.scripted_model import ScriptedModel, says

from orca_core.llm.cached_embedder import CachedEmbedder
from orca_core.llm.local_embedder import LocalEmbedder
from orca_core.model.llm import ChatModel, Clock, Embedder, Reranker
from orca_core.operations.stores import Stores
from orca_core.orca import Orca
from orca_core.services.shared.event_stream import Sleep
from orca_core.services.shared.saving import PATIENCE_S
from orca_core.settings import Settings
from orca_core.store.sqlite.store import open_stores

OrcaOpener = Callable[..., AbstractAsyncContextManager[Orca]]


@pytest.fixture
def clock() -> StillClock:
    return StillClock()


@pytest.fixture
def database(tmp_path: Path) -> Path:
    return tmp_path / "home" / "orca.db"


@pytest.fixture
def open_orca(database: Path, clock: StillClock) -> OrcaOpener:
    """`async with open_orca(model, …) as orca`: again and again on the same file."""

    @asynccontextmanager
    async def opened(
        model: ChatModel | None = None,
        *,
        settings: Settings | None = None,
        embedder: Embedder | None = None,
        reranker: Reranker | None = None,
        agent: ChatModel | None = None,
        at: Clock | None = None,
        patience_s: float = PATIENCE_S,
        behind: Callable[[Stores], Stores] = lambda stores: stores,
        sleep: Sleep = asyncio.sleep,
        agents_folder: Path | None = None,
        keeps_up: bool = True,
    ) -> AsyncIterator[Orca]:
        chosen = settings or Settings()
        stores = behind(await open_stores(database, scope=chosen.profile, must_exist=False, settings=chosen.memory))
        orca = Orca(
            chosen,
            stores,
            model=lambda: model or ScriptedModel(),
            agent=lambda: agent or ScriptedModel(says('{"facts": []}')),
            embedder=lambda: embedder or CachedEmbedder(LocalEmbedder(), stores.vectors),
            reranker=None if reranker is None else (lambda: reranker),
            clock=at or clock,
            patience_s=patience_s,
            sleep=sleep,
            agents_folder=agents_folder,
            keeps_up=keeps_up,
        )
        try:
            yield orca
        finally:
            await orca.aclose()

    return opened


@pytest.fixture
def run() -> Iterator[Callable[..., object]]:
    with asyncio.Runner() as runner:
        yield runner.run
