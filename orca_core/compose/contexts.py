"""Puts together what finds work, and gathers what is known for one question."""

from __future__ import annotations

from orca_core.compose.ground import Ground
from orca_core.compose.growing import named_on
from orca_core.domain.records import RecordType
from orca_core.domain.work.episodes import EPISODES
from orca_core.domain.work.knowledge import KNOWLEDGES
from orca_core.domain.work.records import W
from orca_core.flows.working.context import Context
from orca_core.flows.working.search import WorkSearch
from orca_core.flows.working.tasks import Tasks
from orca_core.flows.working.views import EpisodeViews


def search_on(ground: Ground, record_type: RecordType[W]) -> WorkSearch[W]:
    store = ground.stores.records[record_type.kind]
    return WorkSearch(record_type, store, ground.search, ground.reranking, ground.levels, ground.clock)


def context_on(ground: Ground, tasks: Tasks) -> Context:
    stores, clock, memory = ground.stores, ground.clock, ground.settings.memory
    return Context(
        stores.dialogues,
        tasks,
        ground.search,
        search_on(ground, EPISODES),
        search_on(ground, KNOWLEDGES),
        named_on(ground),
        EpisodeViews(stores, clock, memory.forget),
        clock,
        memory,
    )
