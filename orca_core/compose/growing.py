"""Puts together what acts and tools teach."""

from __future__ import annotations

from collections.abc import Callable

from orca_core.compose.ground import Ground
from orca_core.domain.refs import ACTION
from orca_core.flows.growing.actions import Actions
from orca_core.flows.growing.growth import Growth
from orca_core.flows.growing.pools import Pools
from orca_core.flows.jobs.acts import ActJob
from orca_core.flows.jobs.worker import Worker


def growth_on(ground: Ground, worker: Worker, reading: ActJob, changed: Callable[[], None]) -> Growth:
    stores, clock, memory = ground.stores, ground.clock, ground.settings.memory

    def recorded() -> None:
        changed()
        worker.wake()  # it may be the fifth, and read now

    actions = Actions(stores.actions, stores.records[ACTION], recorded, clock, memory.actions)
    return Growth(
        actions=actions,
        pools=Pools(stores.supports, stores.memories, ground.views, clock, memory),
        reading=reading,
    )
