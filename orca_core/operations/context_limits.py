"""What servers said in refusals that they take: it holds for the machine, not for a profile."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from orca_core.model.llm import ContextLimit, ToolSupport
from orca_core.model.records import parse_timestamp, timestamp
from orca_core.store.ports import Row, Rows, Transactions, is_

_LIMIT = ("tokens", "configured", "at", "token_ratio")


class ContextLimits:
    """How much a model takes, and whether it takes tools, by endpoint and model."""

    def __init__(self, transactions: Transactions) -> None:
        self._transactions = transactions

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
