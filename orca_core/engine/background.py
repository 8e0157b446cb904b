"""Puts together what is done while nobody waits."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from typing import TYPE_CHECKING, NamedTuple

from orca_core.jobs.cleaning import Cleaning, CleaningJob
from orca_core.jobs.indexing import Embedding, MessageIndexing, WordCounting
from orca_core.jobs.job import Job
from orca_core.jobs.retention import Fading, FadingJob, InboxExpiry
from orca_core.jobs.upkeep import Comparing, Undoing, Wiping
from orca_core.jobs.worker import Worker
from orca_core.model.records import EPISODE
from orca_core.pipelines.episodes import EpisodePipeline
from orca_core.pipelines.facts import FactPipeline
from orca_core.pipelines.feedback import FeedbackPipeline
from orca_core.pipelines.guides import GuidePipeline
from orca_core.pipelines.knowledge import KnowledgePipeline
from orca_core.pipelines.memory_agent import MemoryAgent
from orca_core.pipelines.pipeline import Means
from orca_core.pipelines.summaries import SummaryPipeline

if TYPE_CHECKING:
    from orca_core.orca import Orca
    from orca_core.pipelines.facts import FactJudge
    from orca_core.pipelines.feedback import FeedbackJudge


def worker_on(engine: Orca, learning: Sequence[Job], *, keeps_up: bool) -> Worker:
    """What is done in the backengine, in its order: a further job is one line here."""
    stores, clock, memory = engine.stores, engine.clock, engine.settings.memory
    jobs: tuple[Job, ...] = (
        *learning,
        *(make(means_of(engine)) for make in engine.further_pipelines),
        Undoing(stores.history),
        CleaningJob(Cleaning(stores, clock, memory), stores, clock),
        Comparing(stores.exchange, clock),
        InboxExpiry(stores.housekeeping, clock, memory.inbox_expire),
        FadingJob(Fading(stores, clock, memory.forget), clock, memory),
        Wiping(stores.housekeeping),
        Embedding(stores.vectors, lambda: engine.embedder, engine.levels),
        MessageIndexing(stores.messages, clock),
        WordCounting(stores.indexes, clock),
    )
    return Worker(jobs, stores.leadership, engine.spending, clock, keeps_up=keeps_up)


class Learning(NamedTuple):
    """What asks the memory agent, in its order."""

    facts: FactPipeline
    summaries: SummaryPipeline
    episodes: EpisodePipeline
    acts: FeedbackPipeline
    knowledge: KnowledgePipeline
    guides: GuidePipeline


def learning_on(engine: Orca) -> Learning:
    """What asks the memory agent."""
    settings, stores = engine.settings, engine.stores
    means = means_of(engine)
    return Learning(
        FactPipeline(means, _fact_judge(engine), engine.views, settings),
        SummaryPipeline(means, stores.summaries, stores.dialogues, settings.memory_agent),
        EpisodePipeline(
            means,
            stores.episodes,
            stores.records[EPISODE],
            stores.dialogues,
            stores.knowledge,
            lambda: engine.verifier,
            settings,
        ),
        FeedbackPipeline(means, stores, _feedback_judge(engine, means.agent), settings),
        KnowledgePipeline(means, stores.knowledge, settings),
        GuidePipeline(means, stores.guides, lambda: engine.verifier, settings),
    )


def means_of(engine: Orca) -> Means:
    stores, clock = engine.stores, engine.clock
    agent = MemoryAgent(lambda: engine.agent, engine.spending, clock)
    return Means(agent, stores.learning, stores.leadership, engine.agents_folder, clock)


def _fact_judge(engine: Orca) -> Callable[[], FactJudge]:
    @cache
    def make() -> FactJudge:
        from orca_core.pipelines.facts import FactJudge
        from orca_core.pipelines.proposals import Proposals

        return FactJudge(
            Proposals(engine.search, engine.stores.memories), engine.verifier, engine.settings.memory_agent.extract
        )

    return make


def _feedback_judge(engine: Orca, agent: MemoryAgent) -> Callable[[], FeedbackJudge]:
    @cache
    def make() -> FeedbackJudge:
        from orca_core.pipelines.feedback import FeedbackJudge
        from orca_core.pipelines.proposals import Proposals

        verify = engine.settings.memory_agent.extract.verify
        proposals = Proposals(engine.search, engine.stores.memories)
        return FeedbackJudge(engine.stores.memories, proposals, engine.verifier, agent.name, verify)

    return make
