"""One piece of knowledge lives on a target: what gives way to another is put aside, inside the caller's transaction."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from datetime import datetime
from typing import Any

from orca_core.model.episodes import W
from orca_core.model.knowledge import KNOWLEDGES, Knowledge
from orca_core.model.memories import Fields, State
from orca_core.model.records import RecordType, Ref
from orca_core.operations.operations import OpenOperation
from orca_core.operations.targets import standing
from orca_core.rules.work import consolidation_rules
from orca_core.store.ports import Rows


def put_aside(
    operation: OpenOperation, record_type: RecordType[W], others: Sequence[W], fields: Fields
) -> tuple[int, ...]:
    """What a person pinned stays. Returns the others."""
    unpinned = [each for each in others if not each.pinned]
    for each in unpinned:
        operation.change(record_type.ref(each), fields, each)
    return tuple(each.id for each in unpinned)


def agree(
    rows: Rows,
    operation: OpenOperation,
    at: datetime,
    before: Mapping[Ref, Any],
    after: Sequence[Any],
) -> tuple[int, ...]:
    """After records were changed by hand: knowledge that was brought to life by it keeps its target. Returns what gave
    way."""
    known = [each for each in after if isinstance(each, Knowledge)]
    brought = [each.id for each in known if before[KNOWLEDGES.ref(each)].state is not State.LIVE]
    return keep_one(rows, operation, at, touched={each.id for each in known}, chosen=brought)


def keep_one(
    rows: Rows,
    operation: OpenOperation,
    at: datetime,
    *,
    touched: Collection[int],
    chosen: Collection[int] = (),
) -> tuple[int, ...]:
    """After an operation has changed some knowledge: of what lives on one target, and nobody pinned, one stands. Where
    a person has `chosen` one by this operation it is that one. Returns those that gave way."""
    if not touched:
        return ()
    live = [each for each in standing(rows) if each.state is State.LIVE and not each.pinned]
    given_way: list[int] = []
    for folded in sorted({consolidation_rules.folded(each.target) for each in live if each.id in touched} - {""}):
        rivals = [each for each in live if consolidation_rules.folded(each.target) == folded]
        stands = consolidation_rules.who_stands(rivals, chosen)
        others = [each for each in rivals if each.id != stands.id]
        given_way += put_aside(operation, KNOWLEDGES, others, consolidation_rules.put_aside(at))
    return tuple(given_way)
