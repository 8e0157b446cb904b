"""Puts together what acts and tools teach."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct

from orca_core.domain.refs import ACTION, GUIDE
from orca_core.flows.feedback.actions import Actions
from orca_core.flows.feedback.pools import Pools
from orca_core.flows.pipelines.feedback import FeedbackPipeline
from orca_core.flows.tooling.guide_views import GuideViews
from orca_core.flows.tooling.guides import GuideActions
from orca_core.flows.tooling.naming import NamedTools
from orca_core.flows.tooling.task_calls import TaskCalls
from orca_core.flows.tooling.tools import Tools

if TYPE_CHECKING:
    from orca_core.engine import Engine


class Growth(Struct, frozen=True):
    """What an engine offers of acts and tools."""

    actions: Actions
    pools: Pools
    reading: FeedbackPipeline
    tools: Tools
    guides: GuideActions


def named_on(engine: Engine) -> NamedTools:
    stores = engine.stores
    return NamedTools(stores.tools, stores.guides, stores.records[GUIDE], engine.clock, engine.settings.memory.tools)


def growth_on(engine: Engine) -> Growth:
    recorded, guides = engine.recorded, engine.learning.guides
    stores, clock, memory = engine.stores, engine.clock, engine.settings.memory
    views = GuideViews(stores.tools, stores.records[GUIDE])
    of_tasks = TaskCalls(stores.tools, stores.tasks, stores.actions)
    tools = Tools(stores.tools, named_on(engine), views, of_tasks, guides, recorded, clock, memory.tools)
    return Growth(
        actions=Actions(stores.actions, stores.records[ACTION], recorded, clock, memory.actions, tools),
        pools=Pools(stores.supports, stores.memories, engine.views, clock, memory),
        reading=engine.learning.acts,
        tools=tools,
        guides=GuideActions(stores.records[GUIDE], stores.guides, recorded, clock),
    )
