"""Every engine that Orca can live on is run through the tests of this folder: one more is a line of `ENGINES`."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Generator, Iterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

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
            await stores.upkeep.aclose()
            await database.aclose()

    return opening


@pytest.fixture
def stores(opened: Callable[..., object]) -> Callable[..., object]:
    """The stores of the scope "me", which are open as long as the test runs that asks for them."""
    return opened


@pytest.hookimpl(wrapper=True)
def pytest_pyfunc_call(pyfuncitem: pytest.Function) -> Generator[None, object, object]:
    """Open the stores that a test asks for in the loop that the test runs in."""
    test = pyfuncitem.obj

    async def with_open_stores(stores: Callable[..., Any], **others: object) -> None:
        async with stores() as opened:
            await test(stores=opened, **others)

    if "stores" in pyfuncitem.funcargs:
        pyfuncitem.obj = with_open_stores
    return (yield)


@pytest.fixture
def run() -> Iterator[Callable[..., object]]:
    with asyncio.Runner() as runner:
        yield runner.run
