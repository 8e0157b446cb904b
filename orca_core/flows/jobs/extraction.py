"""Learning from rounds that wait: claim, read outside any transaction, end with the facts."""

from __future__ import annotations

from collections.abc import AsyncGenerator, AsyncIterator, Sequence
from contextlib import aclosing
from dataclasses import replace
from datetime import timedelta

from orca_core.domain.errors import ConfigError, ModelError, StorageError
from orca_core.domain.events import Extraction
from orca_core.domain.learning import AgentMessage, Batch, Due, Reading, RunEnd, RunState, Wanted
from orca_core.domain.messages import ChatMessage
from orca_core.domain.ports import Clock
from orca_core.domain.stores.learning import Leadership, LearningQueue
from orca_core.flows.jobs import claims
from orca_core.flows.jobs.extraction_prompt import ExtractionPrompt
from orca_core.flows.jobs.memory_agent import MemoryAgent
from orca_core.flows.jobs.proposals import Proposals
from orca_core.flows.shared.failures import cause
from orca_core.flows.shared.views import Views
from orca_core.rules.learning import backlog, parsing, settling, transcripts
from orca_core.settings import Settings

_OF_THE_SURROUNDINGS = (ModelError, ConfigError, StorageError)
"""A model that does not answer, a database that takes nothing: they would only fail for the next batch, too."""


class _Attempt:
    """One try at a batch: what is told of it, what was said in it so far, and which memories were shown."""

    def __init__(self, batch: Batch) -> None:
        rounds = tuple(each.number for each in batch.rounds)
        self.batch = batch
        self.told = Extraction("running", batch.run, batch.session_id, rounds)
        self.record: list[AgentMessage] = []
        self.shown: list[int] = []
        self.ends_the_run = False


