"""Puts the flows of an engine together, on whatever stands behind the ports."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from orca_core.compose.agents import agent_memory_on
from orca_core.compose.background import Learning, learning_on, spending_on, worker_on
from orca_core.compose.ground import Ground
from orca_core.compose.growing import growth_on
from orca_core.compose.turns import chat_on, recall_on
from orca_core.compose.working import work_on
from orca_core.domain.ids import new_session_id
from orca_core.domain.ports import ChatModel, Clock, Embedder, Reranker
from orca_core.domain.stores import Stores
from orca_core.domain.views import About
from orca_core.engine import Engine
from orca_core.flows.closing import closing
from orca_core.flows.jobs.cleaning import Cleaning
from orca_core.flows.jobs.upkeep import Upkeep
from orca_core.flows.jobs.worker import Worker
from orca_core.flows.keeping.cleanup import Cleanup
from orca_core.flows.keeping.doctor import Doctor
from orca_core.flows.keeping.exchange import Exchange
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
from orca_core.flows.shared.stream import Sleep, Stream
from orca_core.flows.shared.views import Views
from orca_core.flows.turn.kinds import KINDS, KindOfRecord
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
    keeps_up: bool = True,
) -> Engine:
    """The flows of an engine. `patience_s` is how long a turn waits for what it wants written, `sleep` passes the time
    between two looks at other processes, `kinds` are those beside the ones that every Orca knows, `has_meaning`: see
    About. Where it does not `keep up`, upkeep is done only when it is asked for."""
    levels = Levels(settings.memory, stores.housekeeping, clock, stores.failure)
    views = Views(settings.memory)
    reranking = Reranking(reranker, settings.embedding.query_timeout, clock)
    ground = Ground(
        settings=settings,
        stores=stores,
        clock=clock,
        agent=agent,
        embedder=embedder,
        agents_folder=agents_folder,
        kinds=(*KINDS, *kinds),
        levels=levels,
        views=views,
        reranking=reranking,
        search=MemorySearch(stores, embedder, reranking, levels, views, clock, settings),
        spending=spending_on(settings, stores, clock),
        saves=Saves(patience_s),
        stream=Stream(stores.feed, stores.history, sleep),
    )
    cleaning = Cleaning(stores, clock, settings.memory)
    doctor = Doctor(
        stores, model, embedder, levels, cleaning, ground.spending, clock, settings, has_meaning=has_meaning
    )
    about = _about(settings, has_meaning=has_meaning)
    learning = learning_on(ground)
    worker = worker_on(ground, learning, keeps_up=keeps_up)
    return _engine_on(ground, model, learning, worker, doctor, about, (model, agent, embedder, reranker))


def _engine_on(
    ground: Ground,
    model: Lazy[ChatModel],
    learning: Learning,
    worker: Worker,
    doctor: Doctor,
    about: About,
    adapters: tuple[Lazy[Any] | None, ...],
) -> Engine:
    settings, stores, clock, views = ground.settings, ground.stores, ground.clock, ground.views
    upkeep = Upkeep(worker, stores.cleaning, stores.housekeeping, clock)
    recall = recall_on(ground)
    chat = chat_on(ground, model, recall, worker)
    changed = _heard(ground, worker, upkeep)
    cases = _cases(ground)
    memories = Memories(
        stores.memories, stores.filtered, stores.records, stores.housekeeping, cases, changed, views, clock, settings
    )
    inbox = Inbox(stores.memories, stores.records, cases, changed, views, clock, settings)
    recorded = _followed(changed, worker)
    growth = growth_on(ground, learning.acts, learning.guides, recorded)
    work = work_on(ground, changed, recorded, inbox, growth, learning.consolidation, learning.episodes)
    extract = settings.memory_agent.extract
    return Engine(
        settings=settings,
        about=about,
        chat=chat,
        recall=recall,
        memories=memories,
        history=History(stores.history, changed, clock),
        exchange=Exchange(stores.exchange, cases, changed, clock, settings.memory.long_term.core_threshold),
        inbox=inbox,
        extraction=learning.extraction,
        worker=worker,
        upkeep=upkeep,
        work=work,
        growth=growth,
        memory=agent_memory_on(ground, worker, work, memories, growth, learning.extraction, changed),
        runs=Runs(stores.learning, stores.runs, stores.memories, ground.spending, clock, extract),
        search=ground.search,
        sessions=Sessions(stores.dialogues, stores.sessions, stores.messages, stores.receipts, clock, new_session_id),
        saves=ground.saves,
        cleanup=Cleanup(Cleaning(stores, clock, settings.memory), changed),
        doctor=doctor,
        levels=ground.levels,
        stream=ground.stream,
        aclose=closing((ground.stream, chat, ground.saves, worker), adapters, stores.housekeeping),
    )


def _heard(ground: Ground, worker: Worker, upkeep: Upkeep) -> Callable[[], None]:
    """The stream tells of saves and of background work. Returns what follows a change by hand: listeners are to look,
    and upkeep too, for it may need a vector."""
    stream = ground.stream
    ground.saves.subscribe(stream.tell)
    worker.subscribe(stream.tell)

    def changed() -> None:
        stream.changed()
        upkeep.changed()
        worker.wake_upkeep()

    return changed


def _followed(changed: Callable[[], None], worker: Worker) -> Callable[[], None]:
    """What follows acts and calls of tools: beside all that follows a change, the worker looks what is due by them."""

    def recorded() -> None:
        changed()
        worker.wake()

    return recorded


def _cases(ground: Ground) -> Lazy[Cases]:
    """What reads and judges candidates, which few commands do."""

    def make() -> Cases:
        from orca_core.flows.keeping.cases import Cases

        stores = ground.stores
        return Cases(stores.memories, stores.dialogues, stores.history, ground.search, ground.views)

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
