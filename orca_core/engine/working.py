"""Puts together what looks after work."""

from __future__ import annotations

from typing import TYPE_CHECKING

from orca_core.engine.contexts import context_on, search_on
from orca_core.jobs.retention import Fading
from orca_core.model.episodes import EPISODES
from orca_core.model.knowledge import KNOWLEDGES
from orca_core.model.records import EPISODE, KNOWLEDGE
from orca_core.services.work.candidates import EveryCandidate
from orca_core.services.work.episodes import Episodes
from orca_core.services.work.forgetting import Forgetting
from orca_core.services.work.knowledge import KnowledgeActions
from orca_core.services.work.tasks import Tasks
from orca_core.services.work.views import EpisodeViews
from orca_core.services.work.work import Work

if TYPE_CHECKING:
    from orca_core.orca import Orca


def work_on(
    engine: Orca,
) -> Work:
    changed = engine.changed
    stores, clock, memory = engine.stores, engine.clock, engine.settings.memory
    knowledge = _knowledge_on(engine)
    tasks = Tasks(stores.tasks, changed, clock, memory.episodes, engine.recorded, notes_acts=memory.actions.enabled)
    store, search = stores.records[EPISODES.kind], search_on(engine, EPISODES)
    views = EpisodeViews(stores, clock, memory.forget)
    return Work(
        tasks=tasks,
        episodes=Episodes(store, search, views, changed, clock),
        chats=engine.learning.episodes,
        context=context_on(engine, tasks),
        candidates=EveryCandidate(
            engine.inbox,
            stores.memories,
            stores.records,
            knowledge,
            engine.guides,
            engine.feedback.pools,
            changed,
            clock,
        ),
        forgetting=Forgetting(
            Fading(stores, clock, memory.forget),
            views,
            stores,
            changed,
            clock,
            memory.forget,
        ),
        knowledge=knowledge,
        consolidation=engine.learning.knowledge,
    )


def _knowledge_on(engine: Orca) -> KnowledgeActions:
    stores = engine.stores
    return KnowledgeActions(
        stores.records[KNOWLEDGE],
        stores.knowledge,
        stores.records[EPISODE],
        search_on(engine, KNOWLEDGES),
        engine.changed,
        engine.clock,
    )
