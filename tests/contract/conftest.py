"""Every store that Orca can live on is run through the tests of this folder. PostgreSQL will join `ENGINES`."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from fakes.notes import NOTES

from orca_core.operations.stores import OpenedDatabase, Stores
from orca_core.store.sqlite.store import open_database


async def sqlite(place: Path) -> OpenedDatabase:
    return await open_database(place / "orca.db", must_exist=False, kinds=(NOTES,))


ENGINES: dict[str, Callable[[Path], Awaitable[OpenedDatabase]]] = {"sqlite": sqlite}


@pytest.fixture(params=sorted(ENGINES))
def engine(request: pytest.FixtureRequest, tmp_path: Path) -> Callable[..., Awaitable[OpenedDatabase]]:
    """`await engine()`: another handle on the same database, as another process has one."""

    async def opening() -> OpenedDatabase:
        return await ENGINES[request.param](tmp_path)

    return opening


@pytest.fixture
def opened(engine: Callable[..., Awaitable[OpenedDatabase]]) -> Callable[..., object]:
    """`async with opened("me", "team") as stores`: a scope, and those that it reads besides, through a handle of its
    own; again and again on the same database."""

    @asynccontextmanager
    async def opening(scope: str = "me", *also: str) -> AsyncIterator[Stores]:
        database = await engine()
        stores = database.scope(scope, also)
        try:
            yield stores
        finally:
            await stores.housekeeping.aclose()
            await database.aclose()

    return opening


@pytest.fixture
def run() -> Iterator[Callable[..., object]]:
    with asyncio.Runner() as runner:
        yield runner.run
