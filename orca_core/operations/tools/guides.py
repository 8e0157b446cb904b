"""The guides of a tool, inside the caller's transaction; at most one of them lives after an undo or a redo."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from orca_core.model.memories import State
from orca_core.model.records import GUIDE, Ref
from orca_core.model.tools import GUIDES, Guide
from orca_core.operations.operations import OpenOperation
from orca_core.operations.records import records_there
from orca_core.rules.work import consolidation_rules, reported_calls
from orca_core.store.ports import Rows


def of_tool(rows: Rows, folded: str) -> list[Guide]:
    """Every guide of a tool, newest first."""
    named = rows.select(GUIDES.table, ("id", "target"), order=("-id",))
    return records_there(rows, GUIDES, [number for number, tool in named if reported_calls.folded(tool) == folded])


def agree(rows: Rows, operation: OpenOperation, touched: Sequence[Ref], at: datetime) -> None:
    """After an operation on guides was taken back or done again: where by that several of one tool live, the one that
    is pinned stays, else the one that was put back; the others give way to it."""
    numbers = {ref.id for ref in touched if ref.kind == GUIDE}
    put_back = [each for each in records_there(rows, GUIDES, sorted(numbers)) if each.state is State.LIVE]
    for folded in dict.fromkeys(reported_calls.folded(each.target) for each in put_back):
        live = [each for each in of_tool(rows, folded) if each.state is State.LIVE]
        stays = max(live, key=lambda each: (each.pinned, each.id in numbers, each.id))
        for each in live:
            if each is not stays:
                operation.change(GUIDES.ref(each), consolidation_rules.put_aside(at), each)
