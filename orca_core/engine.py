"""Orca without a screen: the flows of one database, in one scope."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Awaitable, Callable

from msgspec import Struct

from orca_core.domain.feed import Notice
from orca_core.domain.views import About
from orca_core.flows.growing.growth import Growth
from orca_core.flows.jobs.extraction import ExtractionJob
from orca_core.flows.jobs.upkeep import Upkeep
from orca_core.flows.jobs.worker import Worker
from orca_core.flows.keeping.cleanup import Cleanup
from orca_core.flows.keeping.doctor import Doctor
from orca_core.flows.keeping.exchange import Exchange
from orca_core.flows.keeping.history import History
from orca_core.flows.keeping.inbox import Inbox
from orca_core.flows.keeping.memories import Memories
from orca_core.flows.keeping.runs import Runs
from orca_core.flows.keeping.sessions import Sessions
from orca_core.flows.shared.levels import Levels
from orca_core.flows.shared.saves import Saves
from orca_core.flows.shared.search import MemorySearch
from orca_core.flows.shared.stream import Stream
from orca_core.flows.turn.chat import Chat
from orca_core.flows.turn.recall import Recall
from orca_core.flows.working.memory import AgentMemory
from orca_core.flows.working.work import Work
from orca_core.settings import Settings


class Engine(Struct, frozen=True):
    """What a program holds to chat and to look after memories. Close it with `aclose`."""

    settings: Settings
    about: About
    chat: Chat
    recall: Recall
    memories: Memories
    history: History
    exchange: Exchange
    inbox: Inbox
    extraction: ExtractionJob
    worker: Worker
    upkeep: Upkeep
    work: Work
    growth: Growth
    memory: AgentMemory
    runs: Runs
    search: MemorySearch
    sessions: Sessions
    saves: Saves
    cleanup: Cleanup
    doctor: Doctor
    levels: Levels
    stream: Stream
    aclose: Callable[[], Awaitable[None]]

    def events(self, after: int | None = None) -> AsyncGenerator[Notice, None]:
        """All that changes from now on, after an operation's number first what was done since."""
        return self.stream.events(after)

    async def reached(self) -> int | None:
        """The newest operation, as the `after` of a later `events`; None where it can not be read."""
        return await self.stream.reached()
