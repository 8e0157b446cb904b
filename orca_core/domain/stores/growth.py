"""Acts, what supports memories, and tools, as ports; the rules come in as arguments."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Protocol

from orca_core.domain.growth.actions import Action, ActionRecorded, ActionType
from orca_core.domain.growth.reading import ActBatch, ChooseActs, Grown, Promotion, Shown
from orca_core.domain.growth.supports import ChoosePromoted, Support, Supported
from orca_core.domain.growth.tools import (
    CallsTaken,
    DueGuides,
    Guide,
    GuideBatch,
    GuideWritten,
    JudgedGuide,
    NewCall,
    ToolCall,
    ToolFigures,
)
from orca_core.domain.journal import OperationHeader
from orca_core.domain.learning import DroppedFact, Due, RunEnd
from orca_core.domain.settling import Settle


class ActionStore(Protocol):
    """Acts. Recording one is an operation, which can be undone; a delete (`records[ACTION]`) can not."""

    async def record(self, action: Action, header: OperationHeader) -> ActionRecorded:
        """The act, those that it takes back, and what follows for the memories that these supported, in one
        transaction. An act that stands already is not recorded twice."""
        ...

    async def standing(self, session_id: str, types: Sequence[ActionType]) -> list[Action]:
        """The acts of these types that stand in a session, oldest first; none on an attempt that was replaced."""
        ...


class ActReadings(Protocol):
    """Runs that read what acts show. They fail, wait and are given back as those of the learning queue."""

    async def waiting(self) -> int: ...

    async def claim(self, due: Due, choose: ChooseActs) -> ActBatch | None:
        """Acts that are due: of a run that was cut short or failed, else of a new one. Acts that no longer stand are
        left out; the try counts from here on."""
        ...

    async def finish(
        self, batch: ActBatch, shown: Sequence[Shown], dropped: Sequence[DroppedFact], settle: Settle, ended: RunEnd
    ) -> Grown | None:
        """What was shown, settled beside what is known, its supports, and the end of the run, in one transaction. What
        only acts that were taken back meanwhile show is left out. None where the batch is void."""
        ...


class SupportStore(Protocol):
    """What speaks for memories."""

    async def of(self, memory_ids: Sequence[int]) -> Mapping[int, tuple[Support, ...]]:
        """The supports that stand, oldest first; only memories that have some."""
        ...

    async def pool(self) -> list[Supported]:
        """Every candidate of its own scope, with what supports it."""
        ...

    async def promote(self, header: OperationHeader, choose: ChoosePromoted) -> Promotion:
        """The candidate that the rule chooses goes live, in one operation."""
        ...

    async def searched(self, memory_ids: Sequence[int], at: datetime) -> None:
        """A program's search returned these; candidates among them are visited by that."""
        ...


class ToolStore(Protocol):
    """Calls of tools, and the runs that write guides of them."""

    async def record(self, calls: Sequence[NewCall]) -> CallsTaken:
        """Each call once, however often it is reported: known by session and call id, else by tool, input, output and
        time. Only the latest of a tool keep input and output."""
        ...

    async def calls(self, tool: str, limit: int) -> list[ToolCall]:
        """Newest first."""
        ...

    async def figures(self, tools: Sequence[str] | None = None) -> list[ToolFigures]:
        """Of these tools, by their folded names; of all, the most used first, where none are named."""
        ...

    async def guides(self, tools: Sequence[str]) -> list[Guide]:
        """The live guides of these tools, by their folded names."""
        ...

    async def claim(self, due: DueGuides) -> GuideBatch | None: ...

    async def finish(self, batch: GuideBatch, judged: JudgedGuide | None, ended: RunEnd) -> GuideWritten | None: ...

    async def next_at(self, due: DueGuides) -> datetime | None:
        """When the next guide is due, if nothing happens until then."""
        ...

    async def delete(self, tool: str, header: OperationHeader) -> int:
        """For good: its calls; returns how many there were. Its guide is a record, and deleted as one."""
        ...
