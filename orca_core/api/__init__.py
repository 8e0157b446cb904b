"""What every front end holds: the app, the commands, later a server and a client that speaks to one over HTTP.

Values go in and come out, ids and not handles; nothing here is a flow, a setting or a threshold. What an `Engine` does
in this process another class can do over a wire with the JSON of `orca_core.serialize`. Whatever is asked may raise
OrcaError.

`Orca.events()` is one stream of all that changes. Operations, whoever made them, can be resumed: their number is the
cursor. Pieces of answers, how learning goes, levels and failures are live: who does not listen has missed them, and
looks again at what is stored.
"""

from __future__ import annotations

from collections.abc import AsyncGenerator
from typing import Protocol

from orca_core.api.deciding import Candidates, Inbox, Pairs
from orca_core.api.exchange import Exchange
from orca_core.api.feedback import Actions, ActsReading, Feedback, Pools
from orca_core.api.learning import Learning, Runs
from orca_core.api.memories import History, Memories, MemoryChanges, MemoryLists, Search
from orca_core.api.records import WorkChanges, WorkLists, WorkRecords
from orca_core.api.talk import Chats, Receipts, Sessions, Talk
from orca_core.api.tools import Guides, ToolLists, ToolMemory
from orca_core.api.upkeep import Background, Cleanup, Doctor, Levels, Saving, Unsubscribe, Upkeep
from orca_core.api.work import (
    ChatsRead,
    Consolidating,
    Contexts,
    Episodes,
    EveryCandidate,
    Forgetting,
    KnowledgeOfWork,
    Targets,
    TaskChanges,
    TaskLists,
    Tasks,
    TaskSteps,
    Work,
)
from orca_core.model.feed import Notice
from orca_core.model.views import About

__all__ = [
    "Actions",
    "ActsReading",
    "Background",
    "Candidates",
    "Chats",
    "ChatsRead",
    "Cleanup",
    "Consolidating",
    "Contexts",
    "Doctor",
    "Episodes",
    "EveryCandidate",
    "Exchange",
    "Feedback",
    "Forgetting",
    "Guides",
    "History",
    "Inbox",
    "KnowledgeOfWork",
    "Learning",
    "Levels",
    "Memories",
    "MemoryChanges",
    "MemoryLists",
    "Orca",
    "Pairs",
    "Pools",
    "Receipts",
    "Runs",
    "Saving",
    "Search",
    "Sessions",
    "Talk",
    "Targets",
    "TaskChanges",
    "TaskLists",
    "TaskSteps",
    "Tasks",
    "ToolLists",
    "ToolMemory",
    "Unsubscribe",
    "Upkeep",
    "Work",
    "WorkChanges",
    "WorkLists",
    "WorkRecords",
]


class Orca(Protocol):
    """All of it. Close it with `aclose`."""

    @property
    def has_changed(self) -> bool:
        """Whether something was changed by hand since it is open."""
        ...

    @property
    def about(self) -> About: ...
    @property
    def chat(self) -> Talk: ...
    @property
    def memories(self) -> Memories: ...
    @property
    def search(self) -> Search: ...
    @property
    def history(self) -> History: ...
    @property
    def exchange(self) -> Exchange: ...
    @property
    def inbox(self) -> Inbox: ...
    @property
    def sessions(self) -> Sessions: ...
    @property
    def runs(self) -> Runs: ...
    @property
    def extraction(self) -> Learning: ...
    @property
    def worker(self) -> Background: ...
    @property
    def upkeep(self) -> Upkeep: ...
    @property
    def work(self) -> Work: ...
    @property
    def feedback(self) -> Feedback: ...
    @property
    def tools(self) -> ToolMemory: ...
    @property
    def guides(self) -> Guides: ...
    @property
    def saves(self) -> Saving: ...
    @property
    def levels(self) -> Levels: ...
    @property
    def cleanup(self) -> Cleanup: ...
    @property
    def doctor(self) -> Doctor: ...
    async def aclose(self) -> None: ...

    def events(self, after: int | None = None) -> AsyncGenerator[Notice, None]:
        """All that changes from now on; with `after` first every operation that is newer."""
        ...

    async def reached(self) -> int | None:
        """The newest operation, as the `after` of a later `events`; None where it can not be read."""
        ...
