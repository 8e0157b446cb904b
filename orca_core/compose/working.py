"""Puts together what looks after work."""

from __future__ import annotations

from collections.abc import Callable

from orca_core.compose.contexts import context_on, search_on
from orca_core.compose.ground import Ground
from orca_core.domain.refs import EPISODE, KNOWLEDGE
from orca_core.domain.work.episodes import EPISODES
from orca_core.domain.work.knowledge import KNOWLEDGES
from orca_core.flows.growing.growth import Growth
from orca_core.flows.jobs.consolidation import Consolidation
from orca_core.flows.jobs.episodes import EpisodeJob
from orca_core.flows.jobs.fading import Fading
from orca_core.flows.keeping.inbox import Inbox
from orca_core.flows.working.candidates import EveryCandidate
from orca_core.flows.working.episodes import Episodes
from orca_core.flows.working.forgetting import Forgetting
from orca_core.flows.working.knowledge import KnowledgeActions
from orca_core.flows.working.tasks import Tasks
from orca_core.flows.working.views import EpisodeViews
from orca_core.flows.working.work import Work


def work_on(
    ground: Ground,
    changed: Callable[[], None],
    called: Callable[[], None],
    inbox: Inbox,
    growth: Growth,
    consolidation: Consolidation,
    chats: EpisodeJob,
) -> Work:
    stores, clock, memory = ground.stores, ground.clock, ground.settings.memory
    knowledge = _knowledge_on(ground, changed)
    tasks = Tasks(stores.tasks, changed, clock, memory.episodes, called, notes_acts=memory.actions.enabled)
    store, search = stores.records[EPISODES.kind], search_on(ground, EPISODES)
    views = EpisodeViews(stores, clock, memory.forget)
    return Work(
        tasks=tasks,
        episodes=Episodes(store, search, views, changed, clock),
        chats=chats,
        context=context_on(ground, tasks),
        candidates=EveryCandidate(
            inbox, stores.memories, stores.records, knowledge, growth.guides, growth.pools, changed, clock
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
        consolidation=consolidation,
    )


def _knowledge_on(ground: Ground, changed: Callable[[], None]) -> KnowledgeActions:
    stores = ground.stores
    return KnowledgeActions(
        stores.records[KNOWLEDGE],
        stores.knowledge,
        stores.records[EPISODE],
        search_on(ground, KNOWLEDGES),
        changed,
        ground.clock,
    )
