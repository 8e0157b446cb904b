"""Knowledge: what several episodes on one target teach."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Sequence
from datetime import datetime

from msgspec import Struct
from msgspec.structs import replace

from orca_core.model.events import Consolidated
from orca_core.model.knowledge import DueTargets, JudgedKnowledge, KnowledgeBatch, ProposedKnowledge
from orca_core.model.learning import DroppedFact, RunKind, Wanted
from orca_core.pipelines.attempt import Attempt
from orca_core.pipelines.pipeline import LOOK_AGAIN, Material, Means, Pass, Pipeline
from orca_core.rules.text.spelling import language_of
from orca_core.rules.work.consolidation_rules import (
    MAX_POINTS,
    NOT_IN_SOURCES,
    NothingTaught,
    held_because,
    language_sample,
    material,
    read_knowledge,
)
from orca_core.rules.work.record_texts import knowledge_text

VOID = "an episode was changed or deleted meanwhile"


class KnowledgeAnswer(Struct, frozen=True):
    topic: str
    content: str
    key_points: list[str]
    confidence: float


class KnowledgePipeline(
    Pipeline[KnowledgeBatch, ProposedKnowledge | NothingTaught, JudgedKnowledge | None, Consolidated]
):
    """Enough episodes on one target start a run, and each further one another; a person starts one at any time."""

    name = "knowledge"
    kind = RunKind.CONSOLIDATE
    prompt = "knowledge_writer"
    event = Consolidated
    schema = KnowledgeAnswer
    problem = 'no object with "topic" and "content"'

    def __init__(self, means: Means) -> None:
        super().__init__(means)
        self._knowledge = means.stores.knowledge

    @property
    def is_on(self) -> bool:
        memory = self.settings.memory
        return memory.enabled and memory.consolidate.enabled and self.settings.memory_agent.enabled

    def run(self, target: str | None = None) -> AsyncGenerator[Consolidated, None]:
        """What a person asked for: all that is due, or one target with as many episodes as it has. Raises
        StorageError."""
        return self.asked_for(Wanted(everything=True, target=target))

    async def due(self, so_far: Pass[KnowledgeBatch]) -> KnowledgeBatch | None:
        least, wanted = self.settings.memory.consolidate.min_episodes, so_far.wanted
        return await self._knowledge.claim(
            DueTargets(self.clock.now(), least, wanted.target, wanted.everything, besides=so_far.tried)
        )

    async def material(self, batch: KnowledgeBatch) -> Material:
        return Material(material(batch), language_of(language_sample(batch)), {"max_points": MAX_POINTS})

    def read(self, answer: str) -> ProposedKnowledge | NothingTaught | None:
        return read_knowledge(answer)

    async def judge(
        self,
        attempt: Attempt,
        batch: KnowledgeBatch,
        answer: ProposedKnowledge | NothingTaught,
    ) -> JudgedKnowledge | None:
        if isinstance(answer, NothingTaught):
            return None
        reason, missing = held_because(answer, (*batch.episodes, *batch.earlier), batch.known)
        text = knowledge_text(
            topic=answer.topic, content=answer.content, key_points=answer.key_points, target=batch.target
        )
        lacking = tuple(DroppedFact(each, NOT_IN_SOURCES) for each in missing)
        return JudgedKnowledge(answer, text, self.agent.name, reason, lacking)

    async def settle(
        self, attempt: Attempt, batch: KnowledgeBatch, judged: JudgedKnowledge | None, running: Consolidated
    ) -> Consolidated:
        settled = await self._knowledge.finish(batch, judged, attempt.ended(self.clock.now()))
        if settled is None:
            return replace(running, state="none", error=VOID)
        if settled.knowledge is None or judged is None:
            return replace(running, state="none")
        made = settled.knowledge
        return replace(
            running,
            state="done",
            knowledge=made.id,
            version=made.version,
            held_because=made.held_because,
            lacking=tuple(each.content for each in judged.lacking),
        )

    def running(self, batch: KnowledgeBatch) -> Consolidated:
        return Consolidated("running", batch.run, batch.target, tuple(each.id for each in batch.episodes))

    async def queued(self, wanted: Wanted) -> Sequence[Consolidated]:
        """One that is named the Orca that leads does once enough wait."""
        least = self.settings.memory.consolidate.min_episodes
        return [
            Consolidated("queued", 0, each.target)
            for each in await self._knowledge.targets()
            if wanted.target is None and each.unread and (each.knowledge or each.waiting >= least)
        ]

    async def next_at(self) -> datetime | None:
        """When a failed run may be retried, or to look whether work has ended beside the chat."""
        return min(filter(None, [await super().next_at(), self.clock.now() + LOOK_AGAIN]))
