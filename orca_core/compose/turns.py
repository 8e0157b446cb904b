"""Puts together what carries out turns."""

from __future__ import annotations

from functools import partial

from orca_core.compose.ground import Ground
from orca_core.compose.growing import named_on
from orca_core.domain.ids import new_session_id
from orca_core.domain.ports import ChatModel
from orca_core.domain.refs import GUIDE, MEMORY, SUMMARY, TASK, Kinds
from orca_core.flows.jobs.worker import Worker
from orca_core.flows.shared.lazy import Lazy
from orca_core.flows.turn.asking import Asking
from orca_core.flows.turn.chat import Chat
from orca_core.flows.turn.guide_source import GuideSource
from orca_core.flows.turn.meanings import Meanings
from orca_core.flows.turn.opening import Opening
from orca_core.flows.turn.prompting import Prompting
from orca_core.flows.turn.recall import Recall
from orca_core.flows.turn.recording import Recording
from orca_core.flows.turn.sources import MemorySource, Source, SummarySource
from orca_core.flows.turn.task_source import TaskSource
from orca_core.rules.keeping.costs import cost_of


def recall_on(ground: Ground) -> Recall:
    """Sources stand in the order in which the budget is filled."""
    stores, memory = ground.stores, ground.settings.memory
    tasks = stores.tasks if memory.tasks.enabled else None
    current: tuple[Source, ...] = () if tasks is None else (TaskSource(tasks, memory.inject),)
    guides: tuple[Source, ...] = (GuideSource(named_on(ground), tasks),) if memory.tools.enabled else ()
    last = SummarySource(ground.search, stores.search, ground.levels, ground.clock, ground.settings)
    sources = (*current, *_found(ground), *guides, last)
    return Recall(sources, ground.levels, ground.clock, ground.settings, always=(*current, *guides))


def _found(ground: Ground) -> tuple[Source, ...]:
    """What long-term memory holds near a text."""
    stores, search = ground.stores, ground.search
    return (
        MemorySource(search, ground.reranking, stores.memories, ground.settings),
        *(
            each.source(each.type, search, ground.clock)
            for each in ground.kinds
            if each.type.kind in stores.records  # there are none where the database is out of reach
        ),
    )


def recording_on(ground: Ground) -> Recording:
    stores, levels, settings = ground.stores, ground.levels, ground.settings
    meanings = Meanings(ground.embedder, levels, settings.embedding.query_timeout)
    return Recording(stores.dialogues, stores.search, meanings, levels, ground.clock, settings)


def chat_on(ground: Ground, model: Lazy[ChatModel], recall: Recall, worker: Worker) -> Chat:
    settings, stores, levels, clock = ground.settings, ground.stores, ground.levels, ground.clock
    prompting = Prompting(stores.receipts, stores.summaries, stores.context_limits, clock, settings)
    asking = Asking(
        prompting=prompting,
        price=partial(cost_of, provider=settings.providers.get(settings.provider)),
        clock=clock,
        letters=Kinds((MEMORY, SUMMARY, TASK, GUIDE, *(each.type.kind for each in ground.kinds))).letters,
    )
    return Chat(
        model=model,
        opening=Opening(
            stores.dialogues,
            ground.saves,
            clock,
            new_session_id,
            max_history=settings.memory.max_history,
            notes_acts=settings.memory.actions.enabled,
        ),
        prompting=prompting,
        asking=asking,
        recall=recall,
        search=ground.search,
        recording=recording_on(ground),
        saves=ground.saves,
        worker=worker,
        levels=levels,
        views=ground.views,
        stream=ground.stream,
        memory=settings.memory,
    )
