"""Puts the flows of an engine together, on whatever stands behind the ports."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from orca_core.domain.ids import new_session_id
from orca_core.domain.ports import ChatModel, Clock, Embedder, Reranker
from orca_core.domain.refs import MEMORY, SUMMARY, Kinds
from orca_core.domain.stores import Stores
from orca_core.domain.views import About
from orca_core.engine import Engine
from orca_core.flows.closing import closing
from orca_core.flows.jobs.cueing import Cueing
from orca_core.flows.jobs.embedding import Embedding
from orca_core.flows.jobs.expiry import Expiry
from orca_core.flows.jobs.extraction import ExtractionJob, Reader
from orca_core.flows.jobs.folding import Folding
from orca_core.flows.jobs.inbox_expiry import InboxExpiry
from orca_core.flows.jobs.job import Job
from orca_core.flows.jobs.memory_agent import MemoryAgent
from orca_core.flows.jobs.wiping import Wiping
from orca_core.flows.jobs.worker import Worker
from orca_core.flows.keeping.doctor import Doctor
from orca_core.flows.keeping.history import History
from orca_core.flows.keeping.inbox import Inbox
from orca_core.flows.keeping.memories import Memories
from orca_core.flows.keeping.runs import Runs
from orca_core.flows.keeping.sessions import Sessions
from orca_core.flows.shared.lazy import Lazy
from orca_core.flows.shared.levels import Levels
from orca_core.flows.shared.reranking import Reranking
from orca_core.flows.shared.saves import PATIENCE_S, Saves
from orca_core.flows.shared.search import MemorySearch
from orca_core.flows.shared.spending import Spending
from orca_core.flows.shared.stream import Sleep, Stream
from orca_core.flows.shared.views import Views
from orca_core.flows.turn.asking import Asking
from orca_core.flows.turn.chat import Chat
from orca_core.flows.turn.kinds import KindOfRecord
from orca_core.flows.turn.meanings import Meanings
from orca_core.flows.turn.opening import Opening
from orca_core.flows.turn.prompting import Prompting
from orca_core.flows.turn.recall import Recall
from orca_core.flows.turn.recording import Recording
from orca_core.flows.turn.sources import MemorySource, Source, SummarySource
from orca_core.rules.keeping.costs import cost_of
from orca_core.settings import LOCAL, Settings

if TYPE_CHECKING:
    from orca_core.flows.keeping.cases import Cases


def compose(
    settings: Settings,
    stores: Stores,
    *,
    model: Lazy[ChatModel],
    agent: Lazy[ChatModel],
    embedder: Lazy[Embedder],
    reranker: Lazy[Reranker] | None = None,
    clock: Clock,
    agents_folder: Path | None = None,
    patience_s: float = PATIENCE_S,
    sleep: Sleep = asyncio.sleep,
    kinds: Sequence[KindOfRecord[Any]] = (),
    has_meaning: bool = False,
) -> Engine:
    """The flows of an engine. `patience_s` is how long a turn waits for what it wants written, `sleep` passes the time
    between two looks at other processes, `kinds` are those beside memories and summaries, `has_meaning`: see About."""
    saves = Saves(patience_s)
    levels = Levels(settings.memory, stores.housekeeping, clock, stores.failure)
    views = Views(settings.memory)
    stream = Stream(stores.feed, stores.history, sleep)
    reranking = Reranking(reranker, settings.embedding.query_timeout, clock)
    search = MemorySearch(stores, embedder, reranking, levels, views, clock, settings)
    spending = _spending(settings, stores, clock)
    learning = _learning(settings, stores, agent, search, spending, views, clock, agents_folder)
    worker = _worker(settings, stores, learning, embedder, levels, spending, clock)
    recall = Recall(_sources(settings, stores, search, reranking, levels, clock, kinds), levels, clock, settings)
    chat = _chat(settings, stores, model, embedder, search, recall, saves, worker, levels, views, stream, clock)
    changed = _heard(stream, saves, worker)
    cases = _cases(stores, search, views)
    return Engine(
        settings=settings,
        about=_about(settings, has_meaning=has_meaning),
        chat=chat,
        recall=recall,
        memories=Memories(stores.memories, stores.housekeeping, cases, changed, views, clock, settings),
        history=History(stores.history, changed, clock),
        inbox=Inbox(stores.memories, cases, changed, views, clock, settings),
        extraction=learning[0],
        worker=worker,
        runs=Runs(stores.learning, stores.runs, stores.memories, spending, clock, settings.memory_agent.extract),
        search=search,
        sessions=Sessions(stores.dialogues, stores.sessions, stores.receipts, clock, new_session_id),
        saves=saves,
        doctor=Doctor(stores, model, embedder, reranker, spending, clock, settings, has_meaning=has_meaning),
        levels=levels,
        stream=stream,
        aclose=closing((stream, chat, saves, worker), (model, agent, embedder, reranker), stores.housekeeping),
    )


def _sources(
    settings: Settings,
    stores: Stores,
    search: MemorySearch,
    reranking: Reranking,
    levels: Levels,
    clock: Clock,
    kinds: Sequence[KindOfRecord[Any]],
) -> tuple[Source, ...]:
    """Where a turn's memory comes from, in the order in which the budget is filled."""
    return (
        MemorySource(search, reranking, stores.search, stores.memories, settings),
        *(
            each.source(each.type, stores.records[each.type.kind], search, clock)
            for each in kinds
            if each.type.kind in stores.records  # there are none where the database is out of reach
        ),
        SummarySource(search, stores.search, levels, clock, settings),
    )


