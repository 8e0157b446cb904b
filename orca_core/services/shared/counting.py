"""How many records of work there are of each status."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from orca_core.model.feedback import ActionRead, ActionState, SupportState
from orca_core.model.memories import State
from orca_core.model.records import ACTION, EPISODE, GUIDE, KNOWLEDGE, SUPPORT, TASK, Kind
from orca_core.model.tasks import TaskStatus
from orca_core.model.views import RecordQuery
from orca_core.operations.record_store import RecordStore
from orca_core.rules.memory.memory_curation import status_of_work


async def counts_of_work(records: Mapping[Kind, RecordStore[Any]]) -> dict[str, dict[str, int]]:
    """By kind and status; a status of which there are none counts 0. Empty where the database is out of reach."""
    if not records:
        return {}
    tasks = {each.value: await _count(records[TASK], "status", each.value) for each in TaskStatus}
    of_work = {
        kind.name: {status_of_work(state).value: await _count(records[kind], "state", state.value) for state in State}
        for kind in (EPISODE, KNOWLEDGE, GUIDE)
    }
    return {TASK.name: tasks, **of_work, **await _counts_of_feedback(records)}


async def acts_to_read(records: RecordStore[Any]) -> int:
    """How many acts stand that the memory agent has not read yet."""
    where = {"state": (ActionState.STANDING.value,), "read": (ActionRead.WAITING.value,)}
    return (await records.page(RecordQuery(where, limit=0))).total


async def _counts_of_feedback(records: Mapping[Kind, RecordStore[Any]]) -> dict[str, dict[str, int]]:
    """Acts and supports by state; those of the acts that wait to be read are counted a second time as `waiting`."""
    acts = {each.value: await _count(records[ACTION], "state", each.value) for each in ActionState}
    supports = {each.value: await _count(records[SUPPORT], "state", each.value) for each in SupportState}
    return {ACTION.name: {**acts, "waiting": await acts_to_read(records[ACTION])}, SUPPORT.name: supports}


async def _count(records: RecordStore[Any], column: str, value: str) -> int:
    return (await records.page(RecordQuery({column: (value,)}, limit=0))).total
