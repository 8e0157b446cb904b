"""Watches what the store reads."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import apsw

from orca_core.store.sqlite.engine.scope import Scope

Work = Callable[[apsw.Connection], Any]


@contextmanager
def each_read(watched: Callable[[Work, apsw.Connection], Any]) -> Iterator[None]:
    """Have each read carried out by `watched`, on the thread that reads."""
    read = Scope.read

    async def seen(self: Scope, work: Work) -> Any:
        return await read(self, lambda connection: watched(work, connection))

    Scope.read = seen  # type: ignore[method-assign, assignment]
    try:
        yield
    finally:
        Scope.read = read  # type: ignore[method-assign]
