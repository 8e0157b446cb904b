"""Upkeep of a database and its indexes, and what `doctor` checks."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from datetime import datetime, timedelta
from functools import partial
from typing import Any

import apsw

from orca_core.model.diagnosis import NAMED, StoreHealth
from orca_core.model.errors import IndexDamaged, StorageError, StoreBusy, StoreDamaged
from orca_core.model.memories import DecideWaiting
from orca_core.model.operations import OperationHeader, RecordsChanged
from orca_core.model.record_types import Kind, timestamp
from orca_core.operations.columns import to_json
from orca_core.operations.records import RecordTypes
from orca_core.operations.retention import expire_candidates
from orca_core.rules.memory.causes import LEFT_OPEN
from orca_core.settings import MemorySettings
from orca_core.store.ports import IndexState, Slice
from orca_core.store.sqlite import deleted_rows
from orca_core.store.sqlite.engine import processes
from orca_core.store.sqlite.engine.database import Database
from orca_core.store.sqlite.engine.failures import damaged
from orca_core.store.sqlite.engine.meta import count_of
from orca_core.store.sqlite.engine.scope import Scope
from orca_core.store.sqlite.index import index_tables, message_index, vector_index, word_index
from orca_core.store.sqlite.index.index_tables import (
    IndexTables,
    KindTables,
    damaged_indexes,
    damaged_pages,
    make_words,
)
from orca_core.store.sqlite.index.vector_index import has_vector_index
from orca_core.store.sqlite.schema.migrations import version_of
from orca_core.store.sqlite.wiping import wipe_all

_COUNTED = {
    "sessions": "SELECT count(*) FROM sessions WHERE scope = ?",
    "rounds": "SELECT count(*) FROM rounds INDEXED BY rounds_standing WHERE scope = ? AND replaced_by IS NULL",
    "short_term": "SELECT count(*) FROM short_term_memories WHERE scope = ?",
    "queue": "SELECT count(*) FROM dialogue_buffer WHERE scope = ? AND state = 'new'",
    "long_term": "SELECT coalesce(sum(memories), 0) FROM memory_counts WHERE scope = ?",
    "tools": "SELECT count(DISTINCT folded) FROM tool_calls WHERE scope = ?",
    "tool_calls": "SELECT count(*) FROM tool_calls WHERE scope = ?",
}
EXPIRED_AT_ONCE = 200
"""Chosen by hand."""


WORDS_AT_ONCE = 100
"""So many records are indexed in a transaction of the background. Chosen by hand."""


class SQLiteUpkeep:
    """The port `Upkeep`: the database as a whole, seen from one scope. Its indexes are common to all scopes."""

    def __init__(self, scope: Scope, types: RecordTypes, settings: MemorySettings, tables: KindTables) -> None:
        self._scope = scope
        self._types = types
        self._settings = settings
        self._tables = tables

    async def health(self, *, examines: bool = True) -> StoreHealth:
        def read(connection: apsw.Connection) -> StoreHealth:
            self._scope.check_reachable()
            if examines and (found := damaged_pages(connection)):
                raise damaged(self._scope.path, found[0])
            [journal] = connection.execute("PRAGMA journal_mode").fetchone() or ("unknown",)
            [pages] = connection.execute("PRAGMA page_count").fetchone() or (0,)
            [page_size] = connection.execute("PRAGMA page_size").fetchone() or (0,)
            counts = {
                name: (connection.execute(query, (self._scope.own,)).fetchone() or (0,))[0]
                for name, query in _COUNTED.items()
            }
            return StoreHealth(
                path=str(self._scope.path),
                schema=version_of(connection),
                bytes=pages * page_size,
                integrity="; ".join(damaged_indexes(connection)) or "ok" if examines else "",
                long_term_readable=True,
                journal_mode=journal,
                counts=counts,
            )

        return await self._scope.on_reader(read)

    async def long_term_readable(self) -> bool:
        def probe(connection: apsw.Connection) -> bool:
            connection.execute("SELECT id, content, weight FROM long_term_memories ORDER BY id DESC LIMIT 1").fetchall()
            connection.execute(
                "SELECT rowid FROM long_term_text WHERE long_term_text MATCH '\"orca\"' LIMIT 1"
            ).fetchall()
            connection.execute("SELECT doc FROM long_term_vocabulary WHERE term = 'orca'").fetchall()
            connection.execute("SELECT vector FROM vectors LIMIT 1").fetchall()
            return True

        try:
            return await self._scope.on_reader(probe)
        except StoreBusy:
            return True  # locked tables can't be read now, but are not damaged
        except StorageError:
            return False

    async def try_to_write(self) -> None:
        await self._scope.on_writer(lambda connection: None)

    async def idle(self) -> bool:
        return await wipe_all(self._scope) if await self._scope.on_reader(deleted_rows.is_pending) else True

    async def expire_short_term(self, now: datetime, ttl_days: int) -> int:
        oldest = timestamp(now - timedelta(days=ttl_days))
        expired = "FROM short_term_memories WHERE scope = ? AND created_at < ?"

        def is_any(connection: apsw.Connection) -> bool:
            return connection.execute(f"SELECT 1 {expired} LIMIT 1", (self._scope.own, oldest)).fetchone() is not None

        def write(connection: apsw.Connection) -> int:
            connection.execute(
                f"DELETE FROM short_term_memories WHERE id IN (SELECT id {expired} LIMIT ?)",
                (self._scope.own, oldest, EXPIRED_AT_ONCE),
            )
            return connection.changes()

        count = 0
        while await self._scope.on_reader(is_any):
            count += await self._scope.on_writer(write)
        return count

    async def expire_candidates(
        self, untouched_since: datetime, header: OperationHeader, decide: DecideWaiting
    ) -> RecordsChanged[Any]:
        return await self._scope.write(
            lambda rows: expire_candidates(rows, self._types, self._settings, untouched_since, header, decide)
        )

    async def recover(self) -> int:
        return await recover(self._scope.database)

    async def acquire_lead(self) -> bool:
        return await self._scope.leadership.acquire()

    async def resign_lead(self) -> None:
        await self._scope.leadership.resign()

    async def aclose(self) -> None:
        await self._scope.aclose()

    async def states(self) -> list[IndexState]:
        def read(connection: apsw.Connection) -> list[IndexState]:
            return [_examined(connection, each) for each in self._tables.all]

        return await self._scope.on_reader(read)

    async def drop_orphan_vectors(self) -> int:
        def orphans(connection: apsw.Connection) -> list[IndexTables]:
            return [
                each
                for each in self._tables.all
                if count_of(connection, f"vectors WHERE {_orphan_vectors(each)}", each.kind.name)
            ]

        found = await self._scope.on_reader(orphans)
        if not found:
            return 0

        def write(connection: apsw.Connection) -> int:
            dropped = 0
            for each in found:
                connection.execute(f"DELETE FROM vectors WHERE {_orphan_vectors(each)}", (each.kind.name,))
                dropped += connection.changes()
            return dropped

        return await self._scope.on_writer(write)

    async def counts(self) -> dict[Kind, int]:
        return await self._scope.on_reader(
            lambda connection: {each.kind: count_of(connection, each.rows) for each in self._tables.all}
        )

    async def mend(self, kind: Kind, tell: Callable[[int], None] | None = None) -> None:
        tables = self._tables.of(kind)

        def begin(connection: apsw.Connection) -> None:
            if tables.words:  # what is deleted and waits to be wiped is found no more
                index_tables.forget_word_table(connection, tables.words)
                make_words(connection, tables)
                word_index.fill_later(connection, tables)
            connection.execute(f"DELETE FROM vectors WHERE {_orphan_vectors(tables)}", (kind.name,))
            if tables.vectors:  # the next look of the embedding job makes it anew from the vectors
                vector_index.drop(connection, tables)

        await self._scope.on_writer(begin)
        if tables.words:
            await self._fill(tables, tell)

    async def _fill(self, tables: IndexTables, tell: Callable[[int], None] | None) -> None:
        """Index all records in slices; they are found by their words meanwhile as far as they are in."""
        done = 0

        def fill(connection: apsw.Connection, slice_: Slice) -> bool | None:
            nonlocal done
            count = word_index.fill_slice(connection, tables, slice_.most, deleted_rows.IS_GONE)
            done += count
            if tell is not None:
                tell(done)
            return None if count else True

        await self._scope.on_writer_in_slices(fill)

    async def fill_words(self, slices: int) -> bool:
        damaged: dict[IndexTables, StorageError] = {}
        for _ in range(slices):
            waiting = [each for each in await self._scope.on_reader(self._waiting) if each not in damaged]
            if not waiting:
                break
            try:
                await self._scope.on_writer(
                    partial(word_index.fill_slice, tables=waiting[0], most=WORDS_AT_ONCE, without=deleted_rows.IS_GONE)
                )
            except (IndexDamaged, StoreDamaged) as error:  # the others are filled first
                damaged[waiting[0]] = error
        waiting = await self._scope.on_reader(self._waiting)
        if waiting and all(each in damaged for each in waiting):
            raise damaged[waiting[0]]
        return bool(waiting)

    async def join_words(self) -> None:
        damaged: StorageError | None = None
        for index in (*(each.words for each in self._with_words), message_index.TABLE):
            try:
                await self._joined(index)
            except (IndexDamaged, StoreDamaged) as error:  # the others are joined first
                damaged = error
        if damaged is not None:
            raise damaged

    async def _joined(self, index: str) -> None:
        begun: list[bool] = []

        def join(connection: apsw.Connection, part: Slice) -> bool | None:
            is_more = word_index.join_pieces(connection, index, part.most, is_begun=bool(begun))
            begun.append(True)
            return None if is_more else True

        if await self._scope.on_reader(lambda connection: word_index.has_many_pieces(connection, index)):
            await self._scope.on_writer_in_slices(join)

    @property
    def _with_words(self) -> list[IndexTables]:
        return [each for each in self._tables.all if each.words]

    def _waiting(self, connection: apsw.Connection) -> list[IndexTables]:
        return [each for each in self._with_words if word_index.filled_upto(connection, each) is not None]


async def recover(database: Database) -> int:
    """Mark rounds of any scope that a crash left streaming; returns how many."""

    def streaming(connection: apsw.Connection) -> list[tuple[int, str | None]]:
        rows = connection.execute("SELECT id, owner FROM rounds WHERE state = 'streaming'")
        return [(round_id, owner) for round_id, owner in rows]

    abandoned = [
        round_id for round_id, owner in await database.read(streaming) if owner is None or not processes.is_alive(owner)
    ]
    if not abandoned:
        return 0

    def write(connection: apsw.Connection) -> int:
        connection.executemany(
            "UPDATE rounds SET state = 'interrupted', owner = NULL, cause = ? WHERE id = ? AND state = 'streaming'",
            [(to_json(LEFT_OPEN), round_id) for round_id in abandoned],
        )
        return len(abandoned)

    return await database.write(write)


def _examined(connection: apsw.Connection, tables: IndexTables) -> IndexState:
    if damaged := index_tables.damaged_table(connection, tables):
        return IndexState(tables.kind, damaged=damaged)
    try:
        return _index_state(connection, tables)
    except index_tables.BROKEN:  # a part that was not read so far is missing
        return IndexState(tables.kind, damaged=tables.words or tables.vectors)


def _index_state(connection: apsw.Connection, tables: IndexTables) -> IndexState:
    counts: Counter[str] = Counter()
    numbers: dict[str, tuple[int, ...]] = {}
    for name, column, what, bindings in _out_of_step(connection, tables):
        if found := count_of(connection, what, *bindings):
            counts[name] += found
            rows = connection.execute(f"SELECT DISTINCT {column} FROM {what} ORDER BY 1 LIMIT {NAMED}", bindings)
            numbers[name] = (*numbers.get(name, ()), *(int(str(number)) for (number,) in rows))[:NAMED]
    return IndexState(
        tables.kind,
        without_words=counts["without_words"],
        orphan_words=counts["orphan_words"],
        orphan_vectors=counts["orphan_vectors"],
        stale=counts["stale"],
        numbers=numbers,
    )


def _out_of_step(connection: apsw.Connection, tables: IndexTables) -> Iterator[tuple[str, str, str, tuple[str, ...]]]:
    """What is looked for: its name, the column with the numbers, and the rows."""
    if tables.words:
        there = f"SELECT 1 FROM {tables.words}_docsize d WHERE d.id = m.id"
        yield (
            "without_words",
            "m.id",
            f"{tables.rows} m WHERE NOT ({deleted_rows.IS_GONE}) AND NOT EXISTS ({there})",
            (),
        )
        record = f"SELECT 1 FROM {tables.rows} m WHERE m.id = d.id AND NOT ({deleted_rows.IS_GONE})"
        yield "orphan_words", "d.id", f"{tables.words}_docsize d WHERE NOT EXISTS ({record})", ()
    if tables.vectors and has_vector_index(connection, tables):
        other_state = f"NOT ({deleted_rows.IS_GONE.replace('scope', 'm.scope')}) AND x.live <> ({tables.live})"
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
