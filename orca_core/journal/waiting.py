"""Candidates that nobody decided about, in the transaction that ends their waiting."""

from __future__ import annotations

from datetime import datetime

from orca_core.domain.journal import Changed, OperationHeader
from orca_core.domain.memories import MEMORIES, Decide, Fields, State
from orca_core.domain.refs import Ref, memory_ref
from orca_core.domain.stores.rows import Rows, at_most, is_
from orca_core.domain.times import timestamp
from orca_core.journal.operations import OpenOperation, apply_changes
from orca_core.journal.records import JournalRules, RecordTypes


def expire_candidates(
    rows: Rows,
    types: RecordTypes,
    rules: JournalRules,
    untouched_since: datetime,
    header: OperationHeader,
    decide: Decide,
) -> Changed:
    """Carry out the rule on the candidates of this scope that nothing happened to since then, as one operation."""
    old = at_most("updated_at", timestamp(untouched_since))
    found = rows.select(MEMORIES.table, MEMORIES.names, is_("state", State.CANDIDATE.value), old, order=("id",))
    current = {memory_ref(memory.id): memory for memory in map(MEMORIES.from_row, found)}
    wanted: dict[Ref, Fields] = {memory_ref(each): fields for each, fields in decide(list(current.values())).items()}
    operation = OpenOperation(rows, types, rules, header)
    changed = apply_changes(operation, wanted, current)
    return Changed(operation.number, tuple(changed))
