"""A loop that runs coroutines, and stores on files of SQLite; what a test leaves open is closed behind it."""

from __future__ import annotations

import asyncio
import inspect
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from orca_core.operations.stores import Stores
from orca_core.store.sqlite.store import OpenDatabase, open_stores


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
            await stores.upkeep.aclose()

    return opening


@pytest.hookimpl(tryfirst=True)
def pytest_pyfunc_call(pyfuncitem: pytest.Function) -> bool | None:
    """Run a test that is a coroutine, then close the stores that it opened."""
    if not inspect.iscoroutinefunction(pyfuncitem.obj):
        return None
    given = {name: pyfuncitem.funcargs[name] for name in pyfuncitem._fixtureinfo.argnames}
    left: list[Stores] = []
    make = OpenDatabase.scope

    def noted(database: OpenDatabase, name: str, also: tuple[str, ...] = ()) -> Stores:
        left.append(make(database, name, also))
        return left[-1]

    async def closed() -> None:
        try:
            await pyfuncitem.obj(**given)
        finally:
            for each in left:
                await each.upkeep.aclose()

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(OpenDatabase, "scope", noted)
        asyncio.run(closed())
    return True
