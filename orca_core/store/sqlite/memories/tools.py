"""Calls of tools of one scope: counted, and deleted for good. The journal records them."""

from __future__ import annotations

from collections.abc import Sequence

import apsw

from orca_core.model.operations import OperationHeader
from orca_core.model.records import parse_timestamp
from orca_core.model.tools import ToolFigures
from orca_core.operations.operations import OpenOperation
from orca_core.operations.records import RecordTypes
from orca_core.operations.tombstones import Tombstones
from orca_core.operations.tools.tool_calls import ToolCalls
from orca_core.rules.work import tool_calls as tool_calls_rules
from orca_core.settings import MemorySettings
from orca_core.store.sqlite.engine.rows import to_json
from orca_core.store.sqlite.engine.scope import Scope, SQLiteTransactions
from orca_core.store.sqlite.memories import tool_calls
from orca_core.store.sqlite.memories.wiping import wipe_all

MOST_ERRORS = 5
"""So many kinds of errors are shown of a tool. Chosen by hand."""
_COUNTS = """
    SELECT folded, count(*), sum(success), max(at), max(id) FROM tool_calls
    WHERE scope = ?1 AND (?2 IS NULL OR folded IN (SELECT value FROM json_each(?2)))
    GROUP BY folded ORDER BY count(*) DESC, folded
"""
# The median is the middle one or the mean of the two in the middle; 95 of 100 took at most as long as the other.
_SECONDS = """
    WITH timed AS (
        SELECT folded, seconds, row_number() OVER (PARTITION BY folded ORDER BY seconds) AS place,
               count(*) OVER (PARTITION BY folded) AS whole
        FROM tool_calls WHERE scope = ?1 AND seconds IS NOT NULL
        AND (?2 IS NULL OR folded IN (SELECT value FROM json_each(?2)))
    )
    SELECT folded, avg(CASE WHEN place IN ((whole + 1) / 2, (whole + 2) / 2) THEN seconds END),
           min(CASE WHEN place * 100 >= whole * 95 THEN seconds END)
    FROM timed GROUP BY folded
"""
_ERRORS = """
    SELECT folded, error, count(*) FROM tool_calls
    WHERE scope = ?1 AND error <> '' AND (?2 IS NULL OR folded IN (SELECT value FROM json_each(?2)))
    GROUP BY folded, error ORDER BY count(*) DESC, max(id) DESC
"""
_SPELLED = "SELECT tool FROM tool_calls WHERE id = ?"


class SQLiteTools(ToolCalls):
    """Counts and deletes."""

    def __init__(
        self, scope: Scope, transactions: SQLiteTransactions, types: RecordTypes, settings: MemorySettings
    ) -> None:
        super().__init__(transactions, types, settings)
        self._scope = scope
        self._rows_of = transactions.rows_of

    async def figures(self, tools: Sequence[str] | None = None) -> list[ToolFigures]:
        wanted = None if tools is None else [*dict.fromkeys(map(tool_calls_rules.folded, tools))]
        return await self._scope.read(lambda connection: figures_of(connection, self._scope.own, wanted))

    async def delete(self, tool: str, header: OperationHeader) -> int:
        def write(connection: apsw.Connection) -> int:
            folded = tool_calls_rules.folded(tool)
            deleted = tool_calls.delete_calls_of_tool(connection, self._scope.own, folded)
            if deleted:
                rows = self._rows_of(connection)
                Tombstones(rows).lay_calls(folded, header.at)
                OpenOperation(rows, self._types, self._settings, header).insert_row()
            return deleted

        deleted = await self._scope.write(write)
        if deleted:
            await wipe_all(self._scope)
        return deleted


def figures_of(connection: apsw.Connection, scope: str, wanted: Sequence[str] | None) -> list[ToolFigures]:
    """Of the tools with these folded names, in their order; of all, the most used first, where none are named."""
    asked = (scope, None if wanted is None else to_json(list(wanted)))
    seconds = {str(folded): (median, p95) for folded, median, p95 in connection.execute(_SECONDS, asked)}
    errors: dict[str, list[tuple[str, int]]] = {}
    for folded, error, count in connection.execute(_ERRORS, asked):
        if len(of_tool := errors.setdefault(str(folded), [])) < MOST_ERRORS:
            of_tool.append((str(error), int(str(count))))
    found = {}
    for folded, calls, succeeded, last_at, last in connection.execute(_COUNTS, asked).fetchall():
        [(spelled,)] = connection.execute(_SPELLED, (last,))
        median, p95 = seconds.get(str(folded), (None, None))
        found[str(folded)] = ToolFigures(
            tool=str(spelled),
            calls=int(str(calls)),
            succeeded=int(str(succeeded)),
            median_s=None if median is None else float(str(median)),
            p95_s=None if p95 is None else float(str(p95)),
            errors=tuple(errors.get(str(folded), ())),
            last_at=parse_timestamp(str(last_at)),
        )
    return list(found.values()) if wanted is None else [found[each] for each in wanted if each in found]
