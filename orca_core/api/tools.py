"""Tools: what they did, and what that taught."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Protocol

from orca_core.api.records import WorkRecords
from orca_core.model.work.tools import CallsTaken, Guide, GuideView, StepCall, ToolCall, ToolFigures, ToolsFound

if TYPE_CHECKING:
    from orca_core.model.events import GuideMade
    from orca_core.model.journal import RecordsChanged


class ToolLists(Protocol):
    """Looking at tools: their calls, what is counted of them, their guides."""

    async def every(self) -> list[GuideView]:
        """Every tool that was called, the most used first; then those of which a guide alone is left."""
        ...

    async def show(self, tool: str) -> GuideView:
        """Raises NotFound for a tool of which nothing is known."""
        ...

    async def guides_of(self, tool: str) -> list[Guide]:
        """Every guide of a tool, also such as were put away."""
        ...

    async def views(self, guides: Sequence[Guide]) -> list[GuideView]:
        """These guides, each with the figures of its tool."""
        ...

    async def figures(self, tools: Sequence[str] | None = None) -> list[ToolFigures]:
        """Of these tools, in their order; of all, the most used first, where none are named."""
        ...

    async def calls(self, tool: str, limit: int) -> list[ToolCall]:
        """Newest first."""
        ...

    async def calls_of_task(self, task_id: int) -> list[StepCall]:
        """Those that its steps made, in their order, each with the name by which acts mean it. Raises NotFound."""
        ...

    async def tool_memory(self, query: str) -> ToolsFound:
        """The tools that a query names, between commas, in its order; names are exact, but for case."""
        ...


class ToolMemory(ToolLists, Protocol):
    """What tools did, and what that taught. Guides are records of work (`Orca.guides`)."""

    @property
    def is_on(self) -> bool: ...

    @property
    def is_writing(self) -> bool:
        """Whether guides are written."""
        ...

    async def record(self, calls: Sequence[Mapping[str, Any]], session_id: str = "") -> CallsTaken | None:
        """Each once, however often it is reported; one that is malformed is refused by itself, with its place. None
        where calls are not kept."""
        ...

    def write(self, tool: str = "") -> AsyncIterator[GuideMade]:
        """Write the guides of all tools with new calls now, or that of one."""
        ...

    async def delete(self, tool: str) -> int:
        """All its calls, for good; returns how many there were. Raises NotFound."""
        ...


class Guides(WorkRecords[Guide], Protocol):
    """What calls of tools taught. One guide of a tool lives: one that is accepted or restored takes the place of
    another, unless that is pinned."""

    async def edit(self, guide_id: int, text: str) -> RecordsChanged[Guide]:
        """What a person wrote no run changes, unless a person asks for it."""
        ...
