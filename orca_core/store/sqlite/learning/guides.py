"""Which tools have calls that no guide was written of."""

from __future__ import annotations

from collections.abc import Sequence

from orca_core.model.records import parse_timestamp
from orca_core.model.tools import ToolFigures
from orca_core.operations.guides import GuideRuns, Unread
from orca_core.operations.records import RecordTypes
from orca_core.settings import MemorySettings
from orca_core.store.ports import Rows, Transactions
from orca_core.store.sqlite.engine.scope import SQLiteRows
from orca_core.store.sqlite.memories.tools import figures_of

_UNREAD = "SELECT folded, count(*), min(at) FROM tool_calls WHERE scope = ? AND is_read = 0 GROUP BY folded"


def guides_of(transactions: Transactions, types: RecordTypes, settings: MemorySettings) -> GuideRuns:
    """The guides of one scope. The journal claims their runs."""
    return GuideRuns(transactions, types, settings, read_unread, _figures)


def read_unread(rows: Rows) -> list[Unread]:
    assert isinstance(rows, SQLiteRows)
    found = rows.connection.execute(_UNREAD, (rows.own,))
    return [(str(folded), int(str(fresh)), parse_timestamp(str(since))) for folded, fresh, since in found]


def _figures(rows: Rows, tools: Sequence[str]) -> list[ToolFigures]:
    assert isinstance(rows, SQLiteRows)
    return figures_of(rows.connection, rows.own, tools)
