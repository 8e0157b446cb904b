"""Compares the index of every kind with its records, and makes it anew."""

from __future__ import annotations

from collections.abc import Callable

import apsw

from orca_core.domain.refs import Kind
from orca_core.domain.stores.index import IndexState
from orca_core.storage.sqlite.engine.scope import Scope
from orca_core.storage.sqlite.index import damage, vector_index, word_counts, words
from orca_core.storage.sqlite.index.tables import IndexTables, KindTables, make_words
from orca_core.storage.sqlite.index.vector_table import has_vector_index
from orca_core.storage.sqlite.memories import gone


class SQLiteIndexCare:
    """The indexes of the whole file: they are common to all scopes."""

    def __init__(self, scope: Scope, tables: KindTables) -> None:
        self._scope = scope
        self._tables = tables
        self._has_looked = False

    async def states(self) -> list[IndexState]:
        def read(connection: apsw.Connection) -> list[IndexState]:
            return [_examined(connection, each) for each in self._tables.all]

        return await self._scope.read(read)

    async def drop_orphan_vectors(self) -> int:
        def orphans(connection: apsw.Connection) -> list[IndexTables]:
            return [
                each
                for each in self._tables.all
                if _count(connection, f"vectors WHERE {_orphan_vectors(each)}", each.kind.name)
            ]

        found = await self._scope.read(orphans)
        if not found:
            return 0

        def write(connection: apsw.Connection) -> int:
            dropped = 0
            for each in found:
                connection.execute(f"DELETE FROM vectors WHERE {_orphan_vectors(each)}", (each.kind.name,))
                dropped += connection.changes()
            return dropped

        return await self._scope.write(write)

    async def counts(self) -> dict[Kind, int]:
        return await self._scope.read(
            lambda connection: {each.kind: _count(connection, each.rows) for each in self._tables.all}
        )

    async def mend(self, kind: Kind, tell: Callable[[int], None] | None = None) -> None:
        tables = self._tables.of(kind)

        def write(connection: apsw.Connection) -> None:
            if tables.words:  # what is deleted and waits to be wiped is found no more
                damage.forget_word_table(connection, tables.words)
                make_words(connection, tables)
                words.rebuild(connection, tables, without=gone.IS_GONE, tell=tell)
            connection.execute(f"DELETE FROM vectors WHERE {_orphan_vectors(tables)}", (kind.name,))
            if tables.vectors:  # the next look of the embedding job makes it anew from the vectors
                vector_index.drop(connection, tables)

        await self._scope.write(write)

    async def count_words(self, slices: int) -> bool:
        def write(connection: apsw.Connection) -> None:
            for each in self._counted:
                if not word_counts.is_counted(connection, each):
                    word_counts.count_slice(connection, each, words.tag, f"NOT ({gone.IS_GONE})")
                if not word_counts.is_counted(connection, each):
                    return

        def look_again(connection: apsw.Connection) -> None:
            own = self._scope.own
            for each in self._counted:
                if word_counts.is_counted(connection, each):
                    word_counts.look_again(connection, each, own, words.tag(own), f"NOT ({gone.IS_GONE})")

        if not self._has_looked:
            self._has_looked = True
            await self._scope.write(look_again)
        for _ in range(slices):
            if not await self._scope.read(self._waits):
                return False
            await self._scope.write(write)
        return await self._scope.read(self._waits)

    @property
    def _counted(self) -> list[IndexTables]:
        return [each for each in self._tables.all if each.words]

    def _waits(self, connection: apsw.Connection) -> bool:
        return not all(word_counts.is_counted(connection, each) for each in self._counted)


def _examined(connection: apsw.Connection, tables: IndexTables) -> IndexState:
    if damage.is_damaged(connection, tables):
        return IndexState(tables.kind, is_damaged=True)
    try:
        return _state(connection, tables)
    except damage.BROKEN:  # a part that was not read so far is missing
        return IndexState(tables.kind, is_damaged=True)


def _state(connection: apsw.Connection, tables: IndexTables) -> IndexState:
    without_words = orphan_words = stale = 0
    if tables.words:
        there = f"SELECT 1 FROM {tables.words}_docsize d WHERE d.id = m.id"
        without_words = _count(connection, f"{tables.rows} m WHERE NOT ({gone.IS_GONE}) AND NOT EXISTS ({there})")
        record = f"SELECT 1 FROM {tables.rows} m WHERE m.id = d.id AND NOT ({gone.IS_GONE})"
        stale = word_counts.miscounted(connection, tables)
        orphan_words = _count(connection, f"{tables.words}_docsize d WHERE NOT EXISTS ({record})")
    if tables.vectors and has_vector_index(connection, tables):
        stale += _stale(connection, tables)
    orphan_vectors = _count(connection, f"vectors WHERE {_orphan_vectors(tables)}", tables.kind.name)
    return IndexState(tables.kind, without_words, orphan_words, orphan_vectors, stale)


def _orphan_vectors(tables: IndexTables) -> str:
    return f"kind = ? AND NOT EXISTS (SELECT 1 FROM {tables.rows} m WHERE m.id = vectors.id)"


def _stale(connection: apsw.Connection, tables: IndexTables) -> int:
    """Entries of the vector index without a record or with another state than it has, and vectors without an entry."""
    wrong = _count(
        connection,
        f"{tables.vectors} x LEFT JOIN {tables.rows} m ON m.id = x.id"
        f" WHERE m.id IS NULL OR (NOT ({gone.IS_GONE.replace('scope', 'm.scope')}) AND x.live <> ({tables.live}))",
    )
    lacking = _count(
        connection,
        f"vectors v JOIN {tables.rows} m ON m.id = v.id JOIN meta ON meta.key = ?"
        " WHERE v.kind = ? AND v.model || ' ' || (length(v.vector) / 2) = meta.value"
        f" AND NOT EXISTS (SELECT 1 FROM {tables.vectors} x WHERE x.id = v.id)",
        tables.meta_key,
        tables.kind.name,
    )
    return wrong + lacking


def _count(connection: apsw.Connection, what: str, *bindings: str) -> int:
    [found] = connection.execute(f"SELECT count(*) FROM {what}", bindings).fetchone() or (0,)
    return int(found)
