"""The words of records that were found, and which memories stand beside one in the conversation that both come from."""

from __future__ import annotations

from collections.abc import Sequence

import apsw

from orca_core.domain.recall import Neighbours
from orca_core.domain.refs import Kind
from orca_core.storage.sqlite.engine.rows import to_json
from orca_core.storage.sqlite.engine.scope import Scope, among
from orca_core.storage.sqlite.index import by_words
from orca_core.storage.sqlite.index.tables import BUILT_IN_TABLES, MEMORY_TABLES, KindTables


class SQLiteSurroundings:
    """The surroundings of the records of one scope."""

    def __init__(self, scope: Scope, tables: KindTables = BUILT_IN_TABLES) -> None:
        self._scope = scope
        self._tables = tables

    async def words_of(self, kind: Kind, ids: Sequence[int]) -> dict[int, frozenset[str]]:
        tables = self._tables.of(kind)

        def read(connection: apsw.Connection) -> dict[int, frozenset[str]]:
            rows = connection.execute(
                f"SELECT m.id, m.tokens FROM json_each(?) wanted CROSS JOIN {tables.rows} m ON m.id = wanted.value"
                f" WHERE {among('m.scope', self._scope.all)}",
                (to_json(list(ids)), *self._scope.all),
            )
            return {row[0]: frozenset(row[1].split()) for row in rows}

        return await self._scope.read(read)

    async def live_words(self, tokens: Sequence[str]) -> frozenset[str]:
        return await self._scope.read(
            lambda connection: by_words.live_words(connection, MEMORY_TABLES, self._scope.all, tokens)
        )

    async def neighbours(self, ids: Sequence[int], *, live_only: bool = True) -> dict[int, Neighbours]:
        return await self._scope.read(
            lambda connection: _neighbours(connection, self._scope.all, ids, live_only=live_only)
        )


_ROUND = "coalesce(json_extract(m.origin_rounds, '$[0]'), 0)"
"""As the index `memories_of_session` has it."""
_BEFORE, _AFTER = 3, 2
"""So far around a memory stands what is beside it, and what is beside that."""


def _neighbours(
    connection: apsw.Connection, scopes: tuple[str, ...], ids: Sequence[int], *, live_only: bool
) -> dict[int, Neighbours]:
    """The neighbours of each of these memories that comes from a conversation, and of those beside it. However long the
    conversation is, only what stands around them is read."""
    asked = connection.execute(
        f"SELECT m.scope, m.origin_session, {_ROUND}, m.id FROM json_each(?) w"
        f" CROSS JOIN long_term_memories m ON m.id = w.value WHERE {among('m.scope', scopes)}"
        f" AND m.origin_session IS NOT NULL AND ({MEMORY_TABLES.live} OR NOT ?) ORDER BY m.id",
        (to_json(list(ids)), *scopes, live_only),
    ).fetchall()
    found: dict[int, Neighbours] = {}
    for row in asked:
        before = _next(connection, row, "<", "DESC", _BEFORE, live_only=live_only)[::-1]
        window = [*before, int(str(row[3])), *_next(connection, row, ">", "ASC", _AFTER, live_only=live_only)]
        at = len(before)
        found |= {window[near]: _beside(window, near) for near in range(max(0, at - 1), min(at + 2, len(window)))}
    return found


def _next(
    connection: apsw.Connection, row: Sequence[object], than: str, way: str, count: int, *, live_only: bool
) -> list[int]:
    """What stands next to a memory in its conversation, nearest first."""
    rows = connection.execute(
        f"SELECT m.id FROM long_term_memories m WHERE m.scope = ? AND m.origin_session = ?"
        f" AND {_ROUND} {than}= ? AND ({_ROUND} {than} ? OR m.id {than} ?) AND m.origin_session IS NOT NULL"
        f" AND ({MEMORY_TABLES.live} OR NOT ?)"
        f" ORDER BY {_ROUND} {way}, m.id {way} LIMIT ?",
        (*row[:3], *row[2:], live_only, count),
    )
    return [int(str(number)) for (number,) in rows]


def _beside(said: Sequence[int], at: int) -> Neighbours:
    return Neighbours(
        before=said[at - 1] if at >= 1 else None,
        after=said[at + 1] if at + 1 < len(said) else None,
        before_that=said[at - 2] if at >= 2 else None,
    )
