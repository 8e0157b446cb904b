"""Makes what front ends are given of memories: the one place where the thresholds meet a memory that is shown."""

from __future__ import annotations

from dataclasses import replace

from orca_core.domain.learning import Learnt
from orca_core.domain.memories import Memory, State, Status
from orca_core.domain.views import Forecast, MemoryView
from orca_core.rules.keeping import status, weights
from orca_core.settings import MemorySettings

MOST_FORECASTS = 4096


class Views:
    """Called with a memory, gives its view. A long list holds few weights: what follows from one is computed once."""

    def __init__(self, settings: MemorySettings) -> None:
        self._weights = settings.weights
        self._long_term = settings.long_term
        self._forecasts: dict[tuple[float, bool, bool], Forecast] = {}

    def __call__(self, memory: Memory) -> MemoryView:
        return MemoryView(memory, self.status_of(memory), self._forecast(memory), self._fullness(memory))

    def status_of(self, memory: Memory) -> Status:
        return status.status_of(memory, self._long_term.core_threshold)

    def told(self, learnt: Learnt) -> Learnt:
        """What a run changed, each of its memories with its status."""
        return replace(
            learnt,
            stored=tuple(replace(fact, status=self.status_of(fact.memory)) for fact in learnt.stored),
            candidates=tuple(replace(fact, status=self.status_of(fact.memory)) for fact in learnt.candidates),
        )

    def _fullness(self, memory: Memory) -> float:
        most = self._long_term.max_weight
        return min(max(memory.weight / most, 0.0), 1.0) if most > 0 else 1.0

    def _forecast(self, memory: Memory) -> Forecast:
        known_by = (memory.weight, memory.pinned, memory.state is State.LIVE)
        found = self._forecasts.get(known_by)
        if found is None:
            if len(self._forecasts) >= MOST_FORECASTS:
                self._forecasts.clear()
            found = weights.forecast(memory, weights=self._weights, long_term=self._long_term)
            self._forecasts[known_by] = found
        return found
