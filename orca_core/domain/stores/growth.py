"""Acts, what supports memories, and tools, as ports; the rules come in as arguments."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Protocol

from orca_core.domain.feedback.actions import Action, ActionRecorded, ActionType
from orca_core.domain.feedback.reading import ActBatch, ChooseActs, Grown, Promotion, Shown
from orca_core.domain.feedback.supports import ChoosePromoted, Support, Supported, Visited
from orca_core.domain.journal import OperationHeader, RecordsChanged
from orca_core.domain.learning import DroppedFact, Due, RunEnd
from orca_core.domain.settling import Settle
from orca_core.domain.work.records import ChangeOne
from orca_core.domain.work.tools import (
    CallsTaken,
    DueGuides,
    Guide,
    GuideBatch,
    GuideWritten,
    JudgedGuide,
    NewCall,
    ToolCall,
    ToolFigures,
    WaitingTool,
)


class ActionStore(Protocol):
    """Acts. Recording one is an operation, which can be undone; a delete (`records[ACTION]`) can not."""

    async def record(self, action: Action, header: OperationHeader) -> ActionRecorded:
        """The act, those that it takes back, and what follows for the memories that these supported, in one
        transaction. An act that stands already is not recorded twice."""
        ...

    async def standing(self, session_id: str, types: Sequence[ActionType]) -> list[Action]:
        """The acts of these types that stand in a session, oldest first; none on an attempt that was replaced."""
        ...

    async def speaks_for(self, action_ids: Sequence[int]) -> Mapping[int, tuple[int, ...]]:
        """The memories that each of these acts supports, as far as both stand; only acts that support some."""
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

    async def pool_about(self, held_because: str, ids: Sequence[int]) -> tuple[list[Supported], list[Visited]]:
        """Of the candidates of its own scope those that are held for this, and these, with what supports them; of all
        others when they were visited."""
        ...

    async def searched(self, memory_ids: Sequence[int], at: datetime) -> None:
        """A program's search returned these; candidates among them are visited by that."""
        ...


class PromotionStore(Protocol):
    """Runs in which the verifier reads the acts that a candidate is to go live by. They fail, wait and are given back
    as those of the learning queue."""

    async def claim(self, due: Due, choose: ChoosePromoted) -> ActBatch | None:
        """The candidate that is due, with the acts that are shown of it: of a run that was cut short or failed, else of
        a new one. The try counts from here on."""
        ...

    async def finish(self, batch: ActBatch, ended: RunEnd, *, lives: bool) -> Promotion | None:
        """It goes live, or waits for a person, in one operation, and the run ends, in one transaction. None where the
        batch is void: the candidate, what supports it, or what was read changed."""
        ...

    async def next_at(self) -> datetime | None:
        """When the first of those that failed is tried again."""
        ...


class ToolStore(Protocol):
    """Calls of tools, and what the database counts of them."""

    async def record(self, calls: Sequence[NewCall]) -> CallsTaken:
        """Each call once, however often it is reported (`rules.tooling.calls.identity`), in one transaction. Only the
        latest of a tool keep input and output."""
        ...

    async def calls(self, tool: str, limit: int) -> list[ToolCall]:
        """Newest first; a tool is found however its name is spelled."""
        ...

    async def of_steps(self, steps: Sequence[int]) -> list[ToolCall]:
        """The calls that these steps made, oldest first."""
        ...

    async def figures(self, tools: Sequence[str] | None = None) -> list[ToolFigures]:
        """Of these tools, in their order; of all, the most used first, where none are named."""
        ...

    async def delete(self, tool: str, header: OperationHeader) -> int:
        """For good: its calls, and the exchanges that show them; returns how many there were. Its guide is a record,
        and deleted as one."""
        ...


class GuideStore(Protocol):
    """Guides, and the runs that write them. These fail, wait and are given back as those of the learning queue."""

    async def tools(self) -> list[str]:
        """Those that have a live guide."""
        ...

    async def of_tools(self, tools: Sequence[str]) -> list[Guide]:
        """The live guides of these tools, however they are spelled, in their order."""
        ...

    async def waiting(self) -> list[WaitingTool]:
        """The tools with calls that no run has read."""
        ...

    async def claim(self, due: DueGuides) -> GuideBatch | None:
        """The tool that is due: of a run that was cut short or failed, else of a new one; the try counts from here
        on."""
        ...

    async def finish(self, batch: GuideBatch, judged: JudgedGuide | None, ended: RunEnd) -> GuideWritten | None:
        """The guide written, and the end of the run, in one transaction: one that is held back waits beside the live
        one. The calls count as read. None where the batch is void: a call was deleted, or a guide changed."""
        ...

    async def next_at(self, due: DueGuides) -> datetime | None:
        """When the next guide is due, if nothing happens until then."""
        ...

    async def accept(
        self, ids: Sequence[int], header: OperationHeader, change: ChangeOne[Guide]
    ) -> RecordsChanged[Guide]:
        """Bring guides to life by hand; what was known of their tools gives way to them. Raises NotFound, and
        InvalidInput where that is pinned."""
        ...
