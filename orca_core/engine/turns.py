"""Puts together what carries out turns."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from orca_core.engine.tooling import named_on
from orca_core.model.records import GUIDE, MEMORY, SUMMARY, TASK, Kinds
from orca_core.model.sessions import new_session_id
from orca_core.rules.memory.costs import cost_of
from orca_core.services.chat.asking import Asking, Tools, recall_tool
from orca_core.services.chat.chat import Chat
from orca_core.services.chat.opening import Opening
from orca_core.services.chat.prompting import Prompting
from orca_core.services.chat.recall import GuideSource, MemorySource, Recall, Source, SummarySource, TaskSource
from orca_core.services.chat.recording import Meanings, Recording

if TYPE_CHECKING:
    from orca_core.orca import Orca


def recall_on(engine: Orca) -> Recall:
    """Sources stand in the order in which the budget is filled."""
    stores, memory = engine.stores, engine.settings.memory
    tasks = stores.tasks if memory.tasks.enabled else None
    current: tuple[Source, ...] = () if tasks is None else (TaskSource(tasks, memory.inject),)
    guides: tuple[Source, ...] = (GuideSource(named_on(engine), tasks),) if memory.tools.enabled else ()
    last = SummarySource(engine.search, stores.search, engine.levels, engine.clock, engine.settings)
    found = (*_found(engine), *guides)
    return Recall(
        (*current, *found, last), engine.levels, engine.clock, engine.settings, always=(*current, *guides), asked=found
    )


def _found(engine: Orca) -> tuple[Source, ...]:
    """What long-term memory holds near a text."""
    stores, search = engine.stores, engine.search
    return (
        MemorySource(search, engine.reranking, stores.memories, engine.settings),
        *(each.source(each.type, search, engine.clock) for each in engine.kinds),
    )


def recording_on(engine: Orca) -> Recording:
    stores, levels, settings = engine.stores, engine.levels, engine.settings
    meanings = Meanings(lambda: engine.embedder, levels, settings.embedding.query_timeout)
    return Recording(stores.dialogues, stores.search, meanings, levels, engine.clock, settings)


def chat_on(engine: Orca) -> Chat:
    settings, stores, levels, clock = engine.settings, engine.stores, engine.levels, engine.clock
    prompting = Prompting(stores.receipts, stores.summaries, stores.context_limits, clock, settings)
    inject = settings.memory.inject
    tools = Tools((recall_tool(engine.recall),), inject.lookups, stores.context_limits, levels, clock)
    asking = Asking(
        prompting=prompting,
        tools=tools,
        inject=inject,
        price=partial(cost_of, provider=settings.providers.get(settings.provider)),
        clock=clock,
        letters=Kinds((MEMORY, SUMMARY, TASK, GUIDE, *(each.type.kind for each in engine.kinds))).letters,
    )
    return Chat(
        model=lambda: engine.model,
        opening=Opening(
            stores.dialogues,
            engine.saves,
            clock,
            new_session_id,
            max_history=settings.memory.max_history,
            notes_acts=settings.memory.actions.enabled,
        ),
        prompting=prompting,
        asking=asking,
        tools=tools,
        recall=engine.recall,
        search=engine.search,
        recording=recording_on(engine),
        saves=engine.saves,
        worker=engine.worker,
        levels=levels,
        views=engine.views,
        stream=engine.stream,
        memory=settings.memory,
    )
