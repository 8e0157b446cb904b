"""Records on their way between homes: what leaves one scope."""

from __future__ import annotations

from orca_core.storage.sqlite.engine.scope import Scope
from orca_core.storage.sqlite.exchange.leaving import Leaving


class SQLiteExchange:
    """The doors of one scope."""

    def __init__(self, scope: Scope) -> None:
        self._scope = scope

    async def snapshot(self) -> Leaving:
        leaving = Leaving(self._scope.aside(), self._scope.own)
        try:
            await leaving.begin()
        except BaseException:
            await leaving.aclose()
            raise
        return leaving
