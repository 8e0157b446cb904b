"""How a kind of learning is carried out, the same for all: what is due is claimed, its material shown to the memory
agent, the answer read, judged, and settled with the end of the run. It knows no kind."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import AsyncGenerator, Awaitable, Callable, Mapping, Sequence
from contextlib import aclosing
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any, ClassVar, Generic, TypeVar

from msgspec import Struct
from msgspec.structs import replace

from orca_core import prompts
from orca_core.jobs.job import EverythingWanted, InboxOpened, Job, JobEvent, News, RoundRecorded, SessionEnded
from orca_core.model.learning import Batch, Due, RunState, UnverifiedBatch, Verification, Wanted
from orca_core.model.llm import ChatMessage, Clock
from orca_core.operations.stores import Stores
from orca_core.pipelines.attempt import Attempt, each_tried
from orca_core.pipelines.memory_agent import MemoryAgent, instructions, schema_of
from orca_core.pipelines.verifier import Verifier
from orca_core.rules.learning import run_schedule
from orca_core.rules.text.spelling import Language
from orca_core.services.shared.search import MemorySearch
from orca_core.services.shared.views import Views
from orca_core.settings import Settings

E = TypeVar("E")
_LEFT_UNREAD = frozenset({"running", "failed"})


class WantedSoFar:
    """The sessions that ended, and whether a person asked for everything, since the last pass."""

    def __init__(self) -> None:
        self._ended: set[str] = set()
        self._in_the_pass: set[str] = set()
        self._everything = False
        self._inbox = False

    def hear(self, news: News) -> None:
        match news:
            case RoundRecorded(session_id):
                self._ended.discard(session_id)
                self._in_the_pass.discard(session_id)
            case SessionEnded(session_id):
                self._ended.add(session_id)
            case EverythingWanted():
                self._everything = True
            case InboxOpened():
                self._inbox = True

    def wanted(self) -> Wanted:
        """What the news ask for; a request for everything counts once."""
        wanted = Wanted(ended=tuple(sorted(self._ended)), everything=self._everything, inbox=self._inbox)
        self._everything = self._inbox = False
        return wanted

    async def a_pass(self, read: Callable[[Wanted], AsyncGenerator[E, None]]) -> AsyncGenerator[E, None]:
        """Read what the news ask for. Sessions that were not read to their end belong to the next pass, too."""
        wanted = self.wanted()
        # A session that ends while this runs belongs to the next pass: do not clear it with this one's.
        self._in_the_pass, self._ended = self._ended, set()
        state, is_through = "none", False
        try:
            async with aclosing(read(wanted)) as events:
                async for event in events:
                    state = getattr(event, "state", "none")  # an event that has none tells of no failure
                    yield event
            is_through = True
        finally:
            if state in _LEFT_UNREAD or not is_through:
                self._ended |= self._in_the_pass


MAX_SESSIONS = 5
"""So many sessions are asked about at once. Chosen by hand."""


class AskingAgain:
    """What one pass has asked about once more, of one kind."""

    def __init__(self, claim: Callable[..., Awaitable[UnverifiedBatch | None]]) -> None:
        self._claim = claim
        self._sessions: list[str] = []
        self._is_verifier_down = False

    def begin(self) -> None:
        """Another pass begins."""
        self._sessions, self._is_verifier_down = [], False

    async def due(self, now: datetime, wanted: Wanted) -> UnverifiedBatch | None:
        """The candidates of the next session; None where this pass has asked enough. Raises StorageError."""
        if self._is_verifier_down or len(self._sessions) >= MAX_SESSIONS:
            return None
        batch = await self._claim(now, self._sessions, run_schedule.retry_wait_s, is_wanted=wanted.inbox)
        if batch is not None:
            self._sessions.append(batch.session_id)
        return batch

    def heard(self, went: Verification | None) -> None:
        """Note how the verifier was asked: one that fails is left alone for the rest of the pass."""
        self._is_verifier_down = went is not None and went.failure is not None


A = TypeVar("A")
B = TypeVar("B", bound=Batch)
J = TypeVar("J")
V = TypeVar("V", bound=JobEvent)

LOOK_AGAIN = timedelta(minutes=10)
"""How soon to look whether something came without a round, also from another process. Chosen by hand."""
UNREADABLE = "the answer could not be read"
VOID = "a round was replaced or deleted meanwhile"


class Means(Struct, frozen=True):
    """What every kind works with."""

    agent: MemoryAgent
    verifier: Verifier
    search: MemorySearch
    views: Views
    stores: Stores
    settings: Settings
    agents_folder: Path | None
    clock: Clock


class Material(Struct, frozen=True):
    """What the memory agent is shown of a batch: data, never an instruction. `given` are the values that the
    instructions name, `language` is the one in which both are written."""

    text: str
    language: Language
    given: Mapping[str, object] = {}


class Pass(Struct, Generic[B], frozen=True):
    """What was asked for when it began, the last batch of it, and the runs of all, which are over for now."""

    wanted: Wanted
    last: B | None = None
    tried: tuple[int, ...] = ()


class Pipeline(Job, Generic[B, A, J, V]):
    """A kind of learning says what is due, what is shown, how an answer is read, judged and settled; all else is done
    here. The try counts from its claim, so that any failure waits for its retry; nothing is asked inside a
    transaction, and what comes of a batch is written with its end in one."""

    kind: ClassVar[str]
    """What its runs are on record."""
    prompt: ClassVar[str]
    """The name of the instructions: `prompts/NAME.LANGUAGE.md`, or the user's own file of that name."""
    schema: ClassVar[type[Struct] | None] = None
    """The type of an answer, of which the provider is told where it takes that; None for plain text."""
    problem: ClassVar[str] = ""
    """What is said of an answer that can not be read, when it is asked for once more; empty: it is not."""
    event: ClassVar[type[Any] | None] = None
    """The event of a run, to be told where the work itself breaks; None: nothing is told."""
    tells_beginning: ClassVar[bool] = True
    needs_lead: ClassVar[bool] = True
    asks_agent: ClassVar[bool] = True

    def __init__(self, means: Means) -> None:
        self.agent = means.agent
        self.stores = means.stores
        self.learning = means.stores.learning
        self.settings = means.settings
        self.clock = means.clock
        self.heard = WantedSoFar()
        self._agents_folder = means.agents_folder
        self._shape = None if self.schema is None else schema_of(self.schema)

    # What a kind says.

    @abstractmethod
    async def due(self, so_far: Pass[B]) -> B | None:
        """Claim the next batch: of a run that was cut short or failed, else of a new one."""
        ...

    @abstractmethod
    async def material(self, batch: B) -> Material:
        """What the memory agent is shown."""
        ...

    @abstractmethod
    def read(self, answer: str) -> A | None:
        """What an answer says; None where it can not be read. Tolerant: models write JSON as they like."""
        ...

    @abstractmethod
    async def judge(self, attempt: Attempt, batch: B, answer: A) -> J:
        """What is believed of it. It may ask further models, and notes in the attempt what they said."""
        ...

    @abstractmethod
    async def settle(self, attempt: Attempt, batch: B, judged: J, running: V) -> V:
        """Store what is believed, and end the run, in one transaction; returns `running` as it ended. Where what was
        read changed meanwhile, the batch is void, and only ended."""
        ...

    @abstractmethod
    def running(self, batch: B) -> V:
        """The event of a run that was begun."""
        ...

    async def queued(self, wanted: Wanted) -> Sequence[V]:
        """Events for what a person asked for, and another Orca, which leads, will do."""
        return ()

    # What is done with it.

    def hear(self, news: News) -> None:
        self.heard.hear(news)

    def work(self) -> AsyncGenerator[JobEvent, None]:
        return self.heard.a_pass(self._batches)

    async def next_at(self) -> datetime | None:
        """When the first run that failed is tried again."""
        return (await self.learning.queue()).next_at

    def broke(self, error: str, next_at: datetime) -> JobEvent | None:
        if self.event is None:
            return None
        failed: JobEvent = self.event("failed", 0, error=error, next_at=next_at)
        return failed

    async def asked_for(self, wanted: Wanted) -> AsyncGenerator[V, None]:
        """What a person asked for: done while this Orca leads, else told to be queued. Raises StorageError."""
        if not await self.stores.upkeep.acquire_lead():
            for event in await self.queued(wanted):
                yield event
            return
        try:
            async with aclosing(self._batches(wanted)) as events:
                async for event in events:
                    yield event
        finally:
            await self.stores.upkeep.resign_lead()

    def due_rounds(self, so_far: Pass[B], batch_size: int) -> Due:
        """Which sessions are due: with so many rounds that wait, or ended, or idle for as long as is set."""
        wanted, now = so_far.wanted, self.clock.now()
        return Due(
            now=now,
            batch_size=batch_size,
            idle_since=now - timedelta(seconds=self.settings.memory.session_idle),
            ended=wanted.ended,
            session_id=wanted.session_id,
            everything=wanted.everything,
            besides=so_far.tried,
        )

    def when_idle(self) -> datetime:
        """When a session that goes on now has idled for as long as is set."""
        return self.clock.now() + timedelta(seconds=self.settings.memory.session_idle + 1.0)

    async def ask(self, attempt: Attempt, batch: B) -> A | None:
        """What the memory agent answers, which is asked once more where that can not be read. Fills the record. Raises
        ModelError or ConfigError."""
        material = await self.material(batch)
        told = instructions(self.prompt, material.language, self._agents_folder)
        messages = [ChatMessage("system", prompts.fill(told, **material.given)), ChatMessage("user", material.text)]
        answer = await self._said(attempt, messages, messages)
        found = self.read(answer)
        if found is None and self.problem:
            problem = prompts.render(f"extraction_again.{material.language}", problem=self.problem)
            again = ChatMessage("user", problem)
            found = self.read(await self._said(attempt, [*messages, ChatMessage("assistant", answer), again], [again]))
        return found

    async def _said(self, attempt: Attempt, messages: Sequence[ChatMessage], new: Sequence[ChatMessage]) -> str:
        is_json = self._shape is not None
        said = await self.agent.ask(messages, new=new, as_json=is_json, job=self.name, schema=self._shape)
        attempt.record += said.record
        return said.text

    def _batches(self, wanted: Wanted) -> AsyncGenerator[V, None]:
        """Every batch that is due."""

        def claim(last: B | None, tried: tuple[int, ...]) -> Awaitable[B | None]:
            return self.due(Pass(wanted, last, tried))

        return each_tried(self.learning, self.clock, claim, self._carried_out)

    async def _carried_out(self, attempt: Attempt, batch: B) -> AsyncGenerator[V, None]:
        """Yields how the batch runs, then how it ended. Raises StorageError where a failure can not be written."""
        running = self.running(batch)
        outcome = running
        async with attempt:
            if self.tells_beginning:
                yield running
            outcome = await self._outcome(attempt, batch, running)
        yield self.failed(attempt, running) if attempt.failed is not None else outcome

    async def _outcome(self, attempt: Attempt, batch: B, running: V) -> V:
        answer = await self.ask(attempt, batch)
        if answer is None:
            await attempt.fail(RunState.UNREADABLE, UNREADABLE)
            return running
        return await self.settle(attempt, batch, await self.judge(attempt, batch, answer), running)

    def failed(self, attempt: Attempt, running: V) -> V:
        """The event of a run that failed."""
        state = "failed" if attempt.failed is RunState.FAILED else "unreadable"
        return replace(running, state=state, error=attempt.error, next_at=attempt.next_at)
