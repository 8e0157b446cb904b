"""What is believed of the facts of a run: who typed what, by rules, then what it says, by the verifier. It brings all
the rules of learning along, and is made when there is something to judge."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from msgspec import Struct
from msgspec.structs import replace

from orca_core.jobs.proposals import Near, Proposals, notes_among
from orca_core.jobs.tries import Attempt
from orca_core.jobs.verifier import Verifier
from orca_core.model.learning import Batch, Proposal, ProposedFact, Settle, Subject, UnverifiedBatch
from orca_core.model.memories import Memory
from orca_core.rules.learning import resolution, verifying
from orca_core.rules.learning.agent import transcripts
from orca_core.rules.learning.provenance.sources import verified_quote
from orca_core.rules.learning.verifying import JudgedFact
from orca_core.settings import ExtractSettings


class VerifiedSince(Struct, frozen=True):
    """What became of candidates that waited for the verifier: those that live by now, and why others are held."""

    proposals: Sequence[Proposal]
    held: Mapping[int, str]


class FactJudge:
    """Makes proposals of facts."""

    def __init__(self, proposals: Proposals, verifier: Verifier, extract: ExtractSettings) -> None:
        self._proposals = proposals
        self._verifier = verifier
        self._extract = extract

    @property
    def settle(self) -> Settle:
        """The rule that settles proposals, inside the transaction."""
        return resolution.settle

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


def _as_fact(memory: Memory) -> ProposedFact:
    """A candidate as the fact that it was proposed as."""
    quote = memory.origin.quote or ""
    return ProposedFact(memory.content, memory.type, memory.tags, memory.confidence, quote)
