"""Single questions to the indexes of a scope, each as of its own moment."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from functools import partial
from typing import Any

from orca_core.operations.stores import Stores
from orca_core.store.ports import Rows

_PARTS = ("words", "vectors")


class Asked:
    """Every method of a snapshot and of its parts, awaited one by one."""

    def __init__(self, stores: Stores, *parts: str) -> None:
        self._stores = stores
        self._parts = parts

    def __getattr__(self, name: str) -> Callable[..., Awaitable[Any]]:
        return partial(self._ask, name)

    async def _ask(self, name: str, *given: Any, **named: Any) -> Any:
        def look(snapshot: Rows) -> Any:
            places = [getattr(snapshot, part) for part in self._parts] or [snapshot]
            [method] = [getattr(place, name) for place in places if hasattr(place, name)]
            return method(*given, **named)

        return await self._stores.search.at_once(look)


def asked(stores: Stores) -> Asked:
    """Words and vectors."""
    return Asked(stores, *_PARTS)


def asked_around(stores: Stores) -> Asked:
    """What stands beside memories, and against them."""
    return Asked(stores, "lists")
