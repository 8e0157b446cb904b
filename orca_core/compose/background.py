"""Puts together what is done while nobody waits."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import NamedTuple

from orca_core.compose.ground import Ground
from orca_core.domain.ports import Clock
from orca_core.domain.refs import EPISODE
from orca_core.domain.stores import Stores
from orca_core.flows.jobs.acts import ActJob
from orca_core.flows.jobs.acts import Reader as ActsReader
from orca_core.flows.jobs.cleaning import Cleaning, CleaningJob
from orca_core.flows.jobs.comparing import Comparing
from orca_core.flows.jobs.consolidation import Consolidation, Writer
from orca_core.flows.jobs.contrasts import ContrastJob
from orca_core.flows.jobs.contrasts import Reader as ContrastsReader
from orca_core.flows.jobs.cueing import Cueing
from orca_core.flows.jobs.embedding import Embedding
from orca_core.flows.jobs.episodes import EpisodeJob, SessionReader
from orca_core.flows.jobs.extraction import ExtractionJob, Reader
from orca_core.flows.jobs.fading import Fading, FadingJob
from orca_core.flows.jobs.folding import Folding
from orca_core.flows.jobs.guides import Guides
from orca_core.flows.jobs.guides import Writer as WritesGuides
from orca_core.flows.jobs.inbox_expiry import InboxExpiry
from orca_core.flows.jobs.job import Job
from orca_core.flows.jobs.memory_agent import MemoryAgent
from orca_core.flows.jobs.message_indexing import MessageIndexing
from orca_core.flows.jobs.promotion import PromotionJob
from orca_core.flows.jobs.undoing import Undoing
from orca_core.flows.jobs.wiping import Wiping
from orca_core.flows.jobs.word_counting import WordCounting
from orca_core.flows.jobs.worker import Worker
from orca_core.flows.shared.lazy import Lazy
from orca_core.flows.shared.spending import Spending
from orca_core.rules.keeping.costs import cost_of
from orca_core.settings import Settings


def spending_on(settings: Settings, stores: Stores, clock: Clock) -> Spending:
    """What the memory agent's calls cost, by its provider's prices."""
    agent = settings.memory_agent
    price = partial(cost_of, provider=settings.providers.get(agent.provider or settings.provider))
    return Spending(stores.ledger, clock, agent.daily_tokens, price)


def worker_on(ground: Ground, learning: Sequence[Job], *, keeps_up: bool) -> Worker:
    """What is done in the background, in its order: a further job is one line here."""
    stores, clock, memory = ground.stores, ground.clock, ground.settings.memory
    reads_acts = ground.settings.memory_agent.extract.verify
    jobs: tuple[Job, ...] = (
        *learning,
        PromotionJob(stores.supports, clock, memory, reads_acts=reads_acts),
        Undoing(stores.history),
        CleaningJob(Cleaning(stores, clock, memory), stores, clock),
        Comparing(stores.exchange, clock),
        InboxExpiry(stores.housekeeping, clock, memory.inbox_expire),
        FadingJob(Fading(stores, clock, memory.forget), clock, memory),
        Wiping(stores.housekeeping),
        Embedding(stores.vectors, ground.embedder, ground.levels),
        MessageIndexing(stores.messages, clock),
        WordCounting(stores.indexes, clock),
    )
    return Worker(jobs, stores.leadership, ground.spending, clock, keeps_up=keeps_up)


class Learning(NamedTuple):
    """What asks the memory agent, in its order."""

    extraction: ExtractionJob
    folding: Folding
    episodes: EpisodeJob
    acts: ActJob
    consolidation: Consolidation
    guides: Guides
    cueing: Cueing
    contrast: ContrastJob


def learning_on(ground: Ground) -> Learning:
    """What asks the memory agent."""
    settings, stores, clock = ground.settings, ground.stores, ground.clock
    agent = MemoryAgent(ground.agent, ground.spending, clock)
    return Learning(
        ExtractionJob(stores.learning, stores.leadership, _reader(ground, agent), clock, settings),
        Folding(
            stores.summaries,
            stores.dialogues,
            stores.learning,
            agent,
            ground.agents_folder,
            clock,
            settings.memory_agent,
        ),
        EpisodeJob(
            stores.episodes, stores.learning, stores.leadership, _session_reader(ground, agent), clock, settings
        ),
        ActJob(stores.act_readings, stores.learning, stores.leadership, _act_reader(ground, agent), clock, settings),
        Consolidation(stores.knowledge, stores.learning, stores.leadership, _writer(ground, agent), clock, settings),
        Guides(stores.guides, stores.learning, stores.leadership, _guide_writer(ground, agent), clock, settings),
        Cueing(stores.cues, stores.memories, agent, ground.agents_folder, ground.spending, clock, settings),
        ContrastJob(
            stores.contrasts, stores.supports, stores.learning, _contrast_reader(ground, agent), clock, settings
        ),
    )


def _reader(ground: Ground, agent: MemoryAgent) -> Lazy[Reader]:
    """What reads batches: no command that only looks pays for what judges facts."""

    def make() -> Reader:
        from orca_core.flows.jobs.extraction_prompt import ExtractionPrompt
        from orca_core.flows.jobs.proposals import Proposals
        from orca_core.flows.jobs.reading import BatchReader
        from orca_core.flows.jobs.second_reader import SecondReader
        from orca_core.rules.learning.trust.second_reading import NOUN

        extract, learning = ground.settings.memory_agent.extract, ground.stores.learning
        prompt = ExtractionPrompt(ground.agents_folder, extract)
        second = SecondReader("second_reader", NOUN, agent, ground.agents_folder, is_on=extract.verify)
        proposals = Proposals(ground.search)
        return BatchReader(learning, proposals, agent, prompt, second, ground.views, ground.clock, extract)

    return Lazy(make)


def _act_reader(ground: Ground, agent: MemoryAgent) -> Lazy[ActsReader]:
    def make() -> ActsReader:
        from orca_core.flows.jobs.act_questions import ActQuestions
        from orca_core.flows.jobs.act_reading import ActReader
        from orca_core.flows.jobs.proposals import Proposals
        from orca_core.flows.jobs.second_reader import SecondReader
        from orca_core.rules.growing import second_reading as growing
        from orca_core.rules.learning.trust import second_reading as learning

        stores, folder, is_on = ground.stores, ground.agents_folder, ground.settings.memory_agent.extract.verify
        stated = SecondReader("second_reader", learning.NOUN, agent, folder, is_on=is_on)
        shown = SecondReader("act_second_reader", growing.NOUN, agent, folder, is_on=is_on)
        proposals = Proposals(ground.search)
        questions = ActQuestions(agent, folder, ground.settings.memory_agent.extract)
        return ActReader(stores.act_readings, stores.memories, proposals, agent, stated, shown, questions, ground.clock)

    return Lazy(make)


def _contrast_reader(ground: Ground, agent: MemoryAgent) -> Lazy[ContrastsReader]:
    def make() -> ContrastsReader:
        from orca_core.flows.jobs.contrast_reading import ContrastReader
        from orca_core.flows.jobs.second_reader import SecondReader
        from orca_core.rules.growing.contrast import NOUN

        settings, contrasts = ground.settings, ground.stores.contrasts
        is_on = settings.memory_agent.extract.verify
        reader = SecondReader("promotion_reader", NOUN, agent, ground.agents_folder, is_on=is_on)
        return ContrastReader(contrasts, reader, ground.clock, settings.memory.promote.min_support)

    return Lazy(make)


def _writer(ground: Ground, agent: MemoryAgent) -> Lazy[Writer]:
    def make() -> Writer:
        from orca_core.flows.jobs.knowledge_writing import KnowledgeWriter

        return KnowledgeWriter(ground.stores.knowledge, agent, ground.agents_folder, ground.clock)

    return Lazy(make)


def _guide_writer(ground: Ground, agent: MemoryAgent) -> Lazy[WritesGuides]:
    def make() -> WritesGuides:
        from orca_core.flows.jobs.guide_writing import GuideWriter
        from orca_core.flows.jobs.second_reader import SecondReader
        from orca_core.rules.tooling.second_reading import NOUN

        folder, is_on = ground.agents_folder, ground.settings.memory_agent.extract.verify
        second = SecondReader("guide_second_reader", NOUN, agent, folder, is_on=is_on)
        return GuideWriter(ground.stores.guides, agent, second, folder, ground.clock)

    return Lazy(make)


def _session_reader(ground: Ground, agent: MemoryAgent) -> Lazy[SessionReader]:
    def make() -> SessionReader:
        from orca_core.flows.jobs.second_reader import SecondReader
        from orca_core.flows.jobs.session_reading import SessionReading
        from orca_core.rules.working.second_reading import NOUN

        stores, folder = ground.stores, ground.agents_folder
        episodes, is_on = stores.records[EPISODE], ground.settings.memory_agent.extract.verify
        second = SecondReader("episode_second_reader", NOUN, agent, folder, is_on=is_on)
        return SessionReading(
            stores.episodes, episodes, stores.dialogues, stores.knowledge, agent, second, folder, ground.clock
        )

    return Lazy(make)
