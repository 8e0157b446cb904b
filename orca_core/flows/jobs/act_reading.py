"""One batch of acts, read by the memory agent: asked, judged by who wrote what, settled in one transaction."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Sequence
from typing import Literal

from msgspec.structs import replace

from orca_core.domain.events import ActsRead
from orca_core.domain.growth.reading import ActBatch, Grown, InfoRead, PreferencesRead, Shown
from orca_core.domain.learning import DroppedFact, RunState
from orca_core.domain.memories import Memory, MemoryType, State
from orca_core.domain.ports import Clock
from orca_core.domain.queries import MemoryQuery, MemorySort, StatusCriteria
from orca_core.domain.stores import MemoryStore
from orca_core.domain.stores.growth import ActReadings
from orca_core.flows.jobs.act_questions import ActQuestions, language_in
from orca_core.flows.jobs.memory_agent import MemoryAgent
from orca_core.flows.jobs.proposals import Proposals
from orca_core.flows.jobs.second_reader import Question, SecondReader
from orca_core.flows.jobs.tries import Attempt
from orca_core.rules.growing import second_reading as growing
from orca_core.rules.growing import shown, told, trust, user_info
from orca_core.rules.growing.trust import JudgedPreference
from orca_core.rules.learning import resolution
from orca_core.rules.learning.trust import second_reading

WISHES = MemoryQuery(
    StatusCriteria((State.CANDIDATE,)), (MemoryType.PREFERENCE,), sort=MemorySort.NEW, counted=False, limit=15
)
"""The preferences that wait, as many as one call is shown. Chosen by hand."""
VOID = "a round was replaced or deleted meanwhile"


class ActReader:
    """Carries out a claimed batch."""

    def __init__(
        self,
        readings: ActReadings,
        memories: MemoryStore,
        proposals: Proposals,
        agent: MemoryAgent,
        second_reader: SecondReader,
        act_reader: SecondReader,
        questions: ActQuestions,
        clock: Clock,
    ) -> None:
        self._readings = readings
        self._memories = memories
        self._proposals = proposals
        self._agent = agent
        self._second_reader = second_reader
        self._act_reader = act_reader
        self._questions = questions
        self._clock = clock

    async def read(self, attempt: Attempt, batch: ActBatch) -> AsyncGenerator[ActsRead, None]:
        """Yields `running`, then how it ended. The try was counted at the claim, so any failure waits for its retry.
        Raises StorageError where the failure can not be written."""
        acts = tuple(each.id for each in batch.actions)
        running = ActsRead("running", batch.run, batch.session_id, acts)
        outcome = running
        async with attempt:
            yield running
            outcome = await self._outcome(attempt, batch, running)
        if attempt.failed is not None:
            outcome = replace(running, error=attempt.error, next_at=attempt.next_at)
            outcome = replace(outcome, state="failed" if attempt.failed is RunState.FAILED else "unreadable")
        yield outcome

    async def _outcome(self, attempt: Attempt, batch: ActBatch, running: ActsRead) -> ActsRead:
        known = await self._known(batch)
        found = await self._questions.preferences(attempt, batch, known)
        told_of = None if found is None else await self._questions.infos(attempt, batch, known)
        if found is None or told_of is None:
            await attempt.fail(RunState.UNREADABLE, "the answer could not be read")
            return running
        judged = await self._stated(attempt, batch, _judged(batch, found, told_of, known))
        confirmed = await self._confirmed(attempt, batch, judged)
        if confirmed is None:
            await attempt.fail(RunState.FAILED, "nobody read it a second time")
            return running
        judged, doubted = confirmed
        preferences = await self._shown(batch, judged)
        ended = attempt.ended(self._clock.now())
        dropped = (*found.dropped, *told_of.dropped, *doubted)
        grown = await self._readings.finish(batch, preferences, dropped, resolution.settle, ended)
        return replace(running, state="none", error=VOID) if grown is None else _told(attempt, running, grown)

    async def _known(self, batch: ActBatch) -> list[Memory]:
        """The memories nearest to what the user said, and the newest wishes that wait: an act may show one of these
        whatever it is about."""
        there = told.told_in(batch)
        said = "\n".join((*there.own, *there.tools))
        near = await self._proposals.near(said) if said.strip() else []
        page = await self._memories.page(WISHES)
        return list({each.id: each for each in (*near, *page.memories)}.values())

    async def _stated(
        self, attempt: Attempt, batch: ActBatch, judged: Sequence[JudgedPreference]
    ) -> list[JudgedPreference]:
        """Those that the user is said to state, and that the rules would let live, by the second reader, too."""
        asked = second_reading.asked_about([each.judged for each in judged])
        noted = [second_reading.statement_of(each) for each in asked]
        answers = await self._second_reader.read(attempt, told.asked_in(batch), noted)
        read = second_reading.held_back([each.judged for each in judged], asked, answers)
        return [trust.read_again(each, by_now) for each, by_now in zip(judged, read, strict=True)]

    async def _confirmed(
        self, attempt: Attempt, batch: ActBatch, judged: Sequence[JudgedPreference]
    ) -> tuple[list[JudgedPreference], list[DroppedFact]] | None:
        """Those that the second reader confirms an act to show, and those that are left out; None where it could not be
        asked, or not be understood: then the acts are read again another time."""
        asked = growing.asked_about(judged)
        if not asked or not self._act_reader.is_on:
            return list(judged), []
        before, attempt.second_reading = attempt.second_reading, None
        question = Question(growing.material(batch, asked), language_in(batch))
        answers = await self._act_reader.answers(attempt, len(asked), lambda: question)
        reading = attempt.second_reading
        if before is not None and reading is not None:
            attempt.second_reading = before.with_another(reading)
        return None if reading is not None and reading.failure else growing.confirmed(judged, asked, answers)

    async def _shown(self, batch: ActBatch, judged: Sequence[JudgedPreference]) -> list[Shown]:
        """Each with the known memories that are near it."""
        found = []
        for each in judged:
            near = await self._proposals.nearest(each.judged.fact, each.judged.verdict.quote)
            nominated = [memory.id for memory in near]
            found.append(shown.shown(each, batch, nominated, self._agent.name))
        return shown.together(found)


def _judged(
    batch: ActBatch, found: PreferencesRead, told_of: InfoRead, known: Sequence[Memory]
) -> list[JudgedPreference]:
    """All that the acts are said to show, by the rules."""
    live = [each.content for each in known if each.state is State.LIVE]
    wishes = [one for each in found.preferences for one in trust.judged(each, batch, live)]
    return wishes + [one for each in told_of.infos for one in user_info.judged(each, batch, live)]


def _told(attempt: Attempt, running: ActsRead, grown: Grown) -> ActsRead:
    learnt = grown.learnt
    made = tuple(fact.memory.id for fact in (*learnt.stored, *learnt.candidates))
    anything = grown.supported or learnt.retracted or learnt.dropped
    state: Literal["done", "none"] = "done" if anything else "none"
    return replace(
        running,
        state=state,
        supported=grown.supported,
        made=made,
        dropped=len(learnt.dropped),
        second_reading=attempt.second_reading,
    )
