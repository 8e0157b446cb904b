"""Puts together what acts and tools teach."""

from __future__ import annotations

from collections.abc import Callable

from orca_core.compose.ground import Ground
from orca_core.domain.refs import ACTION
from orca_core.flows.growing.actions import Actions
from orca_core.flows.growing.growth import Growth
from orca_core.flows.growing.pools import Pools


def growth_on(ground: Ground, changed: Callable[[], None]) -> Growth:
    stores, clock, memory = ground.stores, ground.clock, ground.settings.memory
    return Growth(
        actions=Actions(stores.actions, stores.records[ACTION], changed, clock, memory.actions),
        pools=Pools(stores.supports, stores.memories, ground.views, clock, memory),
    )