def _heard(stream: Stream, saves: Saves, worker: Worker) -> Callable[[], None]:
    """The stream tells of saves and of background work. Returns what follows a change by hand: listeners are to look,
    and upkeep too, for it may need a vector."""
    saves.subscribe(stream.tell)
    worker.subscribe(stream.tell)

    def changed() -> None:
        stream.changed()
        worker.wake_upkeep()

    return changed


def _cases(stores: Stores, search: MemorySearch, views: Views) -> Lazy[Cases]:
    """What reads and judges candidates, which few commands do."""

    def make() -> Cases:
        from orca_core.flows.keeping.cases import Cases

        return Cases(stores.memories, stores.dialogues, stores.history, search, views)

    return Lazy(make)


def _about(settings: Settings, *, has_meaning: bool) -> About:
    provider = settings.providers.get(settings.provider)
    return About(
        provider=settings.provider,
        model=provider.model if provider else "",
        context_tokens=provider.context_tokens if provider else 0,
        learns_at=settings.memory_agent.extract.batch_size,
        offers_meaning=has_meaning and settings.embedding.provider == LOCAL,
    )


def _worker(
    settings: Settings,
    stores: Stores,
    learning: tuple[Job, ...],
    embedder: Lazy[Embedder],
    levels: Levels,
    spending: Spending,
    clock: Clock,
) -> Worker:
    """What is done while nobody waits, in its order: a further job is one line here."""
    jobs: tuple[Job, ...] = (
        *learning,
        Expiry(stores.housekeeping, clock, settings.memory.short_term),
        InboxExpiry(stores.housekeeping, clock, settings.memory.inbox_expire),
        Wiping(stores.housekeeping),
        Embedding(stores.vectors, embedder, levels),
    )
    return Worker(jobs, stores.leadership, spending, clock)


def _chat(
    settings: Settings,
    stores: Stores,
    model: Lazy[ChatModel],
    embedder: Lazy[Embedder],
    search: MemorySearch,
    recall: Recall,
    saves: Saves,
    worker: Worker,
    levels: Levels,
    views: Views,
    stream: Stream,
    clock: Clock,
) -> Chat:
    """What carries out turns."""
    meanings = Meanings(embedder, levels, settings.embedding.query_timeout)
    prompting = Prompting(stores.receipts, stores.summaries, stores.context_limits, clock, settings)
    asking = Asking(
        prompting=prompting,
        price=partial(cost_of, provider=settings.providers.get(settings.provider)),
        clock=clock,
        letters=Kinds((MEMORY, SUMMARY, *stores.records)).letters,
    )
    return Chat(
        model=model,
        opening=Opening(stores.dialogues, saves, clock, new_session_id),
        prompting=prompting,
        asking=asking,
        recall=recall,
        search=search,
        recording=Recording(stores.dialogues, stores.search, meanings, levels, clock, settings),
        saves=saves,
        worker=worker,
        levels=levels,
        views=views,
        stream=stream,
        memory=settings.memory,
    )


def _spending(settings: Settings, stores: Stores, clock: Clock) -> Spending:
    """What the memory agent's calls cost, by its provider's prices."""
    agent = settings.memory_agent
    price = partial(cost_of, provider=settings.providers.get(agent.provider or settings.provider))
    return Spending(stores.ledger, clock, agent.daily_tokens, price)


def _learning(
    settings: Settings,
    stores: Stores,
    agent: Lazy[ChatModel],
    search: MemorySearch,
    spending: Spending,
    views: Views,
    clock: Clock,
    agents_folder: Path | None,
) -> tuple[ExtractionJob, Folding, Cueing]:
    """What asks the memory agent."""
    memory_agent = MemoryAgent(agent, spending, clock)

    def make_reader() -> Reader:  # no command that only looks pays for what judges facts
        from orca_core.flows.jobs.extraction_prompt import ExtractionPrompt
        from orca_core.flows.jobs.proposals import Proposals
        from orca_core.flows.jobs.reading import BatchReader
        from orca_core.flows.jobs.second_reader import SecondReader

        extract = settings.memory_agent.extract
        prompt = ExtractionPrompt(agents_folder, extract)
        second = SecondReader(memory_agent, agents_folder, is_on=extract.verify)
        return BatchReader(stores.learning, Proposals(search), memory_agent, prompt, second, views, clock, extract)

    return (
        ExtractionJob(stores.learning, stores.leadership, Lazy(make_reader), clock, settings),
        Folding(stores.summaries, stores.dialogues, stores.learning, memory_agent, clock, settings.memory_agent),
        Cueing(stores.cues, stores.memories, memory_agent, agents_folder, spending, clock, settings),
    )
