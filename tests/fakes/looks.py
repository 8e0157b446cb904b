"""Looks at a scope in which something happens, or is counted, at one of their steps."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any, TypeVar

from orca_core.operations.stores import Stores
from orca_core.store.ports import Rows

T = TypeVar("T")


class Watched:
    """A port, and what is called before one of its methods."""

    def __init__(self, port: object, watched: str, before: Callable[[], None]) -> None:
        self._port = port
        self._watched = watched
        self._before = before

    def __getattr__(self, name: str) -> Any:
        if name == self._watched:
            self._before()
        return getattr(self._port, name)


class WatchedSearch:
    """A search index in whose looks the method `step` of a part, or of the snapshot itself, is watched."""

    def __init__(self, stores: Stores, part: str, step: str, before: Callable[[], None]) -> None:
        self._search = stores.search
        self._part = part
        self._step = step
        self._before = before

    def __getattr__(self, name: str) -> Any:
        return getattr(self._search, name)

    async def at_once(self, look: Callable[[Any], T]) -> T:
        def watched(snapshot: Rows) -> T:
            if not self._part:
                return look(Watched(snapshot, self._step, self._before))
            seen = Watched(snapshot, "", self._before)
            setattr(seen, self._part, Watched(getattr(snapshot, self._part), self._step, self._before))
            return look(seen)

        return await self._search.at_once(watched)


def meanwhile(change: Callable[[], Awaitable[object]]) -> Callable[[], None]:
    """What happens in the middle of a look: the look's thread waits for it. Called where the loop runs."""
    loop = asyncio.get_running_loop()

    async def changed() -> None:
        await change()

    return lambda: asyncio.run_coroutine_threadsafe(changed(), loop).result()
