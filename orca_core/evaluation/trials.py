"""Throw-away stores, in which an evaluation asks what it likes."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from datetime import datetime
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Event

from msgspec import Struct

from orca_core.clock import ClockAt
from orca_core.config.config_file import DATABASE_NAME
from orca_core.demo.agent import DemoAgent
from orca_core.demo.model import DemoModel
from orca_core.jobs.indexing import Embedding
from orca_core.llm.local_embedder import SharedEmbedder
from orca_core.llm.vector_cache import CachedEmbedder
from orca_core.model.llm import Embedder
from orca_core.open import make_reranker
from orca_core.operations.stores import Stores
from orca_core.orca import Orca
from orca_core.services.shared.search import MemorySearch
from orca_core.settings import Settings
from orca_core.store.sqlite.store import open_stores
from orca_core.store.sqlite.upkeep.backups import copied


class Trial(Struct, frozen=True):
    """One such store, with the search that chats use."""

    stores: Stores
    search: MemorySearch
    embedding: Embedding


OpenTrial = Callable[[datetime], AbstractAsyncContextManager[Trial]]
"""Opens one whose time of day stands still: empty, or a copy of a person's own."""


@asynccontextmanager
async def open_trial(
    settings: Settings,
    environ: Mapping[str, str],
    folder: Path,
    embedder: Embedder,
    at: datetime,
    *,
    scope: str,
    copy_of: Path | None = None,
) -> AsyncIterator[Trial]:
    """A throw-away store in this folder, empty or with what another database holds, put together as an engine is, at a
    time of day that stands still. The embedder stays open. Raises StorageError."""
    with TemporaryDirectory(dir=folder) as name:
        path = Path(name) / DATABASE_NAME
        if copy_of is not None:
            await asyncio.to_thread(lambda: deque(copied(copy_of, path, Event()), maxlen=0))
        stores = await open_stores(path, scope=scope, must_exist=False, settings=settings.memory)
        engine = Orca(
            settings,
            stores,
            model=DemoModel,
            agent=DemoAgent,
            embedder=lambda: CachedEmbedder(SharedEmbedder(embedder), stores.vectors),
            reranker=(lambda: make_reranker(settings, environ)) if settings.rerank.provider else None,
            clock=ClockAt(at),
        )
        try:
            yield Trial(stores, engine.search, Embedding(stores.vectors, lambda: engine.embedder, engine.levels))
        finally:
            await engine.aclose()
