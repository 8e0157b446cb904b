"""Puts together what looks after work."""

from __future__ import annotations

from collections.abc import Callable

from orca_core.compose.contexts import context_on, search_on
from orca_core.compose.ground import Ground
from orca_core.domain.work.episodes import EPISODES
from orca_core.domain.work.knowledge import KNOWLEDGES
from orca_core.flows.jobs.fading import Fading
from orca_core.flows.keeping.inbox import Inbox
from orca_core.flows.working.candidates import EveryCandidate
from orca_core.flows.working.episodes import Episodes
from orca_core.flows.working.forgetting import Forgetting
from orca_core.flows.working.records import RecordActions
from orca_core.flows.working.tasks import Tasks
from orca_core.flows.working.views import EpisodeViews
from orca_core.flows.working.work import Work


def work_on(ground: Ground, changed: Callable[[], None], inbox: Inbox) -> Work:
    stores, clock, memory = ground.stores, ground.clock, ground.settings.memory
    tasks = Tasks(stores.tasks, changed, clock, memory.episodes)
    store, search = stores.records[EPISODES.kind], search_on(ground, EPISODES)
    views = EpisodeViews(stores, clock, memory.forget)
    return Work(
        tasks=tasks,
        episodes=Episodes(store, search, views, changed, clock),
        knowledge=RecordActions(KNOWLEDGES, stores.records[KNOWLEDGES.kind], changed, clock),
        context=context_on(ground, tasks),
        candidates=EveryCandidate(inbox, stores.records, changed, clock),
        forgetting=Forgetting(
            Fading(stores, clock, memory.forget),
            views,
            stores,
            changed,
            clock,
            memory.forget,
        ),
    )
