"""Compares the index of every kind with its records, and makes it anew."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from functools import partial

import apsw

from orca_core.model.doctor import NAMED
from orca_core.model.errors import IndexDamaged, StorageError, StoreDamaged
from orca_core.model.records import Kind
from orca_core.store.ports import Slice
from orca_core.store.protocols.index import IndexState
from orca_core.store.sqlite.engine.scope import Scope
from orca_core.store.sqlite.index import damage, message_words, pieces, vector_index, word_counts, words
from orca_core.store.sqlite.index.tables import IndexTables, KindTables, make_words
from orca_core.store.sqlite.index.vector_table import has_vector_index
from orca_core.store.sqlite.memories import gone

WORDS_AT_ONCE = 100
"""So many records are indexed in a transaction of the background. Chosen by hand."""


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

        def begin(connection: apsw.Connection) -> None:
            if tables.words:  # what is deleted and waits to be wiped is found no more
                damage.forget_word_table(connection, tables.words)
                make_words(connection, tables)
                words.fill_later(connection, tables)
            connection.execute(f"DELETE FROM vectors WHERE {_orphan_vectors(tables)}", (kind.name,))
            if tables.vectors:  # the next look of the embedding job makes it anew from the vectors
                vector_index.drop(connection, tables)

        await self._scope.write(begin)
        if tables.words:
            await self._fill(tables, tell)

    async def _fill(self, tables: IndexTables, tell: Callable[[int], None] | None) -> None:
        """Index all records in slices; they are found by their words meanwhile as far as they are in."""
        done = 0

        def fill(connection: apsw.Connection, slice_: Slice) -> bool | None:
            nonlocal done
            count = words.fill_slice(connection, tables, slice_.most, gone.IS_GONE)
            done += count
            if tell is not None:
                tell(done)
            return None if count else True

        await self._scope.in_slices(fill)

    async def count_words(self, slices: int) -> bool:
        def look_again(connection: apsw.Connection) -> None:
            own = self._scope.own
            for each in self._counted:
                if word_counts.is_counted(connection, each):
                    word_counts.look_again(connection, each, own, words.tag(own), f"NOT ({gone.IS_GONE})")

        if not self._has_looked:
            self._has_looked = True
            await self._scope.write(look_again)
        damaged: dict[IndexTables, StorageError] = {}
        for _ in range(slices):
            waiting = [each for each in await self._scope.read(self._waiting) if each not in damaged]
            if not waiting:
                break
            try:
                await self._scope.write(partial(_count_on, tables=waiting[0]))
            except (IndexDamaged, StoreDamaged) as error:  # the others are counted first
                damaged[waiting[0]] = error
        waiting = await self._scope.read(self._waiting)
        if waiting and all(each in damaged for each in waiting):
            raise damaged[waiting[0]]
        return bool(waiting)

    async def join_words(self) -> None:
        damaged: StorageError | None = None
        for words_of_a_kind in (*(each.words for each in self._counted), message_words.TABLE):
            try:
                await self._joined(words_of_a_kind)
            except (IndexDamaged, StoreDamaged) as error:  # the others are joined first
                damaged = error
        if damaged is not None:
            raise damaged

    async def _joined(self, words_of_a_kind: str) -> None:
        begun: list[bool] = []

        def join(connection: apsw.Connection, part: Slice) -> bool | None:
            is_more = pieces.join_some(connection, words_of_a_kind, part.most, is_begun=bool(begun))
            begun.append(True)
            return None if is_more else True

        if await self._scope.read(lambda connection: pieces.many(connection, words_of_a_kind)):
            await self._scope.in_slices(join)

    @property
    def _counted(self) -> list[IndexTables]:
        return [each for each in self._tables.all if each.words]

    def _waiting(self, connection: apsw.Connection) -> list[IndexTables]:
        return [each for each in self._counted if not word_counts.is_counted(connection, each)]


def _count_on(connection: apsw.Connection, tables: IndexTables) -> None:
    """Index the next words of a kind, or count them."""
    if words.fill_slice(connection, tables, WORDS_AT_ONCE, gone.IS_GONE):
        return
    if not word_counts.is_counted(connection, tables):
        word_counts.count_slice(connection, tables, words.tag, f"NOT ({gone.IS_GONE})")


def _examined(connection: apsw.Connection, tables: IndexTables) -> IndexState:
    if damaged := damage.damaged_table(connection, tables):
        return IndexState(tables.kind, damaged=damaged)
    try:
        return _state(connection, tables)
    except damage.BROKEN:  # a part that was not read so far is missing
        return IndexState(tables.kind, damaged=tables.words or tables.vectors)


def _state(connection: apsw.Connection, tables: IndexTables) -> IndexState:
    counts: Counter[str] = Counter()
    numbers: dict[str, tuple[int, ...]] = {}
    for name, column, what, bindings in _out_of_step(connection, tables):
        if found := _count(connection, what, *bindings):
            counts[name] += found
            rows = connection.execute(f"SELECT DISTINCT {column} FROM {what} ORDER BY 1 LIMIT {NAMED}", bindings)
            numbers[name] = (*numbers.get(name, ()), *(int(str(number)) for (number,) in rows))[:NAMED]
    counted = word_counts.compared(connection, tables) if tables.words else word_counts.Compared()
    return IndexState(
        tables.kind,
        without_words=counts["without_words"],
        orphan_words=counts["orphan_words"],
        orphan_vectors=counts["orphan_vectors"],
        stale=counts["stale"],
        miscounted=counted.wrong,
        numbers=numbers,
        word_counts=counted.words,
        looked_at=counted.looked_at,
    )


def _out_of_step(connection: apsw.Connection, tables: IndexTables) -> Iterator[tuple[str, str, str, tuple[str, ...]]]:
    """What is looked for: its name, the column with the numbers, and the rows."""
    if tables.words:
        there = f"SELECT 1 FROM {tables.words}_docsize d WHERE d.id = m.id"
        yield "without_words", "m.id", f"{tables.rows} m WHERE NOT ({gone.IS_GONE}) AND NOT EXISTS ({there})", ()
        record = f"SELECT 1 FROM {tables.rows} m WHERE m.id = d.id AND NOT ({gone.IS_GONE})"
        yield "orphan_words", "d.id", f"{tables.words}_docsize d WHERE NOT EXISTS ({record})", ()
    if tables.vectors and has_vector_index(connection, tables):
        other_state = f"NOT ({gone.IS_GONE.replace('scope', 'm.scope')}) AND x.live <> ({tables.live})"
        entries = f"{tables.vectors} x LEFT JOIN {tables.rows} m ON m.id = x.id"
        yield "stale", "x.id", f"{entries} WHERE m.id IS NULL OR ({other_state})", ()
        lacking = (
            f"vectors v JOIN {tables.rows} m ON m.id = v.id JOIN meta ON meta.key = ?"
            " WHERE v.kind = ? AND v.model || ' ' || (length(v.vector) / 2) = meta.value"
            f" AND NOT EXISTS (SELECT 1 FROM {tables.vectors} x WHERE x.id = v.id)"
        )
        yield "stale", "v.id", lacking, (tables.meta_key, tables.kind.name)
    yield "orphan_vectors", "vectors.id", f"vectors WHERE {_orphan_vectors(tables)}", (tables.kind.name,)


def _orphan_vectors(tables: IndexTables) -> str:
    return f"kind = ? AND NOT EXISTS (SELECT 1 FROM {tables.rows} m WHERE m.id = vectors.id)"


def _count(connection: apsw.Connection, what: str, *bindings: str) -> int:
    [found] = connection.execute(f"SELECT count(*) FROM {what}", bindings).fetchone() or (0,)
    return int(found)
