"""Puts the flows of an engine together, on whatever stands behind the ports."""

from __future__ import annotations

from functools import partial
from pathlib import Path

from orca_core.domain.ids import new_session_id
from orca_core.domain.ports import ChatModel, Clock, Embedder
from orca_core.domain.refs import BUILT_IN_KINDS
from orca_core.domain.stores import Stores
from orca_core.engine import Engine
from orca_core.flows.closing import closing
from orca_core.flows.jobs.background import Background
from orca_core.flows.jobs.extraction import ExtractionFlow
from orca_core.flows.jobs.extraction_prompt import ExtractionPrompt
from orca_core.flows.jobs.learner import Learner
from orca_core.flows.jobs.memory_agent import MemoryAgent
from orca_core.flows.jobs.proposals import Proposals
from orca_core.flows.jobs.summaries import Summaries
from orca_core.flows.keeping.doctor import Doctor
from orca_core.flows.keeping.history import History
from orca_core.flows.keeping.inbox import Inbox
from orca_core.flows.keeping.memories import Memories
from orca_core.flows.keeping.runs import Runs
from orca_core.flows.keeping.sessions import Sessions
from orca_core.flows.shared.lazy import Lazy
from orca_core.flows.shared.levels import Levels
from orca_core.flows.shared.saves import PATIENCE_S, Saves
from orca_core.flows.shared.search import MemorySearch
from orca_core.flows.shared.views import Views
from orca_core.flows.turn.chat import Chat
from orca_core.flows.turn.opening import Opening
from orca_core.flows.turn.prompting import Prompting
from orca_core.flows.turn.recall import Recall
from orca_core.flows.turn.recording import Recording
from orca_core.rules.keeping.costs import cost_of
from orca_core.settings import Settings


def compose(
    settings: Settings,
    stores: Stores,
    *,
    model: Lazy[ChatModel],
    agent: Lazy[ChatModel],
    embedder: Lazy[Embedder],
    clock: Clock,
    agents_folder: Path | None = None,
    patience_s: float = PATIENCE_S,
) -> Engine:
    """The flows of an engine. `patience_s` is how long a turn waits for what it wants written."""
    saves = Saves(patience_s)
    levels = Levels(settings.memory, stores.housekeeping, clock, stores.failure)
    background = Background(stores.vectors, stores.housekeeping, embedder, levels, clock, settings.memory.short_term)
    views = Views(settings.memory)
    search = MemorySearch(stores.search, stores.memories, embedder, levels, views, clock, settings)
    proposals = Proposals(search)
    extraction, learner = _learning(settings, stores, agent, proposals, background, clock, agents_folder)
    recall = Recall(search, stores.search, stores.memories, levels, clock, settings)
    chat = _chat(settings, stores, model, search, recall, saves, background, learner, levels, views, clock)
    return Engine(
        settings=settings,
        chat=chat,
        recall=recall,
        memories=Memories(stores.memories, stores.housekeeping, background, views, clock, settings),
        history=History(stores.history, background, clock),
        inbox=Inbox(stores.memories, stores.dialogues, proposals, background, views, clock, settings),
        extraction=extraction,
        learner=learner,
        runs=Runs(stores.learning, stores.runs, stores.memories, clock),
        search=search,
        sessions=Sessions(stores.dialogues, stores.sessions, stores.receipts, clock, new_session_id),
        saves=saves,
        background=background,
        doctor=Doctor(stores, model, embedder, settings),
        levels=levels,
        aclose=closing((chat, saves, learner, background), (model, agent, embedder), stores.housekeeping),
    )


def _chat(
    settings: Settings,
    stores: Stores,
    model: Lazy[ChatModel],
    search: MemorySearch,
    recall: Recall,
    saves: Saves,
    background: Background,
    learner: Learner,
    levels: Levels,
    views: Views,
    clock: Clock,
) -> Chat:
    """What carries out turns."""
    return Chat(
        model=model,
        opening=Opening(stores.dialogues, saves, clock, new_session_id),
        prompting=Prompting(stores.receipts, stores.summaries, stores.context_limits, clock, settings),
        recall=recall,
        search=search,
        recording=Recording(stores.dialogues, stores.search, levels, clock, settings),
        saves=saves,
        background=background,
        learner=learner,
        levels=levels,
        views=views,
        price=partial(cost_of, provider=settings.providers.get(settings.provider)),
        clock=clock,
        memory=settings.memory,
        letters=BUILT_IN_KINDS.letters,
    )


def _learning(
    settings: Settings,
    stores: Stores,
    agent: Lazy[ChatModel],
    proposals: Proposals,
    background: Background,
    clock: Clock,
    agents_folder: Path | None,
) -> tuple[ExtractionFlow, Learner]:
    """What learns in the background."""
    memory_agent = MemoryAgent(agent, clock)
    prompt = ExtractionPrompt(agents_folder, settings.memory_agent.extract)
    extraction = ExtractionFlow(stores.learning, stores.leadership, proposals, memory_agent, prompt, clock, settings)
    summaries = Summaries(
        stores.summaries, stores.dialogues, stores.learning, stores.leadership, memory_agent, clock, settings
    )
    return extraction, Learner(extraction, summaries, stores.learning, background, clock, settings)
