"""Candidates that nobody decided about, in the transaction that ends their waiting."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from orca_core.model.episodes import EPISODES
from orca_core.model.knowledge import Knowledge
from orca_core.model.memories import DecideWaiting, Fields, State
from orca_core.model.operations import OperationHeader, RecordsChanged
from orca_core.model.records import RecordType, Ref, timestamp
from orca_core.operations.operations import OpenOperation
from orca_core.operations.records import RecordTypes
from orca_core.settings import MemorySettings
from orca_core.store.ports import Rows, any_of, at_most, is_


def expire_candidates(
    rows: Rows,
    types: RecordTypes,
    settings: MemorySettings,
    untouched_since: datetime,
    header: OperationHeader,
    decide: DecideWaiting,
) -> RecordsChanged[Any]:
    """Carry out the rule on the candidates of this scope that nothing happened to since then, as one operation."""
    operation = OpenOperation(rows, types, settings, header)
    changed: list[Any] = []
    for record_type in types:
        if not record_type.may_wait:
            continue
        found = _waiting(rows, record_type, untouched_since)
        current = {record_type.ref(each): each for each in found}
        wanted: dict[Ref, Fields] = {
            Ref(record_type.kind, number): fields for number, fields in decide(found, _sources(rows, found)).items()
        }
        changed += operation.change_all(wanted, current)
    return RecordsChanged(operation.number, tuple(changed))


def _waiting(rows: Rows, record_type: RecordType[Any], untouched_since: datetime) -> list[Any]:
    old = at_most("updated_at", timestamp(untouched_since))
    found = rows.select(record_type.table, record_type.names, is_("state", State.CANDIDATE.value), old, order=("id",))
    return [record_type.from_row(row) for row in found]


def _sources(rows: Rows, candidates: Sequence[Any]) -> Mapping[int, State]:
    """The states of the episodes that knowledge was made of."""
    named = {number for each in candidates if isinstance(each, Knowledge) for number in each.source_episodes}
    found = rows.select(EPISODES.table, ("id", "state"), any_of("id", sorted(named))) if named else []
    return {number: State(state) for number, state in found}
