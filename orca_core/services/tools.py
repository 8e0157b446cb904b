"""Tools as they were used: calls that are reported, their figures, their guides, and tools that are known by name."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Sequence
from typing import TYPE_CHECKING, Any

from orca_core.model.errors import InvalidInput, NotFound
from orca_core.model.events import GuideMade
from orca_core.model.feedback import Action, ActionType
from orca_core.model.llm import Clock
from orca_core.model.memories import State
from orca_core.model.operations import Actor, OperationHeader
from orca_core.model.record_types import GUIDE
from orca_core.model.tasks import Step, Task
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
    no_calls,
)
from orca_core.model.views import RecordQuery
from orca_core.operations.stores import Stores
from orca_core.rules.feedback.signals import is_same_act
from orca_core.rules.work import reported_calls, work_curation
from orca_core.rules.work.reported_calls import (
    call_name,
    calls_in_session,
    fold_tool,
    listed_tool_names,
    tools_named_by_task,
)
from orca_core.settings import ToolSettings

if TYPE_CHECKING:
    from orca_core.pipelines.guides import GuidePipeline

MOST = 3
"""So many guides a turn, or a context, gets at most. Chosen by hand."""


class NamedTools:
    """Finds guides by the exact names of their tools, but for case; no likeness brings one."""

    def __init__(self, stores: Stores, clock: Clock, settings: ToolSettings) -> None:
        self._stores = stores
        self._clock = clock
        self._settings = settings

    async def known(self, names: Sequence[str]) -> list[GuideView]:
        """In their order. A tool whose calls were deleted is known by its guide."""
        figures = {fold_tool(each.tool): each for each in await self._stores.tools.figures(names)}
        guides = {fold_tool(each.target): each for each in await self._stores.tools.guides_of(names)}
        found = []
        for each in dict.fromkeys(map(fold_tool, names)):
            guide = guides.get(each)
            if each in figures:
                found.append(GuideView(figures[each], guide))
            elif guide is not None:
                found.append(GuideView(no_calls(guide.target), guide))
        return found

    async def guides_for(self, text: str, steps: Sequence[Step]) -> list[tuple[Guide, ToolFigures]]:
        """The live guides of the tools that a text names, then of those that the steps of its task do."""
        if not self._settings.enabled:
            return []
        with_guides = map(fold_tool, await self._stores.tools.with_guides())
        named = tools_named_by_task(text, steps, with_guides)
        found = await self.known(named) if named else []
        return [(each.guide, each.figures) for each in found if each.guide is not None]

    async def returned(self, guides: Sequence[Guide]) -> None:
        """That they were given to who asked: one operation a request, which is nobody's to undo."""
        if guides:
            now = self._clock.now()
            header = OperationHeader(Actor.TURN, "access", now)
            ids = [each.id for each in guides]
            accessed = work_curation.count_access
            await self._stores.records[GUIDE].change_all(
                ids, header, lambda some: {each.id: accessed(each, now) for each in some}
            )


COLLECT = ActionType.COLLECT_TOOL


