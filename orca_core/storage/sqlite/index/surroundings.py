"""The words of records that were found, and which memories stand beside one in the conversation that both come from."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby

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


def _neighbours(
    connection: apsw.Connection, scopes: tuple[str, ...], ids: Sequence[int], *, live_only: bool
) -> dict[int, Neighbours]:
    """The neighbours of each of these memories that comes from a conversation, and of those beside it."""
    wanted = set(ids)
    rows = connection.execute(
        "SELECT m.scope, m.origin_session, m.id FROM long_term_memories m"
        f" WHERE {among('m.scope', scopes)} AND m.origin_session IN"
        "  (SELECT o.origin_session FROM json_each(?) w CROSS JOIN long_term_memories o ON o.id = w.value)"
        f" AND m.origin_session IS NOT NULL AND ({MEMORY_TABLES.live} OR NOT ?)"
        " ORDER BY m.scope, m.origin_session, coalesce(json_extract(m.origin_rounds, '$[0]'), 0), m.id",
        (*scopes, to_json(list(ids)), live_only),
    ).fetchall()
    found: dict[int, Neighbours] = {}
    for _, group in groupby(rows, key=lambda row: (row[0], row[1])):
        said = [int(str(number)) for _, _, number in group]
        asked = [at for at, number in enumerate(said) if number in wanted]
        near = {at + step for at in asked for step in (-1, 0, 1)} & set(range(len(said)))
        found |= {said[at]: _beside(said, at) for at in sorted(near)}
    return found


def _beside(said: Sequence[int], at: int) -> Neighbours:
    return Neighbours(
        before=said[at - 1] if at >= 1 else None,
        after=said[at + 1] if at + 1 < len(said) else None,
        before_that=said[at - 2] if at >= 2 else None,
    )
