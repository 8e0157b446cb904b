"""Orca without a screen: the flows of one database, in one scope, on whatever stands behind the ports.

Each flow is made, and what it needs imported, when it is first asked for: who lists memories pays for no turn."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Callable, Sequence
from contextlib import AsyncExitStack
from functools import cached_property, partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from orca_core.engine.background import Learning
    from orca_core.jobs.job import Job
    from orca_core.jobs.upkeep import Upkeep
    from orca_core.jobs.worker import Worker
    from orca_core.model.events import Notice
    from orca_core.model.llm import ChatModel, Clock, Embedder, Reranker
    from orca_core.model.views import About
    from orca_core.pipelines.facts import FactPipeline
    from orca_core.pipelines.pipeline import Means
    from orca_core.pipelines.verifier import Verifier
    from orca_core.services.cases import Cases
    from orca_core.services.chat.chat import Chat
    from orca_core.services.chat.recall import KindOfRecord, Recall
    from orca_core.services.cleanup import Cleanup
    from orca_core.services.doctor import Doctor
    from orca_core.services.exchange import Exchange
    from orca_core.services.feedback.feedback import Feedback
    from orca_core.services.history import History
    from orca_core.services.inbox import Inbox
    from orca_core.services.memories import Memories
    from orca_core.services.runs import Runs
    from orca_core.services.sessions import Sessions
    from orca_core.services.shared.event_stream import Sleep, Stream
    from orca_core.services.shared.levels import Levels
    from orca_core.services.shared.saving import Saves
    from orca_core.services.shared.search import MemorySearch, Reranking
    from orca_core.services.shared.spending import Spending
    from orca_core.services.shared.views import Views
    from orca_core.services.tools.guides import GuideActions
    from orca_core.services.tools.tools import Tools
    from orca_core.services.work.memory import AgentMemory
    from orca_core.services.work.work import Work
    from orca_core.settings import Settings
    from orca_core.store.protocols import Stores


_ENDED = ("reranker", "embedder", "verifier_model", "agent", "model", "worker", "saves", "chat", "stream")
"""What an engine closes where it has made it, last first."""


class Orca:
    """What a program holds to chat and to look after memories. Close it with `aclose`."""

    def __init__(
        self,
        settings: Settings,
        stores: Stores,
        *,
        model: Callable[[], ChatModel],
        agent: Callable[[], ChatModel],
        embedder: Callable[[], Embedder],
        verifier: Callable[[], ChatModel] | None = None,
        reranker: Callable[[], Reranker] | None = None,
        clock: Clock,
        agents_folder: Path | None = None,
        patience_s: float | None = None,
        sleep: Sleep = asyncio.sleep,
        kinds: Sequence[KindOfRecord[Any]] = (),
        pipelines: Sequence[Callable[[Means], Job]] = (),
        has_meaning: bool = False,
        keeps_up: bool = True,
    ) -> None:
        """Models, embedder and reranker are made when they are first needed; without a `verifier` the agent is it, too.
        `patience_s` is how long a turn waits for what it wants written (see Saves), `sleep` passes the time between two
        looks at other processes, `kinds` of records and `pipelines` of learning are those beside the ones that every
        Orca knows, `has_meaning`: see About. Where it does not `keep up`, upkeep is done only when it is asked for."""
        self.settings = settings
        self.stores = stores
        self.clock = clock
        self.agents_folder = agents_folder
        self.has_changed = False
        """Whether something was changed by hand since it is open."""
        self._make_model = model
        self._make_agent = agent
        self._make_verifier = verifier
        self._make_embedder = embedder
        self._make_reranker = reranker
        self._patience_s = patience_s
        self._sleep = sleep
        self._further_kinds = kinds
        self.further_pipelines = pipelines
        self._has_meaning = has_meaning
        self._keeps_up = keeps_up

    def events(self, after: int | None = None) -> AsyncGenerator[Notice, None]:
        """All that changes from now on, after an operation's number first what was done since."""
        return self.stream.events(after)

    async def reached(self) -> int | None:
        """The newest operation, as the `after` of a later `events`; None where it can not be read."""
        return await self.stream.reached()

    def changed(self) -> None:
        """Note a change by hand: listeners are to look, and upkeep too, for it may need a vector."""
        self.has_changed = True
        self.stream.changed()
        if self._keeps_up:
            self.worker.wake_upkeep()

    def recorded(self) -> None:
        """Note acts and calls of tools: beside all that follows a change, the worker looks what is due by them. A
        command ends before it could: what it noted waits for whoever learns next."""
        self.changed()
        if self._keeps_up:
            self.worker.wake()

    async def aclose(self) -> None:
        """Close what was made: first what works, then what it works with, then the database; each even if another
        raises."""
        made = vars(self)
        async with AsyncExitStack() as ends:  # pushed last, closed first
            ends.push_async_callback(self.stores.housekeeping.aclose)
            for name in _ENDED:
                if name in made:
                    ends.push_async_callback(made[name].aclose)

    # What several flows share.

    @cached_property
    def model(self) -> ChatModel:
        return self._make_model()

    @cached_property
    def agent(self) -> ChatModel:
        return self._make_agent()

    @cached_property
    def verifier_model(self) -> ChatModel:
        """Only where one is configured."""
        assert self._make_verifier is not None
        return self._make_verifier()

    @cached_property
    def verifier(self) -> Verifier:
        """What says of each statement whether the user says so: the memory agent, or a model of its own."""
        from orca_core.pipelines.memory_agent import MemoryAgent
        from orca_core.pipelines.verifier import Verifier

        agent = self.settings.memory_agent
        if self._make_verifier is None:
            asked = MemoryAgent(lambda: self.agent, self.spending, self.clock)
        else:
            spending = self._spending_at(agent.verifier.provider or agent.provider)
            asked = MemoryAgent(lambda: self.verifier_model, spending, self.clock)
        return Verifier(asked, self.agents_folder, is_on=agent.extract.asks_verifier)

    @cached_property
    def embedder(self) -> Embedder:
        return self._make_embedder()

    @cached_property
    def reranker(self) -> Reranker:
        """Only where one is configured."""
        assert self._make_reranker is not None
        return self._make_reranker()

    @cached_property
    def kinds(self) -> Sequence[KindOfRecord[Any]]:
        """All but memories and summaries."""
        from orca_core.services.chat.recall import KINDS

        return (*KINDS, *self._further_kinds)

    @cached_property
    def levels(self) -> Levels:
        from orca_core.services.shared.levels import Levels

        return Levels(self.settings.memory, self.stores.housekeeping, self.clock, self.stores.failure)

    @cached_property
    def views(self) -> Views:
        from orca_core.services.shared.views import Views

        return Views(self.settings.memory)

    @cached_property
    def reranking(self) -> Reranking:
        from orca_core.services.shared.search import Reranking

        reranker = None if self._make_reranker is None else lambda: self.reranker
        return Reranking(reranker, self.settings.embedding.query_timeout, self.clock)

    @cached_property
    def spending(self) -> Spending:
        """What the memory agent's calls cost, by its provider's prices."""
        return self._spending_at(self.settings.memory_agent.provider)

    def _spending_at(self, provider: str) -> Spending:
        """What calls cost by the prices of a provider; without a name by those of the chat's."""
        from orca_core.rules.memory.costs import cost_of
        from orca_core.services.shared.spending import Spending

        price = partial(cost_of, provider=self.settings.providers.get(provider or self.settings.provider))
        return Spending(self.stores.ledger, self.clock, self.settings.memory_agent.daily_tokens, price)

    @cached_property
    def saves(self) -> Saves:
        from orca_core.services.shared.saving import Saves

        saves = Saves() if self._patience_s is None else Saves(self._patience_s)
        saves.subscribe(self.stream.tell)
        return saves

    @cached_property
    def stream(self) -> Stream:
        from orca_core.services.shared.event_stream import Stream

        return Stream(self.stores.feed, self.stores.history, self._sleep)

    @cached_property
    def cases(self) -> Cases:
        """What reads and judges candidates."""
        from orca_core.services.cases import Cases

        stores = self.stores
        return Cases(stores.memories, stores.dialogues, stores.history, self.search, self.views)

    @cached_property
    def learning(self) -> Learning:
        from orca_core.engine.background import learning_on

        return learning_on(self)

    # What programs hold.

    @cached_property
    def about(self) -> About:
        from orca_core.model.views import About
        from orca_core.settings import LOCAL

        settings = self.settings
        provider = settings.providers.get(settings.provider)
        return About(
            provider=settings.provider,
            model=provider.model if provider else "",
            context_tokens=provider.context_tokens if provider else 0,
            learns_at=settings.memory_agent.extract.batch_size,
            offers_meaning=self._has_meaning and settings.embedding.provider == LOCAL,
        )

    @cached_property
    def chat(self) -> Chat:
        from orca_core.engine.turns import chat_on

        return chat_on(self)

    @cached_property
    def recall(self) -> Recall:
        from orca_core.engine.turns import recall_on

        return recall_on(self)

    @cached_property
    def search(self) -> MemorySearch:
        from orca_core.services.shared.search import MemorySearch

        levels, views, clock, settings = self.levels, self.views, self.clock, self.settings
        return MemorySearch(self.stores, lambda: self.embedder, self.reranking, levels, views, clock, settings)

    @cached_property
    def memories(self) -> Memories:
        from orca_core.services.memories import Memories

        stores = self.stores
        return Memories(
            stores.memories,
            stores.filtered,
            stores.records,
            stores.housekeeping,
            lambda: self.cases,
            self.changed,
            self.views,
            self.clock,
            self.settings,
        )

    @cached_property
    def history(self) -> History:
        from orca_core.services.history import History

        return History(self.stores.history, self.changed, self.clock)

    @cached_property
    def exchange(self) -> Exchange:
        from orca_core.services.exchange import Exchange

        core_threshold = self.settings.memory.long_term.core_threshold
        return Exchange(self.stores.exchange, lambda: self.cases, self.changed, self.clock, core_threshold)

    @cached_property
    def inbox(self) -> Inbox:
        from orca_core.services.inbox import Inbox

        stores, views, clock = self.stores, self.views, self.clock
        return Inbox(stores.memories, stores.records, lambda: self.cases, self.changed, views, clock, self.settings)

    @cached_property
    def sessions(self) -> Sessions:
        from orca_core.model.sessions import new_session_id
        from orca_core.services.sessions import Sessions

        stores = self.stores
        return Sessions(stores.dialogues, stores.sessions, stores.messages, stores.receipts, self.clock, new_session_id)

    @cached_property
    def runs(self) -> Runs:
        from orca_core.services.runs import Runs

        stores, extract = self.stores, self.settings.memory_agent.extract
        return Runs(stores.learning, stores.runs, stores.memories, self.spending, self.clock, extract)

    @cached_property
    def extraction(self) -> FactPipeline:
        return self.learning.facts

    @cached_property
    def worker(self) -> Worker:
        from orca_core.engine.background import worker_on

        worker = worker_on(self, self.learning, keeps_up=self._keeps_up)
        worker.subscribe(self.stream.tell)
        return worker

    @cached_property
    def upkeep(self) -> Upkeep:
        from orca_core.jobs.upkeep import Upkeep

        return Upkeep(lambda: self.worker, self.stores.cleaning, self.stores.housekeeping, self.clock)

    @cached_property
    def work(self) -> Work:
        from orca_core.engine.working import work_on

        return work_on(self)

    @cached_property
    def feedback(self) -> Feedback:
        from orca_core.engine.feedback import feedback_on

        return feedback_on(self)

    @cached_property
    def tools(self) -> Tools:
        from orca_core.engine.tooling import tools_on

        return tools_on(self)

    @cached_property
    def guides(self) -> GuideActions:
        from orca_core.engine.tooling import guides_on

        return guides_on(self)

    @cached_property
    def memory(self) -> AgentMemory:
        from orca_core.engine.agents import agent_memory_on

        return agent_memory_on(self)

    @cached_property
    def cleanup(self) -> Cleanup:
        from orca_core.jobs.cleaning import Cleaning
        from orca_core.services.cleanup import Cleanup

        return Cleanup(Cleaning(self.stores, self.clock, self.settings.memory), self.changed)

    @cached_property
    def doctor(self) -> Doctor:
        from orca_core.jobs.cleaning import Cleaning
        from orca_core.services.doctor import Doctor

        return Doctor(
            self.stores,
            lambda: self.model,
            lambda: self.embedder,
            self.levels,
            Cleaning(self.stores, self.clock, self.settings.memory),
            self.spending,
            self.clock,
            self.settings,
            has_meaning=self._has_meaning,
        )
