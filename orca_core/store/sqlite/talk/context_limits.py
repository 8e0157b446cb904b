"""What servers said in refusals that they take: it holds for the machine, not for a profile."""

from __future__ import annotations

import apsw

from orca_core.model.llm import ContextLimit, ToolSupport
from orca_core.model.records import parse_timestamp, timestamp
from orca_core.store.sqlite.engine.scope import Scope


class SQLiteContextLimits:
    """The limits by endpoint and model."""

    def __init__(self, scope: Scope) -> None:
        self._scope = scope

    async def limit(self, endpoint: str, model: str) -> ContextLimit | None:
        def read(connection: apsw.Connection) -> ContextLimit | None:
            row = connection.execute(
                "SELECT tokens, configured, at, token_ratio FROM context_limits WHERE endpoint = ? AND model = ?",
                (endpoint, model),
            ).fetchone()
            return None if row is None else ContextLimit(row[0], row[1], parse_timestamp(row[2]), row[3])

        return await self._scope.read(read)

    async def learn(self, endpoint: str, model: str, limit: ContextLimit) -> None:
        def write(connection: apsw.Connection) -> None:
            connection.execute(
                "INSERT INTO context_limits (endpoint, model, tokens, configured, at, token_ratio)"
                " VALUES (?, ?, ?, ?, ?, ?)"
                " ON CONFLICT DO UPDATE SET tokens = excluded.tokens, configured = excluded.configured,"
                " at = excluded.at, token_ratio = excluded.token_ratio",
                (endpoint, model, limit.tokens, limit.configured, timestamp(limit.at), limit.token_ratio),
            )

        await self._scope.write(write)

    async def tools(self, endpoint: str, model: str) -> ToolSupport | None:
        def read(connection: apsw.Connection) -> ToolSupport | None:
            row = connection.execute(
                "SELECT takes, at FROM tool_support WHERE endpoint = ? AND model = ?", (endpoint, model)
            ).fetchone()
            return None if row is None else ToolSupport(bool(row[0]), parse_timestamp(row[1]))

        return await self._scope.read(read)

    async def learn_tools(self, endpoint: str, model: str, support: ToolSupport) -> None:
        def write(connection: apsw.Connection) -> None:
            connection.execute(
                "INSERT INTO tool_support (endpoint, model, takes, at) VALUES (?, ?, ?, ?)"
                " ON CONFLICT DO UPDATE SET takes = excluded.takes, at = excluded.at",
                (endpoint, model, int(support.takes), timestamp(support.at)),
            )

        await self._scope.write(write)
