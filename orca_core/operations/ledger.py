"""What the calls of the memory agent used, stored and summed up by day."""

from __future__ import annotations

from collections.abc import Sequence

from orca_core.model.llm import AgentCall, Cost, Spent
from orca_core.model.records import timestamp
from orca_core.store.ports import Row, Rows, Transactions, at_least, is_

TABLE = "agent_calls"
_GROUP = ("day", "job", "model", "currency")
_FIGURES = ("count", "sum prompt_tokens", "sum completion_tokens", "sum estimated", "count cost", "sum cost")


class AgentLedger:
    """The ledger of one scope. Days are the user's, as 2026-11-20."""

    def __init__(self, transactions: Transactions) -> None:
        self._transactions = transactions

    async def note(self, calls: Sequence[AgentCall]) -> None:
        """Store all of them, or none."""

        def write(rows: Rows) -> None:
            for call in calls:
                values = {
                    "job": call.job,
                    "model": call.model,
                    "at": timestamp(call.at),
                    "day": call.day,
                    "prompt_tokens": call.prompt_tokens,
                    "completion_tokens": call.completion_tokens,
                    "estimated": int(call.is_estimated),
                    "cost": call.cost.amount if call.cost else None,
                    "currency": call.cost.currency if call.cost else None,
                }
                rows.insert(TABLE, values)

        await self._transactions.write(write)

    async def used_on(self, day: str) -> int:
        """The tokens of a day, of prompts and answers."""

        def read(rows: Rows) -> int:
            figures = ("sum prompt_tokens", "sum completion_tokens")
            return sum(
                sum(tokens) for tokens in rows.grouped(TABLE, (), figures, is_("day", day)) if None not in tokens
            )

        return await self._transactions.read(read, own=True)

    async def spent_since(self, day: str) -> list[Spent]:
        """Sums by day (newest first), job and model."""

        def read(rows: Rows) -> list[Spent]:
            found = [_spent(row) for row in rows.grouped(TABLE, _GROUP, _FIGURES, at_least("day", day))]
            found.sort(key=lambda each: (each.job, each.model, each.cost.currency if each.cost else ""))
            return sorted(found, key=lambda each: each.day, reverse=True)

        return await self._transactions.read(read, own=True)


def _spent(row: Row) -> Spent:
    day, job, model, currency, calls, prompt, completion, estimated, priced, cost = row
    of_all = Cost(cost, currency or "") if priced else None
    return Spent(day, job, model, calls, prompt, completion, estimated, priced, of_all)
