"""Every store that Orca can live on is run through the tests of this folder. PostgreSQL will join `OPENERS`."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from orca_core.domain.stores import Stores
from orca_core.storage.sqlite.store import open_stores


async def sqlite(place: Path, scope: str) -> Stores:
    return await open_stores(place / "orca.db", scope=scope, must_exist=False)


OPENERS: dict[str, Callable[[Path, str], Awaitable[Stores]]] = {"sqlite": sqlite}


@pytest.fixture(params=sorted(OPENERS))
def opened(request: pytest.FixtureRequest, tmp_path: Path) -> Callable[..., object]:
    """`async with opened(scope="me") as stores`: again and again on the same database."""

    @asynccontextmanager
    async def opening(scope: str = "me") -> AsyncIterator[Stores]:
        stores = await OPENERS[request.param](tmp_path, scope)
        try:
            yield stores
        finally:
            await stores.housekeeping.aclose()

    return opening


@pytest.fixture
def run() -> Iterator[Callable[..., object]]:
    with asyncio.Runner() as runner:
        yield runner.run
