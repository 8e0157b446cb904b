"""Feedback: what acts of the user show, read a session at a time; and what they show often enough, which goes live once
the verifier sees it in them."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Sequence
from contextlib import aclosing
from datetime import datetime
from functools import partial
from typing import Any, Literal

from msgspec import Struct
from msgspec.structs import replace

from orca_core.jobs.job import Daily, EverythingWanted, JobEvent, News
from orca_core.model.events import ActsRead, Promoted
from orca_core.model.feedback import ActBatch, PreferencesRead, ShownPreference
from orca_core.model.learning import DroppedFact, RunKind, RunState, Subject, Wanted
from orca_core.model.memories import Memory, MemoryType, State
from orca_core.model.views import MemoryQuery, MemorySort, StatusCriteria
from orca_core.pipelines.attempt import Attempt, each_tried
from orca_core.pipelines.fact_proposals import near_fact, near_text, notes_among, relations_of
from orca_core.pipelines.pipeline import UNREADABLE, VOID, Material, Means, Pass, Pipeline
from orca_core.rules.feedback import preference_claims, promotion, signals
from orca_core.rules.feedback.preference_claims import JudgedPreference
from orca_core.rules.learning import fact_verifier, resolve
from orca_core.rules.learning.typed_sources import verified_quote
from orca_core.rules.text.spelling import language_of

WISHES = MemoryQuery(
    StatusCriteria((State.CANDIDATE,)), (MemoryType.PREFERENCE,), sort=MemorySort.NEW, counted=False, limit=15
)
"""The preferences that wait, as many as one call is shown. Chosen by hand."""


class JudgedActs(Struct, frozen=True):
    """What acts show, and what was left out; of a candidate whether it lives, None where nobody answered."""

    shown: tuple[ShownPreference, ...] = ()
    dropped: tuple[DroppedFact, ...] = ()
    lives: bool | None = None


class FeedbackJudge:
    """Judges the answers about acts, and the candidates that are to go live by them."""

    def __init__(self, means: Means) -> None:
        self._memories = means.stores.memories
        self._search = means.search
        self._verifier = means.verifier
        self._agent = means.agent
        self._verify = means.settings.memory_agent.extract.verify
        self._known: tuple[ActBatch, list[Memory]] | None = None

    async def known(self, batch: ActBatch) -> list[Memory]:
        """The memories nearest to what the user said, and the newest wishes that wait: an act may show one of these
        whatever it is about. Of one batch they stay the same."""
        if self._known is None or self._known[0] is not batch:
            self._known = batch, await self._looked_up(batch)
        return self._known[1]

    async def _looked_up(self, batch: ActBatch) -> list[Memory]:
        there = signals.texts_in(batch)
        said = "\n".join((*there.own, *there.tools))
        near = await near_text(self._search, said) if said.strip() else []
        page = await self._memories.page(WISHES)
        return list({each.id: each for each in (*near, *page.records)}.values())

    async def judged(self, attempt: Attempt, batch: ActBatch, found: PreferencesRead) -> JudgedActs:
        """Each as a memory that lives or waits, with the known memories that are near it and the act that shows it."""
        live = [each.content for each in await self.known(batch) if each.state is State.LIVE]
        judged = [preference_claims.judge_preference(each, batch, live) for each in found.preferences]
        beside = [await near_fact(self._search, each.judged.fact, each.judged.verdict.quote) for each in judged]
        near = [each.memories for each in beside]
        stated = await self._stated(attempt, batch, judged, near)
        shown = []
        for each, there in zip(stated, near, strict=True):
            same, replaces = relations_of(each.judged.answer)
            ids = [memory.id for memory in there]
            shown.append(preference_claims.shown_preference(each, batch, ids, same, replaces, self._agent.name))
        return JudgedActs(tuple(preference_claims.joined_by_content(shown)), found.dropped)

    async def verified(self, attempt: Attempt, batch: ActBatch) -> JudgedActs:
        """Whether the latest acts let a candidate live; without a verifier its supports do."""
        assert batch.candidate is not None
        memory = batch.candidate.memory
        attempt.shown.append(memory.id)
        if self._verify != "model":
            return JudgedActs(lives=True)
        question, language = preference_claims.verifier_material(batch), language_of(memory.content)
        answers = await self._verifier.ask(attempt, Subject.FEEDBACK, question, language, 1)
        return JudgedActs(lives=answers[1].says_so if 1 in answers else None)

    async def _stated(
        self,
        attempt: Attempt,
        batch: ActBatch,
        judged: Sequence[JudgedPreference],
        near: Sequence[Sequence[Memory]],
    ) -> list[JudgedPreference]:
        """Those that the user is said to state in a query, and that provenance lets pass, live by the verifier's word,
        or wait for it; it is shown the known memories nearest to each."""
        places = [place for place, each in enumerate(judged) if each.held is None]
        read = list(judged)
        if self._verify != "model":
            left = fact_verifier.unverified if self._verify == "off" else fact_verifier.left_to_a_person
            for place in places:
                read[place] = preference_claims.as_judged(left(judged[place].judged), judged[place].action)
            return read
        asked = [fact_verifier.statement_of(judged[place].judged, notes_among(near[place])) for place in places]
        attempt.shown += [note.id for note in fact_verifier.notes_of(asked)]
        answers = await self._verifier.verify(attempt, Subject.FACTS, signals.queries_in(batch), asked)
        for number, place in enumerate(places, start=1):
            said = preference_claims.said_in(batch, judged[place].action)
            quoted = partial(verified_quote, said=said)
            by_now = fact_verifier.verified(judged[place].judged, answers.get(number), quoted)
            read[place] = preference_claims.as_judged(by_now, judged[place].action)
        return read


AGENT_OFF = "the memory agent is switched off"
CHANGED = "what it stands on changed meanwhile"


class PreferenceAnswer(Struct, frozen=True):
    action: int
    content: str
    type: Literal["implicit", "explicit", "fact", "project", "event"]
    quote: str
    replace: str
    retract: str


class PreferencesAnswer(Struct, frozen=True):
    preferences: list[PreferenceAnswer]


class FeedbackPipeline(Pipeline[ActBatch, Sequence[Any], JudgedActs, ActsRead]):
    """Five acts of one session start a run, and the end of a session one of what is left; a person starts one at any
    time.

    After whatever was learnt, and once a day, the best of the candidates that are ready is verified, then the next
    best, until one goes live: what comes then is compared anew. What the verifier did not answer is asked again at its
    time, and once a day; where the memory agent is switched off, that it waits is said once a day."""

    name = "acts"
    kind = RunKind.ACTIONS
    prompt = "feedback_reader"
    event = ActsRead
    schema = PreferencesAnswer
    problem = 'no object with a list "preferences"'

    def __init__(self, means: Means) -> None:
        super().__init__(means)
        self._judge = FeedbackJudge(means)
        self._daily = Daily(means.clock)
        self._everything = False
        self._promoted: Promoted | None = None

    @property
    def is_on(self) -> bool:
        return self._reads or self._promotes

    @property
    def _reads(self) -> bool:
        """Whether acts are read; what they showed before goes live all the same."""
        memory, agent = self.settings.memory, self.settings.memory_agent
        return memory.enabled and memory.long_term.enabled and memory.actions.enabled and agent.enabled

    @property
    def _promotes(self) -> bool:
        decides = self.settings.memory_agent.extract.verify != "ask"  # a person is asked about each then
        return decides and self.settings.memory.enabled and self.settings.memory.promote.enabled

    def hear(self, news: News) -> None:
        super().hear(news)
        self._everything = self._everything or isinstance(news, EverythingWanted)

    def run(self, wanted: Wanted) -> AsyncGenerator[ActsRead, None]:
        """What a person asked for, batch by batch. Raises StorageError."""
        return self.asked_for(wanted)

    async def work(self) -> AsyncGenerator[JobEvent, None]:
        async with aclosing(super().work()) as read:
            async for event in read:
                yield event
        if self._promotes:
            async with aclosing(self._promotions()) as promoted:
                async for event in promoted:
                    yield event

    async def due(self, so_far: Pass[ActBatch]) -> ActBatch | None:
        if not self._reads:
            return None
        due = self.due_rounds(so_far, preference_claims.BATCH)
        return await self.stores.feedback.claim_acts(due, preference_claims.acts_due)

    async def ask(self, attempt: Attempt, batch: ActBatch) -> Sequence[Any] | None:
        """Nobody is asked where nothing is shown, nor of a candidate: it is the verifier's."""
        if batch.candidate is not None or not preference_claims.shows_anything(batch):
            return ()
        attempt.shown += [memory.id for memory in await self._judge.known(batch)]
        return await super().ask(attempt, batch)

    async def material(self, batch: ActBatch) -> Material:
        known = [memory.content for memory in await self._judge.known(batch)]
        language = preference_claims.language_in(batch)
        return Material(preference_claims.material(batch, known), language, preference_claims.length_limits(language))

    def read(self, answer: str) -> Sequence[Any] | None:
        return preference_claims.answer_items(answer)

    async def judge(self, attempt: Attempt, batch: ActBatch, answer: Sequence[Any]) -> JudgedActs:
        if batch.candidate is not None:
            return await self._judge.verified(attempt, batch)
        return await self._judge.judged(attempt, batch, preference_claims.preferences(answer, batch.actions))

    async def settle(self, attempt: Attempt, batch: ActBatch, judged: JudgedActs, running: ActsRead) -> ActsRead:
        if batch.candidate is not None:
            return await self._settle_candidate(attempt, batch, judged, running)
        ended = attempt.ended(self.clock.now())
        grown = await self.stores.feedback.finish_acts(batch, judged.shown, judged.dropped, resolve.settle, ended)
        if grown is None:
            return replace(running, state="none", error=VOID)
        learnt = grown.learnt
        made = tuple(fact.memory.id for fact in (*learnt.stored, *learnt.candidates))
        anything = grown.supported or learnt.dropped
        return replace(
            running,
            state="done" if anything else "none",
            supported=grown.supported,
            made=made,
            dropped=len(learnt.dropped),
            verification=attempt.verification,
        )

    async def _settle_candidate(
        self, attempt: Attempt, batch: ActBatch, judged: JudgedActs, running: ActsRead
    ) -> ActsRead:
        """It lives, or is held; where the verifier did not answer it waits to be asked again."""
        if judged.lives is None:
            error = "" if attempt.verification is None else attempt.verification.error
            await attempt.fail(RunState.FAILED if error else RunState.UNREADABLE, error or UNREADABLE)
            return running
        ended = attempt.ended(self.clock.now())
        settled = await self.stores.feedback.finish_candidate(batch, ended, lives=judged.lives)
        if settled is None:
            return replace(running, state="none", error=CHANGED)
        if judged.lives:
            self._promoted = Promoted(settled.memory.id, settled.memory.content, settled.operation)
        return replace(running, state="done", verification=attempt.verification)

    def running(self, batch: ActBatch) -> ActsRead:
        acts = tuple(each.id for each in batch.actions)
        candidate = None if batch.candidate is None else batch.candidate.memory.id
        return ActsRead("running", batch.run, batch.session_id, acts, candidate=candidate)

    async def queued(self, wanted: Wanted) -> Sequence[ActsRead]:
        waits = self._reads and await self.stores.feedback.acts_waiting()
        return [ActsRead("queued", 0, wanted.session_id or "")] if waits else []

    async def next_at(self) -> datetime | None:
        """When a failed run may be retried, the sessions of what waits have idled, or the day is over."""
        times = [await super().next_at(), await self.stores.feedback.next_candidate_at()]
        if self._reads and await self.stores.feedback.acts_waiting():
            times.append(self.when_idle())
        if self._promotes:
            times.append(self._daily.next_at)
        return min(filter(None, times), default=None)

    async def _promotions(self) -> AsyncGenerator[JobEvent, None]:
        """The best of those that are ready, until one goes live."""
        now, is_daily = self.clock.now(), self._daily.is_due
        wanted, self._everything = Wanted(everything=self._everything or is_daily), False
        promote, went_live = self.settings.memory.promote, False
        choose = partial(promotion.best_ready, temperature=promote.temperature, min_support=promote.min_support)

        async def claim(_last: ActBatch | None, tried: tuple[int, ...]) -> ActBatch | None:
            due = self.due_rounds(Pass(wanted, tried=tried), preference_claims.BATCH)
            return None if went_live else await self.stores.feedback.claim_candidate(due, choose)

        agent = self.settings.memory_agent
        if agent.enabled or not agent.extract.asks_verifier:
            async with aclosing(each_tried(self.learning, self.clock, claim, self._carried_out)) as events:
                async for event in events:
                    yield event
                    if self._promoted is not None:
                        yield self._promoted
                        went_live, self._promoted = True, None
        elif is_daily and (waits := choose(await self.stores.feedback.pool(), now)) is not None:
            yield ActsRead("failed", 0, error=AGENT_OFF, candidate=waits.id)
        if is_daily:  # a pass in between does not put the next day off
            self._daily.done(now)
