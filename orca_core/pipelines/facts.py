"""Facts about the user: what they say of themselves in rounds that wait to be learnt from; who typed it, by rules, and
what it says, by the verifier."""

from __future__ import annotations

import json
from collections.abc import AsyncGenerator, Mapping, Sequence
from datetime import datetime
from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from orca_core import prompts
from orca_core.jobs.job import JobEvent
from orca_core.model.events import Extraction
from orca_core.model.learning import (
    Batch,
    DroppedFact,
    Proposal,
    ProposedFact,
    Reading,
    RunKind,
    Subject,
    UnverifiedBatch,
    Wanted,
)
from orca_core.model.memories import Memory
from orca_core.pipelines.fact_proposals import Near, Proposals, notes_among
from orca_core.pipelines.pipeline import (
    VOID,
    AskingAgain,
    Attempt,
    Material,
    Means,
    Pass,
    Pipeline,
    language_in,
    with_local_dates,
)
from orca_core.rules.learning import fact_extraction, fact_verifier, resolve
from orca_core.rules.learning.fact_verifier import JudgedFact
from orca_core.rules.learning.typed_sources import verified_quote


class VerifiedSince(Struct, frozen=True):
    """What became of candidates that waited for the verifier: those that live by now, and why others are held."""

    proposals: Sequence[Proposal]
    held: Mapping[int, str]


class FactJudge:
    """Makes proposals of facts."""

    def __init__(self, means: Means) -> None:
        self._proposals = Proposals(means.search, means.stores.memories)
        self._verifier = means.verifier
        self._extract = means.settings.memory_agent.extract

    async def known(self, batch: Batch) -> list[Memory]:
        """The memories nearest to what was typed."""
        return await self._proposals.known(batch)

    async def proposals(
        self, attempt: Attempt, facts: Sequence[ProposedFact], known: Sequence[Memory], model: str
    ) -> list[Proposal]:
        """The facts, judged by the rules, and those that pass by the verifier."""
        judged = self._proposals.judged(attempt.batch, facts, known)
        near = {
            place: await self._proposals.near_to(each.fact, each.verdict.quote) for place, each in enumerate(judged)
        }
        judged = await self._verified(attempt, judged, near)
        return await self._proposals.proposals(attempt.batch, judged, near, model)

    async def verified_since(self, attempt: Attempt, batch: UnverifiedBatch, model: str) -> VerifiedSince:
        """Candidates about which the verifier had not answered, judged anew, and asked about once more."""
        candidates = await self._proposals.memories(batch.candidates)
        attempt.shown += [memory.id for memory in candidates]
        judged = self._proposals.judged(
            batch, [_as_fact(memory) for memory in candidates], await self._proposals.known(batch)
        )
        near = {place: await self._near(each, besides=candidates) for place, each in enumerate(judged)}
        judged = await self._verified(attempt, judged, near)
        lives = [place for place, each in enumerate(judged) if each.has_passed]
        beside = {
            number: replace(near[place], memories=[candidates[place], *near[place].memories])
            for number, place in enumerate(lives)
        }
        held = {
            memory.id: str(each.verdict.held)
            for memory, each in zip(candidates, judged, strict=True)
            if not each.has_passed
        }
        return VerifiedSince(
            await self._proposals.proposals(batch, [judged[place] for place in lives], beside, model), held
        )

    async def _near(self, judged: JudgedFact, besides: Sequence[Memory]) -> Near:
        """What is near a candidate, and not asked about beside it."""
        asked = {memory.id for memory in besides}
        near = await self._proposals.near_to(judged.fact, judged.verdict.quote)
        return Near([memory for memory in near.memories if memory.id not in asked], near.close - asked)

    async def _verified(
        self, attempt: Attempt, judged: Sequence[JudgedFact], near: Mapping[int, Near]
    ) -> list[JudgedFact]:
        """The facts, of which those that passed live by the verifier's word, or wait for it. Notes which memories it
        was shown."""
        match self._extract.verify:
            case "off":
                return [fact_verifier.unverified(each) for each in judged]
            case "ask":
                return [fact_verifier.left_to_a_person(each) for each in judged]
        rounds = attempt.batch.rounds
        notes = {place: notes_among(near[place].memories) for place, each in enumerate(judged) if each.has_passed}
        asked = [fact_verifier.statement_of(judged[place], known) for place, known in notes.items()]
        attempt.shown += [note.id for note in fact_verifier.notes_of(asked)]
        answers = await self._verifier.verify(attempt, Subject.FACTS, rounds, asked)
        numbers = {place: number for number, place in enumerate(notes, start=1)}
        said = fact_extraction.testimony(rounds)
        return [
            fact_verifier.verified(each, answers.get(numbers[place]), lambda words: verified_quote(words, said))
            if place in numbers
            else each
            for place, each in enumerate(judged)
        ]