class Tools:
    """What tools did, and their guides. `called` is called after each call that was new."""

    def __init__(
        self,
        stores: Stores,
        named: NamedTools,
        job: GuidePipeline,
        called: Callable[[], None],
        clock: Clock,
        settings: ToolSettings,
    ) -> None:
        self._stores = stores
        self._named = named
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
        return await self._recorded(*calls_in_session(content), session_id)

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
                read.append(reported_calls.checked_call(each, now, session_id))
            except InvalidInput as error:
                refused.append(RefusedCall(place, error))
        taken = await self._stores.tools.record(read) if read else CallsTaken()
        if taken.taken:
            self._called()
        return CallsTaken(taken.taken, taken.known, tuple(sorted(refused, key=lambda each: each.place)))

    async def figures(self, tools: Sequence[str] | None = None) -> list[ToolFigures]:
        """Of these tools, in their order; of all, the most used first, where none are named."""
        return await self._stores.tools.figures(tools)

    async def calls(self, tool: str, limit: int) -> list[ToolCall]:
        """Newest first."""
        return await self._stores.tools.calls(tool, limit)

    async def calls_of_task(self, task_id: int) -> list[StepCall]:
        """Those that its steps made, each with its star (an act, which is recorded as any other is), in the order of
        the steps, and of one step oldest first. Raises NotFound."""
        [whole] = await self._stores.tasks.get([task_id])
        task, steps = whole.task, {step.id: step for step in whole.steps}
        calls = await self._stores.tools.of_steps(list(steps))
        stars = await self._stores.feedback.standing(task.session_id, (COLLECT,)) if calls else []
        made = [(steps[each.step], each) for each in calls if each.step is not None]
        found = [StepCall(step.number, each, call_name(each, step)) for step, each in made]
        return sorted((_with_star(each, task, stars) for each in found), key=lambda each: (each.step, each.call.id))

    async def show(self, tool: str) -> GuideView:
        """Raises NotFound for a tool of which nothing is known."""
        found = next((each for each in await self.every() if fold_tool(each.figures.tool) == fold_tool(tool)), None)
        if found is None:
            raise _unknown(tool)
        return found

    async def every(self) -> list[GuideView]:
        """Every tool that was called, the most used first; then those of which a guide alone is left. A guide that
        waits is for people alone: what programs get is found by `NamedTools`."""
        live, waiting = await self._by_tool(State.LIVE), await self._by_tool(State.CANDIDATE)
        figures = {fold_tool(each.tool): each for each in await self.figures()}
        for guide in (*live.values(), *waiting.values()):
            figures.setdefault(fold_tool(guide.target), no_calls(guide.target))
        return [_view(each, live.get(name), waiting.get(name)) for name, each in figures.items()]

    async def guides_of(self, tool: str) -> list[Guide]:
        """Every guide of a tool, also such as were put away."""
        page = await self._stores.records[GUIDE].page(RecordQuery({}, order=("id",), counted=False))
        return [each for each in page.records if fold_tool(each.target) == fold_tool(tool)]

    async def views(self, guides: Sequence[Guide]) -> list[GuideView]:
        """These guides, each with the figures of its tool."""
        figures = {fold_tool(each.tool): each for each in await self.figures([each.target for each in guides])}
        return [_view(figures.get(fold_tool(each.target), no_calls(each.target)), each) for each in guides]

    async def _by_tool(self, state: State) -> dict[str, Guide]:
        query = RecordQuery({"state": (state.value,)}, order=("id",), counted=False)
        return {fold_tool(each.target): each for each in (await self._stores.records[GUIDE].page(query)).records}

    async def tool_memory(self, query: str) -> ToolsFound:
        """The tools that a query names, between commas, in its order; names are exact, but for case. What it returns
        counts as accessed."""
        names = listed_tool_names(query)
        found = await self._named.known(names)
        await self._named.returned([each.guide for each in found if each.guide is not None])
        known = {fold_tool(each.figures.tool) for each in found}
        return ToolsFound(tuple(found), tuple(each for each in names if fold_tool(each) not in known))

    def write(self, tool: str = "") -> AsyncIterator[GuideMade]:
        """Write the guides of all tools with new calls now, or that of one."""
        return self._job.run(tool)

    async def delete(self, tool: str) -> int:
        """All its calls, for good; returns how many there were. Raises NotFound."""
        deleted = await self._stores.tools.delete(tool, OperationHeader(Actor.USER, "delete", self._clock.now()))
        if not deleted:
            raise _unknown(tool)
        self._called()
        return deleted


def _unknown(tool: str) -> NotFound:
    return NotFound(what="tool", id=tool, hint="orca tool list shows those that are known")


def _view(figures: ToolFigures, guide: Guide | None, waiting: Guide | None = None) -> GuideView:
    return GuideView(figures, guide, waiting, None if guide is None else work_curation.status_of(guide))


def _with_star(each: StepCall, task: Task, stars: list[Action]) -> StepCall:
    meant = Action(0, "", COLLECT, task.session_id, each.call.at, task=task.id, tool=each.call.tool, call=each.name)
    is_collected = any(is_same_act(star, meant) for star in stars)
    return StepCall(each.step, each.call, each.name, is_collected)
