"""Calls of tools: recorded, counted, and what they taught, by the names of the tools."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Sequence
from typing import Any, Protocol

from orca_core.model.errors import InvalidInput, NotFound
from orca_core.model.events import GuideMade
from orca_core.model.llm import Clock
from orca_core.model.operations import Actor, OperationHeader
from orca_core.model.tools import (
    CallsTaken,
    Guide,
    GuideView,
    NewCall,
    RefusedCall,
    StepCall,
    ToolCall,
    ToolFigures,
    ToolsFound,
)
from orca_core.rules.tooling import calls as rules
from orca_core.rules.tooling.names import asked_for, folded
from orca_core.rules.tooling.session_content import calls_in
from orca_core.services.shared.given import checked
from orca_core.services.tools.guide_views import GuideViews
from orca_core.services.tools.naming import NamedTools
from orca_core.services.tools.task_calls import TaskCalls
from orca_core.settings.feedback import ToolSettings
from orca_core.store.protocols import ToolStore


class WritesGuides(Protocol):
    @property
    def is_on(self) -> bool: ...

    def run(self, tool: str = "") -> AsyncIterator[GuideMade]: ...


@checked
class Tools:
    """What tools did. `called` is called after each call that was new."""

    def __init__(
        self,
        store: ToolStore,
        named: NamedTools,
        views: GuideViews,
        of_tasks: TaskCalls,
        job: WritesGuides,
        called: Callable[[], None],
        clock: Clock,
        settings: ToolSettings,
    ) -> None:
        self._store = store
        self._named = named
        self._views = views
        self._of_tasks = of_tasks
        self._job = job
        self._called = called
        self._clock = clock
        self._settings = settings

    @property
    def is_on(self) -> bool:
        return self._settings.enabled

    @property
    def is_writing(self) -> bool:
        """Whether guides are written."""
        return self._job.is_on

    async def record(self, calls: Sequence[Any], session_id: str = "") -> CallsTaken | None:
        """Each once, however often it is reported; one that is malformed is refused by itself, with its place. None
        where calls are not kept."""
        return await self._recorded(list(enumerate(calls)), [], session_id)

    async def record_session(self, content: Any, session_id: str = "") -> CallsTaken | None:
        """The calls in a session as a client hands it over; a message that can't be read is refused by itself."""
        return await self._recorded(*calls_in(content), session_id)

    async def _recorded(
        self, given: Sequence[tuple[int, Any]], refused: Sequence[RefusedCall], session_id: str
    ) -> CallsTaken | None:
        if not self.is_on:
            return None
        now = self._clock.now()
        read: list[NewCall] = []
        refused = list(refused)
        for place, each in given:
            try:
                read.append(rules.checked(each, now, session_id))
            except InvalidInput as error:
                refused.append(RefusedCall(place, error))
        taken = await self._store.record(read) if read else CallsTaken()
        if taken.taken:
            self._called()
        return CallsTaken(taken.taken, taken.known, tuple(sorted(refused, key=lambda each: each.place)))

    async def figures(self, tools: Sequence[str] | None = None) -> list[ToolFigures]:
        """Of these tools, in their order; of all, the most used first, where none are named."""
        return await self._store.figures(tools)

    async def calls(self, tool: str, limit: int) -> list[ToolCall]:
        """Newest first."""
        return await self._store.calls(tool, limit)

    async def calls_of_task(self, task_id: int) -> list[StepCall]:
        """Those that its steps made, in their order. Raises NotFound."""
        return await self._of_tasks.of(task_id)

    async def show(self, tool: str) -> GuideView:
        """Raises NotFound for a tool of which nothing is known."""
        found = await self._views.of_tool(tool)
        if found is None:
            raise NotFound(what="tool", id=tool, hint="orca tool list shows those that are known")
        return found

    async def every(self) -> list[GuideView]:
        """Every tool that was called, the most used first; then those of which a guide alone is left."""
        return await self._views.every()

    async def guides_of(self, tool: str) -> list[Guide]:
        """Every guide of a tool, also such as were put away."""
        return await self._views.guides_of(tool)

    async def views(self, guides: Sequence[Guide]) -> list[GuideView]:
        """These guides, each with the figures of its tool."""
        return await self._views.views(guides)

    async def tool_memory(self, query: str) -> ToolsFound:
        """The tools that a query names, between commas, in its order; names are exact, but for case. What it returns
        counts as accessed."""
        names = asked_for(query)
        found = await self._named.known(names)
        await self._named.returned([each.guide for each in found if each.guide is not None])
        known = {folded(each.figures.tool) for each in found}
        return ToolsFound(tuple(found), tuple(each for each in names if folded(each) not in known))

    def write(self, tool: str = "") -> AsyncIterator[GuideMade]:
        """Write the guides of all tools with new calls now, or that of one."""
        return self._job.run(tool)

    async def delete(self, tool: str) -> int:
        """All its calls, for good; returns how many there were. Raises NotFound."""
        deleted = await self._store.delete(tool, OperationHeader(Actor.USER, "delete", self._clock.now()))
        if not deleted:
            raise NotFound(what="tool", id=tool, hint="orca tool list shows those that are known")
        self._called()
        return deleted
