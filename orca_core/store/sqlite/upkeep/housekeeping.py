"""Upkeep of the file, and what `doctor` checks."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

import apsw

from orca_core.model.doctor import StoreHealth
from orca_core.model.errors import StorageError, StoreBusy
from orca_core.model.memories import DecideWaiting
from orca_core.model.operations import OperationHeader, RecordsChanged
from orca_core.model.records import timestamp
from orca_core.operations.records import RecordTypes
from orca_core.operations.waiting import expire_candidates
from orca_core.rules.memory.causes import LEFT_OPEN
from orca_core.settings import MemorySettings
from orca_core.store.ports import Transactions
from orca_core.store.sqlite.engine import processes
from orca_core.store.sqlite.engine.database import Database
from orca_core.store.sqlite.engine.failures import damaged
from orca_core.store.sqlite.engine.rows import to_json
from orca_core.store.sqlite.engine.scope import Scope
from orca_core.store.sqlite.index.damage import damaged_indexes, damaged_pages
from orca_core.store.sqlite.memories import gone
from orca_core.store.sqlite.memories.wiping import wipe_all
from orca_core.store.sqlite.schema.migrations import version_of

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


class SQLiteHousekeeping:
    """The database as a whole, seen from one scope."""

    def __init__(self, scope: Scope, transactions: Transactions, types: RecordTypes, settings: MemorySettings) -> None:
        self._scope = scope
        self._transactions = transactions
        self._types = types
        self._settings = settings

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

        return await self._scope.read(read)

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
            return await self._scope.read(probe)
        except StoreBusy:
            return True  # locked tables can't be read now, but are not damaged
        except StorageError:
            return False

    async def try_to_write(self) -> None:
        await self._scope.write(lambda connection: None)

    async def idle(self) -> bool:
        return await wipe_all(self._scope) if await self._scope.read(gone.is_pending) else True

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
        while await self._scope.read(is_any):
            count += await self._scope.write(write)
        return count

    async def expire_candidates(
        self, untouched_since: datetime, header: OperationHeader, decide: DecideWaiting
    ) -> RecordsChanged[Any]:
        return await self._transactions.write(
            lambda rows: expire_candidates(rows, self._types, self._settings, untouched_since, header, decide)
        )

    async def recover(self) -> int:
        return await recover(self._scope)

    async def aclose(self) -> None:
        await self._scope.aclose()


async def recover(base: Database | Scope) -> int:
    """Mark rounds of any scope that a crash left streaming; returns how many."""

    def streaming(connection: apsw.Connection) -> list[tuple[int, str | None]]:
        rows = connection.execute("SELECT id, owner FROM rounds WHERE state = 'streaming'")
        return [(round_id, owner) for round_id, owner in rows]

    abandoned = [
        round_id for round_id, owner in await base.read(streaming) if owner is None or not processes.is_alive(owner)
    ]
    if not abandoned:
        return 0

    def write(connection: apsw.Connection) -> int:
        connection.executemany(
            "UPDATE rounds SET state = 'interrupted', owner = NULL, cause = ? WHERE id = ? AND state = 'streaming'",
            [(to_json(LEFT_OPEN), round_id) for round_id in abandoned],
        )
        return len(abandoned)

    return await base.write(write)
