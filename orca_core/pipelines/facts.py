"""Facts about the user: what they say of themselves in rounds that wait to be learnt from; who typed it, by rules, and
what it says, by the verifier."""

from __future__ import annotations

import json
from collections.abc import AsyncGenerator, Mapping, Sequence
from datetime import datetime
from functools import partial
from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from orca_core import prompts
from orca_core.jobs.job import JobEvent
from orca_core.model.events import Extraction
from orca_core.model.learning import (
    Batch,
    DroppedFact,
    FactReading,
    Proposal,
    ProposedFact,
    RunKind,
    Subject,
    UnverifiedBatch,
    Wanted,
)
from orca_core.model.memories import Memory, State
from orca_core.pipelines.attempt import Attempt
from orca_core.pipelines.fact_proposals import NearMemories, near_fact, near_text, notes_among, proposal_of
from orca_core.pipelines.memory_agent import language_in, with_local_dates
from orca_core.pipelines.pipeline import VOID, AskingAgain, Material, Means, Pass, Pipeline
from orca_core.rules.learning import fact_extraction, fact_provenance, fact_verifier, resolve, transcripts
from orca_core.rules.learning.fact_verifier import JudgedFact
from orca_core.rules.learning.typed_sources import verified_quote


class Fact(Struct, frozen=True):
    content: str
    type: Literal["fact", "preference", "project", "instruction", "event"]
    tags: list[str]
    confidence: float
    quote: str
    replace: str
    retract: str
    about: Literal["user", "theirs", "other"]
    when: Literal["now", "past", "planned", "wish"]


class FactAnswer(Struct, frozen=True):
    facts: list[Fact]


class JudgedFacts(Struct, frozen=True):
    """What becomes of facts: proposals, those dropped, and why candidates that were asked about once more are held."""

    proposals: Sequence[Proposal]
    dropped: Sequence[DroppedFact] = ()
    held: Mapping[int, str] = {}


