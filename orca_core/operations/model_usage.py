"""What calls of models used, by day; and what servers said in refusals that they take, which holds for the machine."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from orca_core.model.llm import AgentCall, ContextLimit, Cost, DailyUsage, ToolSupport
from orca_core.model.record_types import parse_timestamp, timestamp
from orca_core.operations.operations import ScopedStore
from orca_core.store.ports import Row, Rows, at_least, is_

TABLE = "agent_calls"
_GROUP = ("day", "job", "model", "currency")
_LIMIT = ("tokens", "configured", "at", "token_ratio")
_FIGURES = ("count", "sum prompt_tokens", "sum completion_tokens", "sum estimated", "count cost", "sum cost")


class ModelUsage(ScopedStore):
    """The ledger of one scope, where days are the user's, as 2026-11-20; and what servers take."""

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

    async def spent_since(self, day: str) -> list[DailyUsage]:
        """Sums by day (newest first), job and model."""

        def read(rows: Rows) -> list[DailyUsage]:
            found = [_spent(row) for row in rows.grouped(TABLE, _GROUP, _FIGURES, at_least("day", day))]
            found.sort(key=lambda each: (each.job, each.model, each.cost.currency if each.cost else ""))
            return sorted(found, key=lambda each: each.day, reverse=True)

        return await self._transactions.read(read, own=True)

    async def limit(self, endpoint: str, model: str) -> ContextLimit | None:
        found = await self._found("context_limits", endpoint, model, _LIMIT)
        return ContextLimit(found[0], found[1], parse_timestamp(found[2]), found[3]) if found else None

    async def learn(self, endpoint: str, model: str, limit: ContextLimit) -> None:
        values = (limit.tokens, limit.configured, timestamp(limit.at), limit.token_ratio)
        await self._put("context_limits", endpoint, model, dict(zip(_LIMIT, values, strict=True)))

    async def tools(self, endpoint: str, model: str) -> ToolSupport | None:
        found = await self._found("tool_support", endpoint, model, ("takes", "at"))
        return ToolSupport(bool(found[0]), parse_timestamp(found[1])) if found else None

    async def learn_tools(self, endpoint: str, model: str, support: ToolSupport) -> None:
        values = {"takes": int(support.takes), "at": timestamp(support.at)}
        await self._put("tool_support", endpoint, model, values)

    async def _found(self, table: str, endpoint: str, model: str, columns: Sequence[str]) -> Row | None:
        def read(rows: Rows) -> Row | None:
            found = rows.select(table, columns, is_("endpoint", endpoint), is_("model", model))
            return found[0] if found else None

        return await self._transactions.read(read)

    async def _put(self, table: str, endpoint: str, model: str, values: Mapping[str, Any]) -> None:
        def write(rows: Rows) -> None:
            if not rows.update(table, values, is_("endpoint", endpoint), is_("model", model)):
                rows.insert(table, {"endpoint": endpoint, "model": model, **values})

        await self._transactions.write(write)


def _spent(row: Row) -> DailyUsage:
    day, job, model, currency, calls, prompt, completion, estimated, priced, cost = row
    of_all = Cost(cost, currency or "") if priced else None
    return DailyUsage(day, job, model, calls, prompt, completion, estimated, priced, of_all)
