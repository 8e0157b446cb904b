"""Puts together what looks after tools."""

from __future__ import annotations

from typing import TYPE_CHECKING

from orca_core.model.records import GUIDE
from orca_core.services.tools.guide_views import GuideViews
from orca_core.services.tools.guides import GuideActions
from orca_core.services.tools.naming import NamedTools
from orca_core.services.tools.task_calls import TaskCalls
from orca_core.services.tools.tools import Tools

if TYPE_CHECKING:
    from orca_core.orca import Orca


def named_on(engine: Orca) -> NamedTools:
    stores = engine.stores
    return NamedTools(stores.tools, stores.guides, stores.records[GUIDE], engine.clock, engine.settings.memory.tools)


def tools_on(engine: Orca) -> Tools:
    stores, settings = engine.stores, engine.settings.memory.tools
    views = GuideViews(stores.tools, stores.records[GUIDE])
    of_tasks = TaskCalls(stores.tools, stores.tasks, stores.actions)
    guides = engine.learning.guides
    return Tools(stores.tools, named_on(engine), views, of_tasks, guides, engine.recorded, engine.clock, settings)


def guides_on(engine: Orca) -> GuideActions:
    stores = engine.stores
    return GuideActions(stores.records[GUIDE], stores.guides, engine.recorded, engine.clock)
