"""Views that front ends get: the one place where thresholds meet memories that are shown as they are now, and counts of
work. What a round did to a memory keeps the status that was written with it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from msgspec.structs import replace

from orca_core.model.feedback import ActionState, ReadingState, SupportState
from orca_core.model.learning import LearntFacts
from orca_core.model.memories import Memory, State, Status
from orca_core.model.record_types import ACTION, EPISODE, GUIDE, KNOWLEDGE, SUPPORT, TASK, Kind
from orca_core.model.tasks import TaskStatus
from orca_core.model.views import Forecast, MemoryView, RecordQuery
from orca_core.operations.record_store import RecordStore
from orca_core.rules.memory import memory_curation, memory_upkeep
from orca_core.rules.memory.memory_curation import status_of_work
from orca_core.settings import MemorySettings

MOST_KEPT = 4096
"""How many computed standings are cached. Chosen by hand."""
Standing = tuple[Status, Forecast, float]
"""What follows from weight, pin and state alone."""


class Views:
    """Called with a memory, returns its view. A long list holds few weights, so the standing of each weight is
    computed once."""

    def __init__(self, settings: MemorySettings) -> None:
        self._weights = settings.weights
        self._long_term = settings.long_term
        self._kept: dict[tuple[float, bool, str], Standing] = {}

    def __call__(self, memory: Memory) -> MemoryView:
        known_by = (memory.weight, memory.pinned, memory.state.value)
        standing = self._kept.get(known_by)
        if standing is None:
            if len(self._kept) >= MOST_KEPT:
                self._kept.clear()
            standing = self._kept[known_by] = self._standing(memory)
        return MemoryView(memory, *standing)

    def status_of(self, memory: Memory) -> Status:
        return memory_curation.status_of(memory, self._long_term.core_threshold)

    def told(self, learnt: LearntFacts) -> LearntFacts:
        """What a run changed, each of its memories with its status."""
        return replace(
            learnt,
            stored=tuple(replace(fact, status=self.status_of(fact.memory)) for fact in learnt.stored),
            candidates=tuple(replace(fact, status=self.status_of(fact.memory)) for fact in learnt.candidates),
        )

    def _standing(self, memory: Memory) -> Standing:
        most = self._long_term.max_weight
        fullness = min(max(memory.weight / most, 0.0), 1.0) if most > 0 else 1.0
        coming = memory_upkeep.forecast(memory, weights=self._weights, long_term=self._long_term)
        return self.status_of(memory), coming, fullness


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
    where = {"state": (ActionState.STANDING.value,), "read": (ReadingState.WAITING.value,)}
    return (await records.page(RecordQuery(where, limit=0))).total


async def _counts_of_feedback(records: Mapping[Kind, RecordStore[Any]]) -> dict[str, dict[str, int]]:
    """Acts and supports by state; those of the acts that wait to be read are counted a second time as `waiting`."""
    acts = {each.value: await _count(records[ACTION], "state", each.value) for each in ActionState}
    supports = {each.value: await _count(records[SUPPORT], "state", each.value) for each in SupportState}
    return {ACTION.name: {**acts, "waiting": await acts_to_read(records[ACTION])}, SUPPORT.name: supports}


async def _count(records: RecordStore[Any], column: str, value: str) -> int:
    return (await records.page(RecordQuery({column: (value,)}, limit=0))).total
