"""Stores the calls of the memory agent, and sums them up by day."""

from __future__ import annotations

from collections.abc import Sequence

import apsw

from orca_core.model.llm import AgentCall, Cost, Spent
from orca_core.model.records import timestamp
from orca_core.store.sqlite.engine.rows import Row
from orca_core.store.sqlite.engine.scope import Scope

_NOTE = """
    INSERT INTO agent_calls
        (scope, job, model, at, day, prompt_tokens, completion_tokens, estimated, cost, currency)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
"""
_USED = "SELECT coalesce(sum(prompt_tokens + completion_tokens), 0) FROM agent_calls WHERE scope = ? AND day = ?"
_SINCE = """
    SELECT day, job, model, count(*), sum(prompt_tokens), sum(completion_tokens), sum(estimated), count(cost),
           sum(cost), coalesce(currency, '')
    FROM agent_calls WHERE scope = ? AND day >= ?
    GROUP BY day, job, model, coalesce(currency, '') ORDER BY day DESC, job, model, coalesce(currency, '')
"""


class SQLiteAgentLedger:
    """The ledger of one scope."""

    def __init__(self, scope: Scope) -> None:
        self._scope = scope

    async def note(self, calls: Sequence[AgentCall]) -> None:
        rows = [
            (
                self._scope.own, call.job, call.model, timestamp(call.at), call.day, call.prompt_tokens,
                call.completion_tokens, int(call.is_estimated),
                call.cost.amount if call.cost else None, call.cost.currency if call.cost else None,
            )
            for call in calls
        ]  # fmt: skip
        await self._scope.write(lambda connection: connection.executemany(_NOTE, rows) and None)

    async def used_on(self, day: str) -> int:
        def read(connection: apsw.Connection) -> int:
            [used] = connection.execute(_USED, (self._scope.own, day)).fetchone() or (0,)
            return int(used)

        return await self._scope.read(read)

    async def spent_since(self, day: str) -> list[Spent]:
        def read(connection: apsw.Connection) -> list[Spent]:
            return [_spent_from_row(row) for row in connection.execute(_SINCE, (self._scope.own, day))]

        return await self._scope.read(read)


def _spent_from_row(row: Row) -> Spent:
    day, job, model, calls, prompt, completion, estimated, priced, cost, currency = row
    return Spent(
        day, job, model, calls, prompt, completion, estimated, priced, Cost(cost, currency) if priced else None
    )