def _as_fact(memory: Memory) -> ProposedFact:
    """A candidate as the fact that it was proposed as."""
    quote = memory.origin.quote or ""
    return ProposedFact(memory.content, memory.type, memory.tags, memory.confidence, quote)


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


class Answer(Struct, frozen=True):
    facts: list[Fact]


class Judged(Struct, frozen=True):
    """What becomes of facts: proposals, those dropped, and why candidates that were asked about once more are held."""

    proposals: Sequence[Proposal]
    dropped: Sequence[DroppedFact] = ()
    held: Mapping[int, str] = {}


class FactPipeline(Pipeline[Batch, Reading, Judged, Extraction]):
    """Five rounds of a session start a run, and the end of a session one of what is left; a person starts one at any
    time. Behind them candidates are read that wait for the verifier, a few sessions at a time, until it does not answer
    again."""

    name = "extraction"
    kind = RunKind.EXTRACT
    prompt = "memory_extractor"
    event = Extraction
    schema = Answer
    problem = 'no object with a list "facts"'

    def __init__(self, means: Means) -> None:
        super().__init__(means)
        self._judge = FactJudge(means)
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
            return await self.learning.claim_again(wanted.session_id, after, now, fact_extraction.how_many_fit)
        due = self.due_rounds(so_far, self._extract.batch_size)
        if last is not None and last.left:  # rounds that were due and did not fit into it follow at once
            due = replace(due, session_id=last.session_id, everything=True, most=last.left)
        return await self.learning.claim(due, fact_extraction.how_many_fit)

    async def ask(self, attempt: Attempt, batch: Batch) -> Reading | None:
        """Nobody is asked where hardly anything was said, nor again what candidates there are."""
        if isinstance(batch, UnverifiedBatch):
            return Reading((), ())
        self._known = (batch.run, await self._judge.known(batch))
        if fact_extraction.message_count(batch.rounds) < fact_extraction.MIN_MESSAGES:
            return Reading((), ())
        attempt.shown += [memory.id for memory in self._known[1]]
        return await super().ask(attempt, batch)

    async def material(self, batch: Batch) -> Material:
        language = language_in(batch.rounds)
        known = [memory.content for memory in self._known_to(batch)]
        text = prompts.fill(
            prompts.builtin(f"extraction_material.{language}"),
            known=json.dumps(known, ensure_ascii=False),
            dialogue=fact_extraction.dialogue(with_local_dates(batch.rounds)),
        )
        tags = self._extract.tags if self._extract.auto_tag else ()
        given = {
            "max_facts": self._extract.max_facts,
            "max_chars": fact_extraction.max_fact_chars(language),
            "tags": json.dumps(tags, ensure_ascii=False),
        }
        return Material(text, language, given)

    def read(self, answer: str) -> Reading | None:
        return fact_extraction.read_facts(answer, self._extract)

    async def judge(self, attempt: Attempt, batch: Batch, answer: Reading) -> Judged:
        if isinstance(batch, UnverifiedBatch):
            since = await self._judge.verified_since(attempt, batch, self.agent.name)
            self._again.heard(attempt.verification)
            return Judged(since.proposals, held=since.held)
        dropped = (*answer.dropped, *fact_extraction.unread(batch.rounds))
        if not answer.facts:
            return Judged((), dropped)
        known = self._known_to(batch)
        return Judged(await self._judge.proposals(attempt, answer.facts, known, self.agent.name), dropped)

    async def settle(self, attempt: Attempt, batch: Batch, judged: Judged, running: Extraction) -> Extraction:
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
