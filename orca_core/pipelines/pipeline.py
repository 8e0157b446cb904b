"""How a kind of learning is carried out, the same for all: what is due is claimed, its material shown to the memory
agent, the answer read, judged, and settled with the end of the run. It knows no kind."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import AsyncGenerator, Awaitable, Mapping, Sequence
from datetime import datetime, timedelta
from pathlib import Path
from typing import ClassVar, Generic, TypeVar

from msgspec import Struct
from msgspec.structs import replace

from orca_core import prompts
from orca_core.jobs.instructions import Instructions
from orca_core.jobs.job import Job, JobEvent, News
from orca_core.jobs.memory_agent import MemoryAgent, schema_of
from orca_core.jobs.passes import Heard, led
from orca_core.jobs.tries import Attempt, each_tried
from orca_core.model.learning import Batch, RunState, Wanted
from orca_core.model.llm import ChatMessage, Clock
from orca_core.rules.text.languages import Language
from orca_core.store.protocols.learning import Leadership, LearningQueue

B = TypeVar("B", bound=Batch)
A = TypeVar("A")
J = TypeVar("J")
E = TypeVar("E", bound=JobEvent)

LOOK_AGAIN = timedelta(minutes=10)
"""How soon to look whether something came without a round, also from another process. Chosen by hand."""
UNREADABLE = "the answer could not be read"


class Means(Struct, frozen=True):
    """What every kind works with."""

    agent: MemoryAgent
    learning: LearningQueue
    leadership: Leadership
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


class Pipeline(Job, Generic[B, A, J, E]):
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
    tells_beginning: ClassVar[bool] = True
    needs_lead: ClassVar[bool] = True
    asks_agent: ClassVar[bool] = True

    def __init__(self, means: Means) -> None:
        self.agent = means.agent
        self.learning = means.learning
        self.clock = means.clock
        self.heard = Heard()
        self._leadership = means.leadership
        self._instructions = Instructions(self.prompt, means.agents_folder)
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
    async def settle(self, attempt: Attempt, batch: B, judged: J, running: E) -> E:
        """Store what is believed, and end the run, in one transaction; returns `running` as it ended. Where what was
        read changed meanwhile, the batch is void, and only ended."""
        ...

    @abstractmethod
    def running(self, batch: B) -> E:
        """The event of a run that was begun."""
        ...

    async def queued(self, wanted: Wanted) -> Sequence[E]:
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

    def asked_for(self, wanted: Wanted) -> AsyncGenerator[E, None]:
        """What a person asked for: done while this Orca leads, else told to be queued. Raises StorageError."""
        return led(self._leadership, lambda: self._batches(wanted), lambda: self.queued(wanted))

    async def ask(self, attempt: Attempt, batch: B) -> A | None:
        """What the memory agent answers, which is asked once more where that can not be read. Fills the record. Raises
        ModelError or ConfigError."""
        material = await self.material(batch)
        instructions = prompts.fill(self._instructions.text(material.language), **material.given)
        messages = [ChatMessage("system", instructions), ChatMessage("user", material.text)]
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

    def _batches(self, wanted: Wanted) -> AsyncGenerator[E, None]:
        """Every batch that is due."""

        def claim(last: B | None, tried: tuple[int, ...]) -> Awaitable[B | None]:
            return self.due(Pass(wanted, last, tried))

        return each_tried(self.learning, self.clock, claim, self._carried_out)

    async def _carried_out(self, attempt: Attempt, batch: B) -> AsyncGenerator[E, None]:
        """Yields how the batch runs, then how it ended. Raises StorageError where a failure can not be written."""
        running = self.running(batch)
        outcome = running
        async with attempt:
            if self.tells_beginning:
                yield running
            outcome = await self._outcome(attempt, batch, running)
        yield self.failed(attempt, running) if attempt.failed is not None else outcome

    async def _outcome(self, attempt: Attempt, batch: B, running: E) -> E:
        answer = await self.ask(attempt, batch)
        if answer is None:
            await attempt.fail(RunState.UNREADABLE, UNREADABLE)
            return running
        return await self.settle(attempt, batch, await self.judge(attempt, batch, answer), running)

    def failed(self, attempt: Attempt, running: E) -> E:
        """The event of a run that failed."""
        state = "failed" if attempt.failed is RunState.FAILED else "unreadable"
        return replace(running, state=state, error=attempt.error, next_at=attempt.next_at)
