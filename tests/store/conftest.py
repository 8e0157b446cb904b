"""A loop that runs coroutines, and a store on one file of SQLite."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from orca_core.store.protocols import Stores
from orca_core.store.sqlite.store import open_stores


@pytest.fixture
def run() -> Iterator[Callable[..., object]]:
    with asyncio.Runner() as runner:
        yield runner.run


@pytest.fixture
def opened(tmp_path: Path) -> Callable[..., object]:
    """`async with opened("me") as stores`: again and again on the same file."""

    @asynccontextmanager
    async def opening(scope: str = "me") -> AsyncIterator[Stores]:
        stores = await open_stores(tmp_path / "orca.db", scope=scope, must_exist=False)
        try:
            yield stores
        finally:
            await stores.housekeeping.aclose()

    return opening
