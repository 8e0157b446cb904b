"""A list that is filtered by what no index knows, in slices: its beginning in its order, then the rest in the order of
the texts, whose index is a tenth of the memories."""

from __future__ import annotations

from collections.abc import Sequence

import apsw
from msgspec.structs import replace

from orca_core.model.views import MemoryQuery, TextPlace
from orca_core.store.sqlite.engine.scope import Scope
from orca_core.store.sqlite.memories.memory_lists import MemoryList

_LAST_OF_SLICE = """
    SELECT content FROM long_term_memories WHERE scope = ? AND content > ? ORDER BY content LIMIT 1 OFFSET ?
"""


class SQLiteFilteredLists:
    """Looks through the lists of one scope, and of those that are read with it."""

    def __init__(self, scope: Scope) -> None:
        self._scope = scope

    async def beginning(self, query: MemoryQuery, most: int) -> tuple[list[int], bool]:
        return await self._scope.read(lambda connection: beginning(connection, self._scope.all, query, most))

    async def among_texts(
        self, query: MemoryQuery, behind: TextPlace | None, most: int
    ) -> tuple[list[int], TextPlace | None]:
        return await self._scope.read(lambda connection: among_texts(connection, self._scope.all, query, behind, most))

    async def in_order(self, query: MemoryQuery, ids: Sequence[int]) -> list[int]:
        return await self._scope.read(lambda connection: in_order(connection, self._scope.all, query, ids))


def beginning(
    connection: apsw.Connection, scopes: tuple[str, ...], query: MemoryQuery, most: int
) -> tuple[list[int], bool]:
    unfiltered = replace(query, text="", tags=(), chat="", program="", counted=False, limit=most, offset=0, after=None)
    looked_at, _total = MemoryList(connection, scopes, unfiltered).page()
    return in_order(connection, scopes, query, looked_at), len(looked_at) < most


def among_texts(
    connection: apsw.Connection, scopes: tuple[str, ...], query: MemoryQuery, behind: TextPlace | None, most: int
) -> tuple[list[int], TextPlace | None]:
    at = behind or TextPlace(scopes[0], "")
    row = connection.execute(_LAST_OF_SLICE, (at.scope, at.text, most - 1)).fetchone()
    up_to = None if row is None else str(row[0])
    whole = replace(query, counted=False, limit=None, offset=0, after=None)
    found, _total = MemoryList(connection, scopes, whole, (at, up_to)).page()
    if up_to is not None:
        return found, TextPlace(at.scope, up_to)
    further = scopes[scopes.index(at.scope) + 1 :]
    return found, TextPlace(further[0], "") if further else None


def in_order(connection: apsw.Connection, scopes: tuple[str, ...], query: MemoryQuery, ids: Sequence[int]) -> list[int]:
    among = replace(query, ids=tuple(ids), counted=False, limit=None, offset=0, after=None)
    return MemoryList(connection, scopes, among).page()[0]
