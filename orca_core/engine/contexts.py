"""Puts together what finds work, and gathers what is known for one question."""

from __future__ import annotations

from typing import TYPE_CHECKING

from orca_core.engine.tooling import named_on
from orca_core.model.episodes import EPISODES, W
from orca_core.model.knowledge import KNOWLEDGES
from orca_core.model.records import RecordType
from orca_core.services.work.context import Context
from orca_core.services.work.search import WorkSearch
from orca_core.services.work.tasks import Tasks
from orca_core.services.work.views import EpisodeViews

if TYPE_CHECKING:
    from orca_core.orca import Orca


def search_on(engine: Orca, record_type: RecordType[W]) -> WorkSearch[W]:
    store = engine.stores.records[record_type.kind]
    return WorkSearch(record_type, store, engine.search, engine.reranking, engine.levels, engine.clock)


def context_on(engine: Orca, tasks: Tasks) -> Context:
    stores, clock, memory = engine.stores, engine.clock, engine.settings.memory
    return Context(
        stores.dialogues,
        tasks,
        engine.search,
        search_on(engine, EPISODES),
        search_on(engine, KNOWLEDGES),
        named_on(engine),
        EpisodeViews(stores, clock, memory.forget),
        clock,
        memory,
    )