class FactPipeline(Pipeline[Batch, FactReading, JudgedFacts, Extraction]):
    """Five rounds of a session start a run, and the end of a session one of what is left; a person starts one at any
    time. Behind them candidates are read that wait for the verifier, a few sessions at a time, until it does not answer
    again."""

    name = "extraction"
    kind = RunKind.EXTRACT
    prompt = "memory_extractor"
    event = Extraction
    schema = FactAnswer
    problem = 'no object with a list "facts"'

    def __init__(self, means: Means) -> None:
        super().__init__(means)
        self._search, self._memories, self._verifier = means.search, means.stores.memories, means.verifier
        self._views = means.views
        self._extract = means.settings.memory_agent.extract
        self._known: tuple[int, Sequence[Memory]] = (0, ())
        self._again = AskingAgain(self.learning.claim_unverified)

    @property
    def is_on(self) -> bool:
        memory = self.settings.memory
        return memory.enabled and memory.long_term.enabled and self.settings.memory_agent.enabled

    def run(self, wanted: Wanted) -> AsyncGenerator[Extraction, None]:
        """What a person asked for, batch by batch. Raises StorageError."""
        return self.asked_for(wanted)

    def run_again(self, session_id: str) -> AsyncGenerator[Extraction, None]:
        """A session's finished rounds once more. Raises NotFound, StorageError."""
        return self.asked_for(Wanted(session_id=session_id, again=True))

    async def due(self, so_far: Pass[Batch]) -> Batch | None:
        if so_far.last is None:
            self._again.begin()
        batch = await self._rounds_due(so_far)
        if batch is not None or so_far.wanted.again or not self._extract.asks_verifier:
            return batch
        return await self._again.due(self.clock.now(), so_far.wanted)

    async def _rounds_due(self, so_far: Pass[Batch]) -> Batch | None:
        wanted, last, now = so_far.wanted, so_far.last, self.clock.now()
        if wanted.again and wanted.session_id is not None:
            after = 0 if last is None else last.rounds[-1].number
            return await self.learning.claim_again(wanted.session_id, after, now, transcripts.how_many_fit)
        due = self.due_rounds(so_far, self._extract.batch_size)
        if last is not None and last.left:  # rounds that were due and did not fit into it follow at once
            due = replace(due, session_id=last.session_id, everything=True, most=last.left)
        return await self.learning.claim(due, transcripts.how_many_fit)

    async def ask(self, attempt: Attempt, batch: Batch) -> FactReading | None:
        """Nobody is asked where hardly anything was said, nor again what candidates there are."""
        if isinstance(batch, UnverifiedBatch):
            return FactReading((), ())
        self._known = (batch.run, await self._near_typed(batch))
        if transcripts.message_count(batch.rounds) < transcripts.MIN_MESSAGES:
            return FactReading((), ())
        attempt.shown += [memory.id for memory in self._known[1]]
        return await super().ask(attempt, batch)

    async def material(self, batch: Batch) -> Material:
        language = language_in(batch.rounds)
        known = [memory.content for memory in self._known_to(batch)]
        text = prompts.fill(
            prompts.builtin(f"extraction_material.{language}"),
            known=json.dumps(known, ensure_ascii=False),
            dialogue=transcripts.dialogue(with_local_dates(batch.rounds)),
        )
        tags = self._extract.tags if self._extract.auto_tag else ()
        given = {
            "max_facts": self._extract.max_facts,
            "max_chars": fact_extraction.max_fact_chars(language),
            "tags": json.dumps(tags, ensure_ascii=False),
        }
        return Material(text, language, given)

    def read(self, answer: str) -> FactReading | None:
        return fact_extraction.read_facts(answer, self._extract)

    async def judge(self, attempt: Attempt, batch: Batch, answer: FactReading) -> JudgedFacts:
        """Each by the rules, and those that pass by the verifier."""
        if isinstance(batch, UnverifiedBatch):
            return await self._judge_again(attempt, batch)
        dropped = (*answer.dropped, *transcripts.unread_rests(batch.rounds))
        judged = self._by_provenance(batch, answer.facts, self._known_to(batch))
        near = [await near_fact(self._search, each.fact, each.verdict.quote) for each in judged]
        judged = await self._verified(attempt, judged, near)
        proposals = [proposal_of(each, batch, there, self.agent.name) for each, there in zip(judged, near, strict=True)]
        return JudgedFacts(resolve.in_order_said(proposals), dropped)

    async def _judge_again(self, attempt: Attempt, batch: UnverifiedBatch) -> JudgedFacts:
        """Candidates about which the verifier had not answered, judged anew, and asked about once more."""
        candidates = await self._memories.get(batch.candidates, missing_ok=True)
        asked = frozenset(memory.id for memory in candidates)
        attempt.shown += asked
        facts = [
            ProposedFact(each.content, each.type, each.tags, each.confidence, each.origin.quote or "")
            for each in candidates
        ]
        judged = self._by_provenance(batch, facts, await self._near_typed(batch))
        near = []
        for each in judged:
            there = await near_fact(self._search, each.fact, each.verdict.quote)
            besides = [memory for memory in there.memories if memory.id not in asked]
            near.append(NearMemories(besides, there.close - asked))
        judged = await self._verified(attempt, judged, near)
        self._again.heard(attempt.verification)
        proposals = [
            proposal_of(each, batch, replace(there, memories=[candidate, *there.memories]), self.agent.name)
            for candidate, each, there in zip(candidates, judged, near, strict=True)
            if each.has_passed
        ]
        held = {
            candidate.id: str(each.verdict.held)
            for candidate, each in zip(candidates, judged, strict=True)
            if not each.has_passed
        }
        return JudgedFacts(resolve.in_order_said(proposals), held=held)

    def _by_provenance(self, batch: Batch, facts: Sequence[ProposedFact], known: Sequence[Memory]) -> list[JudgedFact]:
        """Each fact with what provenance makes of it. Names that live memories hold need not be typed."""
        said = transcripts.testimony(batch.rounds)
        live = [memory.content for memory in known if memory.state is State.LIVE]
        return [JudgedFact(fact, fact_provenance.judge(fact, said, live)) for fact in facts]

    async def _verified(
        self, attempt: Attempt, judged: Sequence[JudgedFact], near: Sequence[NearMemories]
    ) -> list[JudgedFact]:
        """The facts, of which those that passed live by the verifier's word, or wait for it. Notes which memories it
        was shown."""
        match self._extract.verify:
            case "off":
                return [fact_verifier.unverified(each) for each in judged]
            case "ask":
                return [fact_verifier.left_to_a_person(each) for each in judged]
        rounds, read = attempt.batch.rounds, list(judged)
        passed = [place for place, each in enumerate(judged) if each.has_passed]
        asked = [fact_verifier.statement_of(judged[place], notes_among(near[place].memories)) for place in passed]
        attempt.shown += [note.id for note in fact_verifier.notes_of(asked)]
        answers = await self._verifier.verify(attempt, Subject.FACTS, rounds, asked)
        quoted = partial(verified_quote, said=transcripts.testimony(rounds))
        for number, place in enumerate(passed, start=1):
            read[place] = fact_verifier.verified(judged[place], answers.get(number), quoted)
        return read

    async def _near_typed(self, batch: Batch) -> list[Memory]:
        """The memories nearest to what was typed."""
        typed = transcripts.testimony(batch.rounds).typed
        return await near_text(self._search, "\n".join(text for _, text in typed))

    async def settle(self, attempt: Attempt, batch: Batch, judged: JudgedFacts, running: Extraction) -> Extraction:
        ended, settle = attempt.ended(self.clock.now()), resolve.settle
        if isinstance(batch, UnverifiedBatch):
            learnt = await self.learning.finish_unverified(batch, judged.proposals, judged.held, settle, ended)
        else:
            learnt = await self.learning.finish_run(batch, judged.proposals, judged.dropped, settle, ended)
        if learnt is None:
            return replace(running, state="none", error=VOID)
        anything = learnt.stored or learnt.confirmed or learnt.candidates or learnt.dropped
        return replace(
            running,
            state="done" if anything or learnt.operation else "none",
            learnt=self._views.told(learnt),
            verification=attempt.verification,
        )

    def running(self, batch: Batch) -> Extraction:
        return Extraction("running", batch.run, batch.session_id, tuple(each.number for each in batch.rounds))

    async def queued(self, wanted: Wanted) -> Sequence[Extraction]:
        """Which rounds another Orca, which leads, will read."""
        if wanted.again:
            return [Extraction("queued", 0, wanted.session_id or "")]
        waiting = (await self.learning.queue()).waiting
        return [
            Extraction("queued", 0, session_id)
            for session_id, rounds in waiting.items()
            if rounds >= (1 if wanted.everything or session_id in wanted.ended else self._extract.batch_size)
            and wanted.session_id in (None, session_id)
        ]

    async def left_to_another(self) -> Sequence[JobEvent]:
        return await self.queued(self.heard.wanted())

    async def next_at(self) -> datetime | None:
        """When a failed run may be retried, or the current session has idled."""
        queue = await self.learning.queue()
        times = [] if queue.next_at is None else [queue.next_at]
        if queue.waiting:
            times.append(self.when_idle())
        return min(times, default=None)

    def _known_to(self, batch: Batch) -> Sequence[Memory]:
        """The memories that a run was shown, and judges by."""
        run, known = self._known
        assert run == batch.run
        return known
