"""Puts together what acts and tools teach."""

from __future__ import annotations

from collections.abc import Callable

from orca_core.compose.ground import Ground
from orca_core.domain.refs import ACTION, GUIDE
from orca_core.flows.growing.actions import Actions
from orca_core.flows.growing.growth import Growth
from orca_core.flows.growing.guide_views import GuideViews
from orca_core.flows.growing.guides import GuideActions
from orca_core.flows.growing.naming import NamedTools
from orca_core.flows.growing.pools import Pools
from orca_core.flows.growing.task_calls import TaskCalls
from orca_core.flows.growing.tools import Tools
from orca_core.flows.jobs.acts import ActJob
from orca_core.flows.jobs.guides import Guides


def named_on(ground: Ground) -> NamedTools:
    stores = ground.stores
    return NamedTools(stores.tools, stores.guides, stores.records[GUIDE], ground.clock, ground.settings.memory.tools)


def growth_on(ground: Ground, reading: ActJob, guides: Guides, recorded: Callable[[], None]) -> Growth:
    """`recorded` follows acts and calls of tools: listeners are to look, and enough of them may be read now."""
    stores, clock, memory = ground.stores, ground.clock, ground.settings.memory
    views = GuideViews(stores.tools, stores.records[GUIDE])
    of_tasks = TaskCalls(stores.tools, stores.tasks, stores.actions)
    tools = Tools(stores.tools, named_on(ground), views, of_tasks, guides, recorded, clock, memory.tools)
    return Growth(
        actions=Actions(stores.actions, stores.records[ACTION], recorded, clock, memory.actions, tools),
        pools=Pools(stores.supports, stores.memories, ground.views, clock, memory),
        reading=reading,
        tools=tools,
        guides=GuideActions(stores.records[GUIDE], stores.guides, recorded, clock),
    )