class ExtractionFlow:
    """Runs of the memory agent over waiting rounds, one at a time, by one Orca at a time."""

    def __init__(
        self,
        learning: LearningQueue,
        leadership: Leadership,
        proposals: Proposals,
        agent: MemoryAgent,
        prompt: ExtractionPrompt,
        clock: Clock,
        settings: Settings,
    ) -> None:
        self._learning = learning
        self._leadership = leadership
        self._proposals = proposals
        self._agent = agent
        self._prompt = prompt
        self._clock = clock
        self._settings = settings
        self._views = Views(settings.memory)

    @property
    def is_on(self) -> bool:
        return self._settings.memory.enabled and self._settings.memory.long_term.enabled and (
            self._settings.memory_agent.enabled
        )  # fmt: skip

    async def run(self, wanted: Wanted) -> AsyncGenerator[Extraction, None]:
        """Everything that is due, batch by batch. Raises StorageError."""
        if not await self._leadership.acquire():
            async for event in self._left_to_another(wanted):
                yield event
            return
        try:
            async with aclosing(self._batches(wanted)) as events:
                async for event in events:
                    yield event
        finally:
            await self._leadership.resign()

    async def run_again(self, session_id: str) -> AsyncGenerator[Extraction, None]:
        """A session's finished rounds once more. Raises NotFound, StorageError."""
        if not await self._leadership.acquire():
            yield Extraction("queued", 0, session_id)
            return
        try:
            last = 0
            while batch := await claims.claimed(
                self._learning,
                self._learning.claim_again(session_id, last, self._clock.now(), transcripts.how_many_fit),
            ):
                last = batch.rounds[-1].number
                attempt = _Attempt(batch)
                async with aclosing(self._read(attempt)) as events:
                    async for event in events:
                        yield event
                if attempt.ends_the_run:
                    return
        finally:
            await self._leadership.resign()

    async def _left_to_another(self, wanted: Wanted) -> AsyncIterator[Extraction]:
        queue = await self._learning.queue()
        batch_size = self._settings.memory_agent.extract.batch_size
        for session_id, rounds in queue.waiting.items():
            enough = 1 if wanted.everything or session_id in wanted.ended else batch_size
            if rounds >= enough and wanted.session_id in (None, session_id):
                yield Extraction("queued", 0, session_id)

    async def _batches(self, wanted: Wanted) -> AsyncGenerator[Extraction, None]:
        due = self._due(wanted)
        tried: tuple[int, ...] = ()
        while batch := await claims.claimed(
            self._learning, self._learning.claim(replace(due, besides=tried), transcripts.how_many_fit)
        ):
            tried += (batch.run,)
            attempt = _Attempt(batch)
            async with aclosing(self._read(attempt)) as events:
                async for event in events:
                    yield event
            if attempt.ends_the_run:
                return
            # What was due with this batch and did not fit follows at once.
            rest = replace(due, session_id=batch.session_id, everything=True, most=batch.left)
            due = rest if batch.left else self._due(wanted)

    def _due(self, wanted: Wanted) -> Due:
        now = self._clock.now()
        return Due(
            now=now,
            batch_size=self._settings.memory_agent.extract.batch_size,
            idle_since=now - timedelta(seconds=self._settings.memory.session_idle),
            ended=wanted.ended,
            session_id=wanted.session_id,
            everything=wanted.everything,
        )

    async def _read(self, attempt: _Attempt) -> AsyncGenerator[Extraction, None]:
        """One batch, to its end: `running`, then how it ended. Whatever breaks in it was counted when it was claimed,
        and waits for its time like any other failure. Raises StorageError where not even that can be written down."""
        try:
            yield attempt.told
            outcome = await self._outcome(attempt)
        except Exception as error:  # noqa: BLE001  # one batch, whatever it does, must not keep the others from learning
            attempt.ends_the_run = isinstance(error, _OF_THE_SURROUNDINGS)
            outcome = await self._failed(attempt, RunState.FAILED, cause(error))
        except BaseException:
            await claims.let_go(self._learning, attempt.batch)
            raise
        yield outcome

    async def _outcome(self, attempt: _Attempt) -> Extraction:
        batch, told = attempt.batch, attempt.told
        reading = await self._asked(batch, attempt.record, attempt.shown)
        if reading is None:
            return await self._failed(attempt, RunState.UNREADABLE, "the answer could not be read")
        proposals = await self._proposals.proposals(batch, reading.facts, self._agent.name) if reading.facts else []
        ended = RunEnd(self._clock.now(), tuple(attempt.record), tuple(attempt.shown))
        learnt = await self._learning.finish_run(batch, proposals, reading.dropped, settling.settle, ended)
        if learnt is None:
            return replace(told, state="none", error="a round was replaced or deleted meanwhile")
        anything = learnt.stored or learnt.confirmed or learnt.candidates or learnt.dropped
        return replace(told, state="done" if anything else "none", learnt=self._views.told(learnt))

    async def _asked(self, batch: Batch, record: list[AgentMessage], shown: list[int]) -> Reading | None:
        """What the memory agent found, asked once more where its answer can't be read. Fills the record, and which
        memories it was shown."""
        if transcripts.message_count(batch.rounds) < transcripts.MIN_MESSAGES:
            return Reading((), ())
        extract = self._settings.memory_agent.extract
        known = await self._proposals.known(batch)
        shown += [memory.id for memory in known]
        messages: Sequence[ChatMessage] = self._prompt.messages(batch, [memory.content for memory in known])
        said = await self._agent.ask(messages, new=messages, as_json=True)
        record += said.record
        reading = parsing.read_facts(said.text, extract)
        if reading is None:
            again = self._prompt.again(batch)
            messages = [*messages, ChatMessage("assistant", said.text), again]
            said = await self._agent.ask(messages, new=[again], as_json=True)
            record += said.record
            reading = parsing.read_facts(said.text, extract)
        return reading

    async def _failed(self, attempt: _Attempt, state: RunState, error: str) -> Extraction:
        now, batch = self._clock.now(), attempt.batch
        next_at = None if batch.is_again else backlog.next_try(batch.tries, now)
        await self._learning.fail(
            batch, state, error, next_at, RunEnd(now, tuple(attempt.record), tuple(attempt.shown))
        )
        outcome = replace(attempt.told, error=error, next_at=next_at)
        return replace(outcome, state="failed" if state is RunState.FAILED else "unreadable")
