"""Makes the views that front ends get: the one place where thresholds meet memories that are shown as they are now.
What a round did to a memory keeps the status that was written with it."""

from __future__ import annotations

from msgspec.structs import replace

from orca_core.model.learning import Learnt
from orca_core.model.memories import Memory, Status
from orca_core.model.views import Forecast, MemoryView
from orca_core.rules.memory import memory_curation, memory_upkeep
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

    def told(self, learnt: Learnt) -> Learnt:
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
