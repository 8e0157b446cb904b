"""One batch of rounds, read by the memory agent: asked, judged by who typed what, verified, settled in one
transaction."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Awaitable, Callable, Mapping, Sequence
from typing import Literal

from msgspec.structs import replace

from orca_core.domain.events import Extraction
from orca_core.domain.learning import Learnt, ProposedFact, Reading, RunState, UnverifiedBatch
from orca_core.domain.memories import Memory
from orca_core.domain.messages import ChatMessage
from orca_core.domain.ports import Clock
from orca_core.domain.settling import Proposal
from orca_core.domain.stores.learning import LearningQueue
from orca_core.domain.verifying import Subject
from orca_core.flows.jobs.extraction_prompt import ExtractionPrompt
from orca_core.flows.jobs.memory_agent import MemoryAgent
from orca_core.flows.jobs.proposals import Near, Proposals, notes_among
from orca_core.flows.jobs.tries import Attempt
from orca_core.flows.jobs.verifier import Verifier
from orca_core.flows.shared.views import Views
from orca_core.rules.learning import resolution, verifying
from orca_core.rules.learning.agent import parsing, transcripts
from orca_core.rules.learning.provenance.sources import verified_quote
from orca_core.rules.learning.verifying import JudgedFact
from orca_core.settings import ExtractSettings

JOB = "extraction"
"""The name in the ledger."""


class BatchReader:
    """Carries out a claimed batch."""

    def __init__(
        self,
        learning: LearningQueue,
        proposals: Proposals,
        agent: MemoryAgent,
        prompt: ExtractionPrompt,
        verifier: Verifier,
        views: Views,
        clock: Clock,
        extract: ExtractSettings,
    ) -> None:
        self._learning = learning
        self._proposals = proposals
        self._agent = agent
        self._prompt = prompt
        self._verifier = verifier
        self._views = views
        self._clock = clock
        self._extract = extract

    def read(self, attempt: Attempt) -> AsyncGenerator[Extraction, None]:
        """Yields `running`, then how it ended. The try was counted at the claim, so any failure waits for its retry.
        Raises StorageError where the failure can not be written."""
        return self._tried(attempt, self._outcome)

    def read_unverified(self, attempt: Attempt, batch: UnverifiedBatch) -> AsyncGenerator[Extraction, None]:
        """The same of candidates about which the verifier had not answered."""
        return self._tried(attempt, lambda attempt, running: self._verified_since(attempt, batch, running))

    async def _tried(
        self, attempt: Attempt, read: Callable[[Attempt, Extraction], Awaitable[Extraction]]
    ) -> AsyncGenerator[Extraction, None]:
        batch = attempt.batch
        running = Extraction("running", batch.run, batch.session_id, tuple(each.number for each in batch.rounds))
        outcome = running
        async with attempt:
            yield running
            outcome = await read(attempt, running)
        if attempt.failed is not None:
            outcome = replace(running, error=attempt.error, next_at=attempt.next_at)
            outcome = replace(outcome, state="failed" if attempt.failed is RunState.FAILED else "unreadable")
        yield outcome

    async def _outcome(self, attempt: Attempt, running: Extraction) -> Extraction:
        batch = attempt.batch
        known = await self._proposals.known(batch)
        reading = await self._asked(attempt, known)
        if reading is None:
            await attempt.fail(RunState.UNREADABLE, "the answer could not be read")
            return running
        dropped = (*reading.dropped, *transcripts.unread(batch.rounds))
        proposals = await self._proposed(attempt, reading.facts, known) if reading.facts else []
        ended = attempt.ended(self._clock.now())
        learnt = await self._learning.finish_run(batch, proposals, dropped, resolution.settle, ended)
        return self._told(attempt, running, learnt)

    async def _verified_since(self, attempt: Attempt, batch: UnverifiedBatch, running: Extraction) -> Extraction:
        """The candidates, judged anew, and asked about once more. What is still not answered waits on."""
        candidates = await self._proposals.memories(batch.candidates)
        attempt.shown += [memory.id for memory in candidates]
        known = await self._proposals.known(batch)
        judged = self._proposals.judged(batch, [_as_fact(memory) for memory in candidates], known)
        near = {place: await self._near(each, besides=candidates) for place, each in enumerate(judged)}
        judged = await self._verified(attempt, judged, near)
        lives = [place for place, each in enumerate(judged) if each.has_passed]
        held = {
            memory.id: str(judged[place].verdict.held) for place, memory in enumerate(candidates) if place not in lives
        }
        beside = {
            number: replace(near[place], memories=[candidates[place], *near[place].memories])
            for number, place in enumerate(lives)
        }
        proposals = await self._proposals.proposals(batch, [judged[each] for each in lives], beside, self._agent.name)
        ended = attempt.ended(self._clock.now())
        learnt = await self._learning.finish_unverified(batch, proposals, held, resolution.settle, ended)
        return self._told(attempt, running, learnt)

    async def _near(self, judged: JudgedFact, besides: Sequence[Memory]) -> Near:
        """What is near a candidate, and not asked about beside it."""
        asked = {memory.id for memory in besides}
        near = await self._proposals.near_to(judged.fact, judged.verdict.quote)
        return Near([memory for memory in near.memories if memory.id not in asked], near.close - asked)

    def _told(self, attempt: Attempt, running: Extraction, learnt: Learnt | None) -> Extraction:
        """How a run ended."""
        if learnt is None:
            return replace(running, state="none", error="a round was replaced or deleted meanwhile")
        anything = learnt.stored or learnt.confirmed or learnt.candidates or learnt.dropped
        state: Literal["done", "none"] = "done" if anything or learnt.operation else "none"
        return replace(running, state=state, learnt=self._views.told(learnt), second_reading=attempt.second_reading)

    async def _proposed(
        self, attempt: Attempt, facts: Sequence[ProposedFact], known: Sequence[Memory]
    ) -> list[Proposal]:
        """The facts, judged by the rules, and those that pass by the verifier."""
        judged = self._proposals.judged(attempt.batch, facts, known)
        near = {
            place: await self._proposals.near_to(each.fact, each.verdict.quote) for place, each in enumerate(judged)
        }
        judged = await self._verified(attempt, judged, near)
        return await self._proposals.proposals(attempt.batch, judged, near, self._agent.name)

    async def _verified(
        self, attempt: Attempt, judged: Sequence[JudgedFact], near: Mapping[int, Near]
    ) -> list[JudgedFact]:
        """The facts, of which those that passed live by the verifier's word, or wait for it. Notes which memories it
        was shown."""
        match self._extract.verify:
            case "off":
                return [verifying.unverified(each) for each in judged]
            case "ask":
                return [verifying.left_to_a_person(each) for each in judged]
        rounds = attempt.batch.rounds
        notes = {place: notes_among(near[place].memories) for place, each in enumerate(judged) if each.has_passed}
        asked = [verifying.statement_of(judged[place], known) for place, known in notes.items()]
        attempt.shown += [note.id for note in verifying.notes_of(asked)]
        answers = await self._verifier.verify(attempt, Subject.FACTS, rounds, asked)
        numbers = {place: number for number, place in enumerate(notes, start=1)}
        said = transcripts.testimony(rounds)
        return [
            verifying.verified(each, answers.get(numbers[place]), lambda words: verified_quote(words, said))
            if place in numbers
            else each
            for place, each in enumerate(judged)
        ]

    async def _asked(self, attempt: Attempt, known: Sequence[Memory]) -> Reading | None:
        """The facts of the memory agent, which is asked once more where its answer can't be parsed. Fills the
        record, and which memories it was shown."""
        batch = attempt.batch
        if transcripts.message_count(batch.rounds) < transcripts.MIN_MESSAGES:
            return Reading((), ())
        attempt.shown += [memory.id for memory in known]
        messages: Sequence[ChatMessage] = self._prompt.messages(batch, [memory.content for memory in known])
        said = await self._agent.ask(messages, new=messages, as_json=True, job=JOB)
        attempt.record += said.record
        reading = parsing.read_facts(said.text, self._extract)
        if reading is None:
            again = self._prompt.again(batch)
            messages = [*messages, ChatMessage("assistant", said.text), again]
            said = await self._agent.ask(messages, new=[again], as_json=True, job=JOB)
            attempt.record += said.record
            reading = parsing.read_facts(said.text, self._extract)
        return reading


def _as_fact(memory: Memory) -> ProposedFact:
    """A candidate as the fact that it was proposed as."""
    quote = memory.origin.quote or ""
    return ProposedFact(memory.content, memory.type, memory.tags, memory.confidence, quote, cues=memory.cues)
