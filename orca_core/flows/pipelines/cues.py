"""Writes cues for memories that have none: those added by hand, those imported without, and those of older versions."""

from __future__ import annotations

import json
from collections.abc import AsyncGenerator, Mapping, Sequence
from datetime import datetime, timedelta
from pathlib import Path
from typing import ClassVar

from orca_core.domain.errors import BadModelReply
from orca_core.domain.events import CuesWritten
from orca_core.domain.journal import Actor, OperationHeader
from orca_core.domain.memories import Memory
from orca_core.domain.messages import ChatMessage
from orca_core.domain.ports import Clock
from orca_core.domain.stores import CueQueue, MemoryStore
from orca_core.flows.jobs.extraction_prompt import Instructions
from orca_core.flows.jobs.job import EverythingWanted, Job, JobEvent, News, RoundRecorded
from orca_core.flows.jobs.memory_agent import MemoryAgent
from orca_core.flows.shared.spending import Spending
from orca_core.rules.keeping import cueing
from orca_core.rules.learning.agent.cue_reading import read_cues
from orca_core.rules.text.languages import language_of
from orca_core.settings import Settings

BATCH = 10
"""Memories in one call. Chosen by hand."""
QUIET = timedelta(minutes=1)
"""Nobody waits for cues: so long after the last round, and between two calls. A command that ends sooner makes none.
Chosen by hand."""
CALLS_A_DAY = 20
"""So many calls a day a large store without cues may cost, the heaviest memories first. Chosen by hand."""


class Cueing(Job):
    """One call a time, each an operation of its own, which can be undone. What the agent can't be understood about
    twice is left alone until Orca starts again."""

    name: ClassVar[str] = "cues"
    needs_lead: ClassVar[bool] = True
    asks_agent: ClassVar[bool] = True

    def __init__(
        self,
        cues: CueQueue,
        memories: MemoryStore,
        agent: MemoryAgent,
        agents_folder: Path | None,
        spending: Spending,
        clock: Clock,
        settings: Settings,
    ) -> None:
        self._cues = cues
        self._memories = memories
        self._agent = agent
        self._instructions = Instructions("cue_writer", agents_folder)
        self._spending = spending
        self._clock = clock
        self._settings = settings
        self._not_before = clock.now() + QUIET
        self._not_understood: dict[int, int] = {}

    @property
    def is_on(self) -> bool:
        memory = self._settings.memory
        return memory.enabled and memory.long_term.enabled and self._settings.memory_agent.enabled

    def hear(self, news: News) -> None:
        match news:
            case RoundRecorded():
                self._not_before = self._clock.now() + QUIET
            case EverythingWanted():
                self._not_before = self._clock.now()

    async def work(self) -> AsyncGenerator[JobEvent, None]:
        if self._clock.now() >= self._not_before and (waiting := await self._waiting()):
            self._not_before = self._clock.now() + QUIET
            yield await self._write(waiting)

    async def next_at(self) -> datetime | None:
        return self._not_before if await self._waiting() else None

    def broke(self, error: str, next_at: datetime) -> JobEvent | None:  # it is tried again by itself
        return CuesWritten((), error)

    async def _waiting(self) -> list[Memory]:
        """The next memories; none where today's calls are used up."""
        refused = {number for number, times in self._not_understood.items() if times > 1}
        found = await self._cues.waiting(BATCH + len(refused))
        waiting = [memory for memory in found if memory.id not in refused][:BATCH]
        return waiting if waiting and await self._calls_today() < CALLS_A_DAY else []

    async def _calls_today(self) -> int:
        return sum(each.calls for each in await self._spending.report(days=1) if each.job == self.name)

    async def _write(self, waiting: Sequence[Memory]) -> CuesWritten:
        """Raises ModelError, ConfigError or StorageError."""
        proposed = await self._proposed(waiting)
        shown = {memory.id: memory.content for memory in waiting}
        header = OperationHeader(Actor.CUES, "cues", self._clock.now())
        there = await self._memories.get(list(shown), missing_ok=True)  # one may be deleted meanwhile
        changed = await self._memories.change([memory.id for memory in there], header, cueing.cued(proposed, shown))
        return CuesWritten(tuple(memory.id for memory in changed.memories))

    async def _proposed(self, waiting: Sequence[Memory]) -> Mapping[int, Sequence[object]]:
        language = language_of("\n".join(memory.content for memory in waiting))
        rows = [{"id": memory.id, "text": memory.content} for memory in waiting]
        messages = [
            ChatMessage("system", self._instructions.text(language)),
            ChatMessage("user", json.dumps({"memories": rows}, ensure_ascii=False)),
        ]
        said = await self._agent.ask(messages, new=messages, as_json=True, job=self.name)
        proposed = read_cues(said.text)
        if proposed is None:
            for memory in waiting:
                self._not_understood[memory.id] = self._not_understood.get(memory.id, 0) + 1
            raise BadModelReply(provider=self._agent.name, template="{provider}: the cues could not be read")
        return proposed
