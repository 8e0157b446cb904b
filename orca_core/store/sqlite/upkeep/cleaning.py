"""What cleaning looks for in one scope, without more of a memory than it needs."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

import apsw

from orca_core.model.memories import MemoryText, MemoryType
from orca_core.model.records import MEMORY, parse_timestamp, timestamp
from orca_core.store.sqlite.engine.scope import Scope

_SUNK = "SELECT id FROM long_term_memories WHERE scope = ? AND state = 'live' AND pinned = 0 AND weight < ? ORDER BY id"
_TEXTS = (
    "SELECT id, content, type FROM long_term_memories WHERE scope = ? AND state = 'live' AND id > ? ORDER BY id LIMIT ?"
)
_LEFT_ALONE = (
    "SELECT DISTINCT h.memory_id FROM operations o JOIN memory_history h ON h.operation = o.id"
    " WHERE o.scope = ? AND o.actor = 'clean' AND o.action = 'clean' AND o.undone_by IS NOT NULL AND h.kind = ?"
)
_EXPIRED = "SELECT count(*) FROM short_term_memories WHERE scope = ? AND created_at < ?"

CLEANED, UPKEEP = "cleaned_at", "upkeep_at"
"""When each was done last: keys in `meta`, with the scope behind them."""


class SQLiteCleaning:
    """The memories of one scope, as cleaning looks at them."""

    def __init__(self, scope: Scope) -> None:
        self._scope = scope

    async def cleaned_at(self) -> datetime | None:
        return await self._latest(CLEANED)

    async def note_cleaned(self, at: datetime) -> None:
        await self._note(CLEANED, at)

    async def upkeep_at(self) -> datetime | None:
        return await self._latest(UPKEEP, CLEANED)

    async def note_upkeep(self, at: datetime) -> None:
        await self._note(UPKEEP, at)

    async def sunk(self, threshold: float) -> Sequence[int]:
        def read(connection: apsw.Connection) -> list[int]:
            return [number for (number,) in connection.execute(_SUNK, (self._scope.own, threshold))]

        return await self._scope.read(read)

    async def texts(self, after: int, limit: int) -> Sequence[MemoryText]:
        def read(connection: apsw.Connection) -> list[MemoryText]:
            rows = connection.execute(_TEXTS, (self._scope.own, after, limit))
            return [MemoryText(number, content, MemoryType(kind)) for number, content, kind in rows]

        return await self._scope.read(read)

    async def left_alone(self) -> frozenset[int]:
        def read(connection: apsw.Connection) -> frozenset[int]:
            rows = connection.execute(_LEFT_ALONE, (self._scope.own, MEMORY.name))
            return frozenset(number for (number,) in rows)

        return await self._scope.read(read)

    async def expired(self, before: datetime) -> int:
        def read(connection: apsw.Connection) -> int:
            [count] = connection.execute(_EXPIRED, (self._scope.own, timestamp(before))).fetchone() or (0,)
            return int(count)

        return await self._scope.read(read)

    async def _latest(self, *names: str) -> datetime | None:
        def read(connection: apsw.Connection) -> datetime | None:
            keys = [f"{name} {self._scope.own}" for name in names]
            asked = f"SELECT max(value) FROM meta WHERE key IN ({', '.join('?' for _ in keys)})"
            [latest] = connection.execute(asked, keys).fetchone() or (None,)
            return None if latest is None else parse_timestamp(str(latest))

        return await self._scope.read(read)

    async def _note(self, name: str, at: datetime) -> None:
        def write(connection: apsw.Connection) -> None:
            values = (f"{name} {self._scope.own}", timestamp(at))
            connection.execute("INSERT OR REPLACE INTO meta (key, value) VALUES (?, ?)", values)

        await self._scope.write(write)
