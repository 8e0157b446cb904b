"""Tools and their guides, as ports; the rules come in as arguments."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Protocol

from orca_core.model.episodes import ChangeOne
from orca_core.model.learning import RunEnd
from orca_core.model.operations import OperationHeader, RecordsChanged
from orca_core.model.tools import (
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


class ToolStore(Protocol):
    """Calls of tools, and what the database counts of them."""

    async def record(self, calls: Sequence[NewCall]) -> CallsTaken:
        """Each call once, however often it is reported (`rules.work.tool_calls.identity`), in one transaction. Only the
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
