"""Guides of tools: what the calls of one tool teach whoever calls it next."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Sequence
from datetime import datetime

from msgspec import Struct
from msgspec.structs import replace

from orca_core.model.events import GuideMade
from orca_core.model.learning import DroppedFact, RunKind, Subject, Wanted
from orca_core.model.tools import DueGuides, GuideBatch, JudgedGuide
from orca_core.pipelines.attempt import Attempt
from orca_core.pipelines.pipeline import LOOK_AGAIN, Material, Means, Pass, Pipeline
from orca_core.rules.text.spelling import language_of
from orca_core.rules.work import tool_guides
from orca_core.rules.work.tool_guides import MAX_LACKING, MOST_WORDS, GuideFault, language_sample, material, read_guide

VOID = "a call or a guide changed meanwhile"


class GuideAnswer(Struct, frozen=True):
    guide: str


class GuidePipeline(Pipeline[GuideBatch, str, JudgedGuide, GuideMade]):
    """Enough new calls of a tool start a run, or any and the time since its guide was written; a person starts one at
    any time."""

    name = "guides"
    kind = RunKind.GUIDES
    prompt = "guide_writer"
    event = GuideMade
    schema = GuideAnswer
    problem = 'no object with a text "guide"'

    def __init__(self, means: Means) -> None:
        super().__init__(means)
        self._guides = means.stores.tools
        self._verifier = means.verifier

    @property
    def is_on(self) -> bool:
        memory = self.settings.memory
        return memory.enabled and memory.tools.enabled and self.settings.memory_agent.enabled

    def run(self, tool: str = "") -> AsyncGenerator[GuideMade, None]:
        """What a person asked for: the guides of all tools with new calls, or that of one. Raises StorageError."""
        return self.asked_for(Wanted(everything=True, target=tool or None))

    async def due(self, so_far: Pass[GuideBatch]) -> GuideBatch | None:
        wanted = so_far.wanted
        due = replace(self._due(), everything=wanted.everything, target=wanted.target, besides=so_far.tried)
        return await self._guides.claim_guide(due)

    async def material(self, batch: GuideBatch) -> Material:
        return Material(material(batch), language_of(language_sample(batch)), {"max_words": MOST_WORDS})

    def read(self, answer: str) -> str | None:
        return read_guide(answer)

    async def judge(self, attempt: Attempt, batch: GuideBatch, answer: str) -> JudgedGuide:
        """Whether it may live: by rules where its words come from, then by the verifier what they say, which takes the
        sentences out that it refuses; without an answer it waits. Where it is switched off, the rules alone decide, or
        a person."""
        text, left_out = answer, tuple[DroppedFact, ...]()
        fault, lacking = tool_guides.judge_guide(answer, batch.tool, batch.calls)
        if not answer or fault is not None:
            return JudgedGuide(answer, self.agent.name, fault, lacking)
        if self._verifier.is_on:
            asked = tool_guides.sentences_of(answer)
            shown = tool_guides.verifier_material(batch.tool, batch.calls, asked)
            answers = await self._verifier.ask(attempt, Subject.GUIDES, shown, language_of(answer), len(asked))
            verified = tool_guides.verified_guide(answer, answers)
            text, fault = verified.text, verified.fault
            if fault is GuideFault.NOT_USAGE:
                lacking = verified.refused[:MAX_LACKING]
            else:
                left_out = tuple(DroppedFact(each, GuideFault.NOT_USAGE) for each in verified.refused)
        elif self.settings.memory_agent.extract.verify == "ask":
            fault = GuideFault.ASK
        return JudgedGuide(text, self.agent.name, fault, lacking, left_out)

    async def settle(self, attempt: Attempt, batch: GuideBatch, judged: JudgedGuide, running: GuideMade) -> GuideMade:
        is_secret = judged.held_because == GuideFault.SECRET
        if is_secret:
            attempt.record.clear()  # what was said would keep it all the same
        is_kept = bool(judged.text) and not is_secret
        written = await self._guides.finish_guide(batch, judged if is_kept else None, attempt.ended(self.clock.now()))
        if written is None:
            return replace(running, state="none", error=VOID, verification=attempt.verification)
        running = replace(
            running,
            held_because=judged.held_because,
            lacking=judged.lacking,
            left_out=tuple(each.content for each in judged.left_out),
            verification=attempt.verification,
        )
        if written.guide is None:
            return replace(running, state="none")
        return replace(running, state="done", guide=written.guide.id, version=written.guide.version)

    def running(self, batch: GuideBatch) -> GuideMade:
        return GuideMade("running", batch.run, batch.tool, len(batch.calls))

    async def queued(self, wanted: Wanted) -> Sequence[GuideMade]:
        """One that is named the Orca that leads writes once it is due."""
        waiting = [] if wanted.target else await self._guides.waiting_for_guides()
        return [GuideMade("queued", 0, each.tool) for each in waiting]

    async def next_at(self) -> datetime | None:
        """When the next guide is due, to the second; or to look whether calls came in another process."""
        return min(filter(None, [await self._guides.next_guide_at(self._due()), self.clock.now() + LOOK_AGAIN]))

    def _due(self) -> DueGuides:
        tools = self.settings.memory.tools
        return DueGuides(self.clock.now(), tools.summary_count, tools.summary_after)
