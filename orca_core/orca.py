"""Class Orca: all that a front end holds of one database, in one scope, on whatever stands behind the ports.

Each service is made, and what it needs imported, when it is first asked for: who lists memories pays for no turn."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Callable, Sequence
from contextlib import AsyncExitStack
from functools import cached_property, partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from orca_core.jobs.cleaning import Cleaning
    from orca_core.jobs.job import Job
    from orca_core.jobs.upkeep import Upkeep
    from orca_core.jobs.worker import Worker
    from orca_core.model.events import StreamNotice
    from orca_core.model.llm import ChatModel, Clock, Cost, Embedder, Reranker, Usage
    from orca_core.model.record_types import Kind
    from orca_core.model.views import SetupSummary
    from orca_core.operations.stores import Stores
    from orca_core.pipelines.learning import Pipelines
    from orca_core.pipelines.pipeline import Means
    from orca_core.pipelines.verifier import Verifier
    from orca_core.services.agent_memory import AgentMemory
    from orca_core.services.cases import Cases
    from orca_core.services.chat.chat import Chat
    from orca_core.services.chat.recall import KindOfRecord, Recall
    from orca_core.services.chat.recording import RoundRecording
    from orca_core.services.doctor import Doctor
    from orca_core.services.feedback import Feedback
    from orca_core.services.history import History, LearningRuns
    from orca_core.services.import_export import ImportExport
    from orca_core.services.inbox import Inbox
    from orca_core.services.memories import Memories
    from orca_core.services.sessions import Sessions
    from orca_core.services.shared.degradation import Levels
    from orca_core.services.shared.event_stream import Sleep, Stream
    from orca_core.services.shared.saving import Saves
    from orca_core.services.shared.search import MemorySearch, Reranking
    from orca_core.services.shared.spending import Spending
    from orca_core.services.shared.views import Views
    from orca_core.services.tools import NamedTools, Tools
    from orca_core.services.upkeep import Cleanup
    from orca_core.services.work import Work
    from orca_core.services.work_records import GuideActions, WorkRecords
    from orca_core.settings import Settings


_ENDED = ("reranker", "embedder", "verifier_model", "agent", "model", "worker", "saves", "chat", "stream")
"""What an Orca closes where it has made it, last first."""


class Orca:
    """What a program holds to chat and to look after memories. Close it with `aclose`. Whatever is asked may raise
    OrcaError. Values go in and come out, ids and not handles: a client that speaks to another process can be a class
    with the same methods, with the JSON of `orca_core.serialize`."""

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
        self._further_pipelines = pipelines
        self._has_meaning = has_meaning
        self._keeps_up = keeps_up

    def events(self, after: int | None = None) -> AsyncGenerator[StreamNotice, None]:
        """All that changes from now on, after an operation's number first what was done since. Operations, whoever made
        them, can be resumed: their number is the cursor. Pieces of answers, how learning goes, levels and failures are
        live: who does not listen has missed them, and looks again at what is stored."""
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
            ends.push_async_callback(self.stores.upkeep.aclose)
            for name in _ENDED:
                if name in made:
                    ends.push_async_callback(made[name].aclose)

    # Chat.

    @cached_property
    def chat(self) -> Chat:
        """Turns: `chat.turn(request)` yields the events of one."""
        from orca_core.model.record_types import GUIDE, MEMORY, SUMMARY, TASK, Kinds
        from orca_core.model.sessions import new_session_id
        from orca_core.services.chat.asking import Asking
        from orca_core.services.chat.chat import Chat
        from orca_core.services.chat.look_ups import LookUps
        from orca_core.services.chat.opening import TurnOpening
        from orca_core.services.chat.prompting import Prompting, ServerLimits

        settings, stores, clock, memory = self.settings, self.stores, self.clock, self.settings.memory
        limits = ServerLimits(stores.model_usage)
        prompting = Prompting(stores.sessions, stores.learning, limits, clock, settings)
        lookups = LookUps(self.recall, memory.inject.lookups, limits, self.levels, clock)
        asking = Asking(
            prompting=prompting,
            lookups=lookups,
            inject=memory.inject,
            price=self._price_at(settings.provider),
            clock=clock,
            letters=Kinds((MEMORY, SUMMARY, TASK, GUIDE, *(each.type.kind for each in self.kinds))).letters,
        )
        opening = TurnOpening(
            stores.sessions,
            self.saves,
            clock,
            new_session_id,
            max_history=memory.max_history,
            notes_acts=memory.actions.enabled,
        )
        return Chat(
            model=lambda: self.model,
            opening=opening,
            prompting=prompting,
            asking=asking,
            lookups=lookups,
            recall=self.recall,
            search=self.search,
            recording=self._recording,
            saves=self.saves,
            worker=self.worker,
            levels=self.levels,
            views=self.views,
            stream=self.stream,
            memory=memory,
        )

    @cached_property
    def recall(self) -> Recall:
        """What comes into a prompt. Sources stand in the order in which the budget is filled."""
        from orca_core.services.chat.recall import (
            GuideSource,
            MemorySource,
            Recall,
            RecallSource,
            SummarySource,
            TaskSource,
        )

        stores, memory, search = self.stores, self.settings.memory, self.search
        tasks = stores.tasks if memory.tasks.enabled else None
        current: tuple[RecallSource, ...] = () if tasks is None else (TaskSource(tasks, memory.inject),)
        guides: tuple[RecallSource, ...] = (GuideSource(self._named_tools, tasks),) if memory.tools.enabled else ()
        found: tuple[RecallSource, ...] = (
            MemorySource(search, self.reranking, stores.memories, self.settings),
            *(each.source(each.type, search, self.clock) for each in self.kinds),
            *guides,
        )
        last = SummarySource(search, stores.search, self.levels, self.clock, self.settings)
        always = (*current, *guides)
        return Recall((*current, *found, last), self.levels, self.clock, self.settings, always=always, asked=found)

    @cached_property
    def sessions(self) -> Sessions:
        from orca_core.services.sessions import Sessions

        return Sessions(self.stores, self.clock)

    @cached_property
    def about(self) -> SetupSummary:
        """What the configuration says of the chat, for whoever shows it."""
        from orca_core.model.views import SetupSummary
        from orca_core.settings import LOCAL

        settings = self.settings
        provider = settings.providers.get(settings.provider)
        return SetupSummary(
            provider=settings.provider,
            model=provider.model if provider else "",
            context_tokens=provider.context_tokens if provider else 0,
            learns_at=settings.memory_agent.extract.batch_size,
            offers_meaning=self._has_meaning and settings.embedding.provider == LOCAL,
        )

    # Memories.

    @cached_property
    def memories(self) -> Memories:
        from orca_core.services.memories import Memories

        return Memories(self.stores, lambda: self.cases, self.changed, self.views, self.clock, self.settings)

    @cached_property
    def search(self) -> MemorySearch:
        from orca_core.services.shared.search import MemorySearch

        levels, views, clock, settings = self.levels, self.views, self.clock, self.settings
        return MemorySearch(self.stores, lambda: self.embedder, self.reranking, levels, views, clock, settings)

    @cached_property
    def inbox(self) -> Inbox:
        from orca_core.services.inbox import Inbox

        return Inbox(self.stores, self._services)

    def _services(self) -> dict[Kind, Memories | WorkRecords[Any]]:
        from orca_core.model.record_types import EPISODE, GUIDE, KNOWLEDGE, MEMORY

        return {MEMORY: self.memories, EPISODE: self.work.episodes, KNOWLEDGE: self.work.knowledge, GUIDE: self.guides}

    @cached_property
    def history(self) -> History:
        from orca_core.services.history import History

        return History(self.stores.history, self.changed, self.clock)

    @cached_property
    def files(self) -> ImportExport:
        from orca_core.services.import_export import ImportExport

        core_threshold = self.settings.memory.long_term.core_threshold
        return ImportExport(self.stores.imports, self.stores.exports, self.changed, self.clock, core_threshold)

    # Work, tools, feedback.

    @cached_property
    def work(self) -> Work:
        from orca_core.jobs.retention import EpisodeForgetting
        from orca_core.model.knowledge import KNOWLEDGES
        from orca_core.services.tasks import Tasks
        from orca_core.services.upkeep import ForgettingActions
        from orca_core.services.work import ContextBuilder, Work
        from orca_core.services.work_records import Episodes, KnowledgeActions, WorkSearch

        stores, changed, clock, memory = self.stores, self.changed, self.clock, self.settings.memory
        search = WorkSearch(self.search, self.reranking, self.levels, clock)
        tasks = Tasks(stores.tasks, changed, clock, memory.episodes, self.recorded, notes_acts=memory.actions.enabled)
        episodes = Episodes(stores, search, changed, clock, memory.forget)
        knowledge = KnowledgeActions(KNOWLEDGES, stores, changed, clock, search)
        fading, named = EpisodeForgetting(stores, clock, memory.forget), self._named_tools
        return Work(
            tasks=tasks,
            episodes=episodes,
            context=ContextBuilder(stores.sessions, tasks, self.search, episodes, knowledge, named, clock, memory),
            forgetting=ForgettingActions(fading, episodes, stores, changed, clock, memory.forget),
            knowledge=knowledge,
        )

    @cached_property
    def tools(self) -> Tools:
        from orca_core.services.tools import Tools

        guides, settings = self.learning.guides, self.settings.memory.tools
        return Tools(self.stores, self._named_tools, guides, self.recorded, self.clock, settings)

    @cached_property
    def guides(self) -> GuideActions:
        from orca_core.model.tools import GUIDES
        from orca_core.services.work_records import GuideActions

        return GuideActions(GUIDES, self.stores, self.recorded, self.clock)

    @cached_property
    def feedback(self) -> Feedback:
        from orca_core.services.feedback import Actions, Feedback, Pools

        stores, clock, memory = self.stores, self.clock, self.settings.memory
        return Feedback(
            actions=Actions(stores, self.recorded, clock, memory.actions, self.tools),
            pools=Pools(stores, self.views, clock, memory),
        )

    @cached_property
    def memory(self) -> AgentMemory:
        """What a program holds that runs an agent of its own."""
        from orca_core.services.agent_memory import AgentMemory
        from orca_core.services.chat.recording import ClientMessages

        stores, levels, changed, clock = self.stores, self.levels, self.changed, self.clock
        messages = ClientMessages(
            stores.sessions, self._recording, self.worker, levels, changed, clock, self.settings.memory
        )
        return AgentMemory(
            messages.save,
            stores,
            self.memories,
            self.search,
            self.work,
            self.feedback,
            self.tools,
            self.learning,
            changed,
            clock,
        )

    # Learning and upkeep.

    @cached_property
    def learning(self) -> Pipelines:
        """What asks the memory agent, a pipeline each: run by the worker, or asked for and watched."""
        from orca_core.pipelines.episodes import EpisodePipeline
        from orca_core.pipelines.facts import FactPipeline
        from orca_core.pipelines.feedback import FeedbackPipeline
        from orca_core.pipelines.guides import GuidePipeline
        from orca_core.pipelines.knowledge import KnowledgePipeline
        from orca_core.pipelines.learning import Pipelines
        from orca_core.pipelines.summaries import SummaryPipeline

        means = self._means
        return Pipelines(
            FactPipeline(means),
            SummaryPipeline(means),
            EpisodePipeline(means),
            FeedbackPipeline(means),
            KnowledgePipeline(means),
            GuidePipeline(means),
        )

    @cached_property
    def runs(self) -> LearningRuns:
        """The memory agent's runs, what waits for them, and what they cost."""
        from orca_core.services.history import LearningRuns

        return LearningRuns(self.stores, self.spending, self.clock, self.settings.memory_agent.extract)

    @cached_property
    def worker(self) -> Worker:
        """Does in the background what is due, in this order: a further job is one line here."""
        from orca_core.jobs.indexing import EmbeddingJob, fill_words, index_messages
        from orca_core.jobs.job import Chore, DailyChore, PiecewiseChore
        from orca_core.jobs.retention import EpisodeForgetting, expire_candidates
        from orca_core.jobs.upkeep import compare_imports
        from orca_core.jobs.worker import INDEXING, Worker

        stores, clock, memory = self.stores, self.clock, self.settings.memory
        jobs: tuple[Job, ...] = (
            *self.learning,
            *(make(self._means) for make in self._further_pipelines),
            Chore("undoing", stores.history.carry_on),
            DailyChore("cleaning", clock, self._cleaning.run, done_at=stores.retention.cleaned_at),
            PiecewiseChore("comparing", clock, lambda: compare_imports(stores.imports, clock)),
            DailyChore(
                "inbox",
                clock,
                lambda: expire_candidates(stores.upkeep, clock, memory.inbox_expire),
                is_on=memory.inbox_expire > 0,
            ),
            DailyChore(
                "forgetting",
                clock,
                EpisodeForgetting(stores, clock, memory.forget).run,
                is_on=memory.enabled and memory.forget.enabled,
            ),
            Chore("wiping", stores.upkeep.idle),
            EmbeddingJob(stores.vectors, lambda: self.embedder, self.levels),
            PiecewiseChore(INDEXING, clock, lambda: index_messages(stores.messages)),
            PiecewiseChore("counting", clock, lambda: fill_words(stores.upkeep)),
        )
        worker = Worker(jobs, stores.upkeep, self.spending, clock, keeps_up=self._keeps_up)
        worker.subscribe(self.stream.tell)
        return worker

    @cached_property
    def upkeep(self) -> Upkeep:
        from orca_core.jobs.upkeep import Upkeep

        return Upkeep(lambda: self.worker, self.stores.retention, self.stores.upkeep, self.clock)

    @cached_property
    def cleanup(self) -> Cleanup:
        from orca_core.services.upkeep import Cleanup

        return Cleanup(self._cleaning, self.changed)

    @cached_property
    def doctor(self) -> Doctor:
        from orca_core.services.doctor import Doctor

        return Doctor(
            self.stores,
            lambda: self.model,
            lambda: self.embedder,
            self.levels,
            self._cleaning,
            self.spending,
            self.clock,
            self.settings,
            has_meaning=self._has_meaning,
        )

    # What several services share.

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
        from orca_core.services.shared.degradation import Levels

        return Levels(self.settings.memory, self.stores.upkeep, self.clock, self.stores.failure)

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
        from orca_core.services.shared.spending import Spending

        price = self._price_at(provider or self.settings.provider)
        return Spending(self.stores.model_usage, self.clock, self.settings.memory_agent.daily_tokens, price)

    def _price_at(self, provider: str) -> Callable[[Usage | None], Cost | None]:
        from orca_core.rules.memory.memory_upkeep import cost_of

        return partial(cost_of, provider=self.settings.providers.get(provider))

    @cached_property
    def saves(self) -> Saves:
        """What turns have to say to the database."""
        from orca_core.services.shared.saving import Saves

        saves = Saves() if self._patience_s is None else Saves(self._patience_s)
        saves.subscribe(self.stream.tell)
        return saves

    @cached_property
    def stream(self) -> Stream:
        from orca_core.services.shared.event_stream import Stream

        return Stream(self.stores.history, self.stores.history, self._sleep)

    @cached_property
    def cases(self) -> Cases:
        """What reads and judges candidates."""
        from orca_core.services.cases import Cases

        return Cases(self.stores, self.search, self.views)

    @cached_property
    def _recording(self) -> RoundRecording:
        from orca_core.services.chat.recording import AnswerMeanings, RoundRecording

        stores, levels, settings = self.stores, self.levels, self.settings
        meanings = AnswerMeanings(lambda: self.embedder, levels, settings.embedding.query_timeout)
        return RoundRecording(stores.sessions, stores.search, meanings, levels, self.clock, settings)

    @cached_property
    def _means(self) -> Means:
        from orca_core.pipelines.memory_agent import MemoryAgent
        from orca_core.pipelines.pipeline import Means

        agent = MemoryAgent(lambda: self.agent, self.spending, self.clock)
        return Means(
            agent, self.verifier, self.search, self.views, self.stores, self.settings, self.agents_folder, self.clock
        )

    @cached_property
    def _cleaning(self) -> Cleaning:
        from orca_core.jobs.cleaning import Cleaning

        return Cleaning(self.stores, self.clock, self.settings.memory)

    @cached_property
    def _named_tools(self) -> NamedTools:
        from orca_core.services.tools import NamedTools

        return NamedTools(self.stores, self.clock, self.settings.memory.tools)
