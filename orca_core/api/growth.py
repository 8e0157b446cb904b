"""Growth: what acts show, what supports it, and what tools taught."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping, Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Any, Protocol

from orca_core.api.records import WorkRecords
from orca_core.domain.work.tools import CallsTaken, Guide, GuideView, StepCall, ToolCall, ToolFigures, ToolsFound

if TYPE_CHECKING:
    from orca_core.domain.events import ActsRead, GuideMade
    from orca_core.domain.feedback.actions import Action, ActionRecorded
    from orca_core.domain.feedback.supports import Carried, Weighed
    from orca_core.domain.journal import RecordsChanged
    from orca_core.domain.learning import Wanted
    from orca_core.domain.queries import RecordPage
    from orca_core.domain.views import ViewPage


class Actions(Protocol):
    """Acts of the user. Each is one operation, which can be undone."""

    @property
    def is_on(self) -> bool: ...

    async def record(
        self,
        type_word: str,
        session_id: str,
        *,
        round: int | None = None,  # as its users call it
        round_id: int | None = None,
        message: str = "",
        task: int | None = None,
        tool: str = "",
        call: str = "",
        data: Mapping[str, Any] | None = None,
        at: datetime | None = None,
    ) -> ActionRecorded | None:
        """None where acts are switched off. Raises InvalidInput where the act is unknown, or does not say what it is
        about."""
        ...

    async def marks(self, session_id: str) -> list[Action]:
        """The acts of a session that stand and show as marks."""
        ...

    async def get(self, ids: Sequence[int]) -> list[Action]: ...

    async def speaks_for(self, ids: Sequence[int]) -> Mapping[int, tuple[int, ...]]:
        """The memories that each of these acts supports, as far as both stand; only acts that support some."""
        ...

    async def page(
        self,
        *,
        session_id: str | None = None,
        type_words: Sequence[str] = (),
        standing: bool = False,
        limit: int | None = None,
        offset: int = 0,
    ) -> RecordPage[Action]:
        """Newest first; with `standing` those alone that were not taken back, and of the types that are named."""
        ...


class Pools(Protocol):
    """What is known of the user, in the three pools that clients know."""

    async def weighed(self, memory_ids: Sequence[int] | None = None) -> Mapping[int, Weighed]:
        """How near these candidates are to going live, every one where none are named. What is no candidate is left
        out."""
        ...

    async def page(self, pool: str, limit: int | None = None, offset: int = 0) -> ViewPage:
        """`candidates`, oldest first; of what lives `info` (facts, projects, events) and `profile` (preferences,
        instructions), the weightiest first. Raises InvalidInput."""
        ...

    async def carried(self, memory_ids: Sequence[int]) -> Mapping[int, Carried]:
        """What speaks for these memories, also for such as live; those that nothing speaks for are left out."""
        ...

    async def searched(self, memory_ids: Sequence[int]) -> None:
        """A program's search returned these: the candidates among them are visited by that."""
        ...


class ActsReading(Protocol):
    """Reading what acts show, asked for and watched."""

    @property
    def is_on(self) -> bool: ...

    def run(self, wanted: Wanted) -> AsyncIterator[ActsRead]: ...


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
    """What tools did, and what that taught. Guides are records of work (`Growth.guides`)."""

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


class Growth(Protocol):
    """All of it in one hand."""

    @property
    def actions(self) -> Actions: ...

    @property
    def pools(self) -> Pools: ...

    @property
    def reading(self) -> ActsReading: ...

    @property
    def tools(self) -> ToolMemory: ...

    @property
    def guides(self) -> Guides: ...
