"""Puts together what looks after work."""

from __future__ import annotations

from collections.abc import Callable

from orca_core.compose.ground import Ground
from orca_core.flows.working.tasks import Tasks
from orca_core.flows.working.work import Work


def work_on(ground: Ground, changed: Callable[[], None]) -> Work:
    stores, clock, memory = ground.stores, ground.clock, ground.settings.memory
    return Work(
        tasks=Tasks(stores.tasks, changed, clock, memory.episodes),
    )
