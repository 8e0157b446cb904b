"""Facts about the user: what they say of themselves in rounds that wait to be learnt from."""

from __future__ import annotations

import json
from collections.abc import AsyncGenerator, Callable, Mapping, Sequence
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, ClassVar, Literal

from msgspec import Struct
from msgspec.structs import replace

from orca_core import prompts
from orca_core.jobs.instructions import language_in, with_local_dates
from orca_core.jobs.job import JobEvent
from orca_core.jobs.tries import Attempt
from orca_core.model.events import Extraction
from orca_core.model.learning import Batch, DroppedFact, Due, Proposal, Reading, RunKind, UnverifiedBatch, Wanted
from orca_core.model.memories import Memory
from orca_core.pipelines.asking_again import AskingAgain
from orca_core.pipelines.pipeline import Material, Means, Pass, Pipeline
from orca_core.rules.learning.agent import parsing, transcripts
from orca_core.services.shared.views import Views
from orca_core.settings import Settings

if TYPE_CHECKING:
    from orca_core.pipelines.facts_judging import FactJudge

VOID = "a round was replaced or deleted meanwhile"


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

    name: ClassVar[str] = "extraction"
    kind = RunKind.EXTRACT
    prompt = "memory_extractor"
    schema = Answer
    problem = 'no object with a list "facts"'

    def __init__(self, means: Means, judge: Callable[[], FactJudge], views: Views, settings: Settings) -> None:
        super().__init__(means)
        self._judge = judge
        self._views = views
        self._settings = settings
        self._extract = settings.memory_agent.extract
        self._known: tuple[int, Sequence[Memory]] = (0, ())
        self._again = AskingAgain(means.learning.claim_unverified)

    @property
    def is_on(self) -> bool:
        memory = self._settings.memory
        return memory.enabled and memory.long_term.enabled and self._settings.memory_agent.enabled

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
        due = Due(
            now=now,
            batch_size=self._extract.batch_size,
            idle_since=now - timedelta(seconds=self._settings.memory.session_idle),
            ended=wanted.ended,
            session_id=wanted.session_id,
            everything=wanted.everything,
            besides=so_far.tried,
        )
        if last is not None and last.left:  # rounds that were due and did not fit into it follow at once
            due = replace(due, session_id=last.session_id, everything=True, most=last.left)
        return await self.learning.claim(due, transcripts.how_many_fit)

    async def ask(self, attempt: Attempt, batch: Batch) -> Reading | None:
        """Nobody is asked where hardly anything was said, nor again what candidates there are."""
        if isinstance(batch, UnverifiedBatch):
            return Reading((), ())
        self._known = (batch.run, await self._judge().known(batch))
        if transcripts.message_count(batch.rounds) < transcripts.MIN_MESSAGES:
            return Reading((), ())
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
            "max_chars": parsing.max_fact_chars(language),
            "tags": json.dumps(tags, ensure_ascii=False),
        }
        return Material(text, language, given)

    def read(self, answer: str) -> Reading | None:
        return parsing.read_facts(answer, self._extract)

    async def judge(self, attempt: Attempt, batch: Batch, answer: Reading) -> Judged:
        if isinstance(batch, UnverifiedBatch):
            since = await self._judge().verified_since(attempt, batch, self.agent.name)
            self._again.heard(attempt.verification)
            return Judged(since.proposals, held=since.held)
        dropped = (*answer.dropped, *transcripts.unread(batch.rounds))
        if not answer.facts:
            return Judged((), dropped)
        known = self._known_to(batch)
        return Judged(await self._judge().proposals(attempt, answer.facts, known, self.agent.name), dropped)

    async def settle(self, attempt: Attempt, batch: Batch, judged: Judged, running: Extraction) -> Extraction:
        ended, settle = attempt.ended(self.clock.now()), self._judge().settle
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
            times.append(self.clock.now() + timedelta(seconds=self._settings.memory.session_idle + 1.0))
        return min(times, default=None)

    def broke(self, error: str, next_at: datetime) -> JobEvent | None:
        return Extraction("failed", 0, error=error, next_at=next_at)

    def _known_to(self, batch: Batch) -> Sequence[Memory]:
        """The memories that a run was shown, and judges by."""
        run, known = self._known
        assert run == batch.run
        return known
