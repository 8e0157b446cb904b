"""How use moves a memory's weight, and what is to be expected of it."""

from __future__ import annotations

import math
from datetime import datetime
from typing import Any, Literal

from orca_core.model.memories import ArchivedBecause, Fields, Memory, State, Use
from orca_core.model.records import timestamp
from orca_core.model.views import Forecast
from orca_core.settings import LongTermSettings, WeightSettings

DIGITS = 6
"""Steps of 0.5 and 0.3 stay exact: without rounding their binary fractions add up to a step too many or too few."""


def evolve(memory: Memory, use: Use, at: datetime, *, weights: WeightSettings, long_term: LongTermSettings) -> Fields:
    """The fields that one injection changes. A memory that is no longer live only counts it."""
    changes: dict[str, Any] = {
        "access_count": memory.access_count + 1,
        "used": memory.used + (use is Use.USED),
        "last_accessed": timestamp(at),
    }
    if memory.state is not State.LIVE:
        return changes
    weight = moved(memory.weight, use, pinned=memory.pinned, weights=weights, long_term=long_term)
    changes["weight"] = weight
    if weight < long_term.archive_threshold and not memory.pinned:
        changes |= {"state": State.ARCHIVED.value, "archived_because": ArchivedBecause.WEIGHT.value}
    return changes


def moved(weight: float, use: Use, *, pinned: bool, weights: WeightSettings, long_term: LongTermSettings) -> float:
    """A weight after one use: between 0 and the ceiling, six digits; a pinned one is never lowered."""
    step = {Use.USED: weights.referenced, Use.UNUSED: weights.unreferenced, Use.UNKNOWN: 0.0}[use]
    if pinned and step < 0:
        return weight
    return round(min(max(weight + step, 0.0), max(long_term.max_weight, weight)), DIGITS)


def forecast(memory: Memory, *, weights: WeightSettings, long_term: LongTermSettings) -> Forecast:
    """The forecast of a live memory. None where it can not come."""
    if memory.state is not State.LIVE:
        return Forecast(None, None)
    return Forecast(
        None if memory.pinned else _steps(memory.weight, weights.unreferenced, long_term, "down"),
        None
        if memory.weight > long_term.core_threshold
        else _steps(memory.weight, weights.referenced, long_term, "up"),
    )


def _steps(weight: float, step: float, long_term: LongTermSettings, way: Literal["up", "down"]) -> int | None:
    """How many steps cross the threshold, counted as they are made: rounded one by one."""
    if (way == "down" and step >= 0) or (way == "up" and step <= 0):
        return None
    goal = long_term.archive_threshold if way == "down" else long_term.core_threshold
    count = max(0, math.floor(abs(goal - weight) / abs(step)) - 1)
    reached = round(weight + count * step, DIGITS)
    while (reached >= goal) if way == "down" else (reached <= goal):
        following = round(min(max(reached + step, 0.0), long_term.max_weight), DIGITS)
        if following == reached:
            return None
        reached, count = following, count + 1
    return count
