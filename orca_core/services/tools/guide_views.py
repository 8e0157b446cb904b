"""Tools as people see them: their figures, the guide that lives, the one that waits."""

from __future__ import annotations

from collections.abc import Sequence

from orca_core.model.memories import State
from orca_core.model.tools import Guide, GuideView, ToolFigures, no_calls
from orca_core.model.views import RecordQuery
from orca_core.rules.tooling.names import folded
from orca_core.rules.work import curation
from orca_core.store.protocols import RecordStore, ToolStore


class GuideViews:
    """What waits is for people alone: what programs get is found by `NamedTools`."""

    def __init__(self, tools: ToolStore, records: RecordStore[Guide]) -> None:
        self._tools = tools
        self._records = records

    async def every(self) -> list[GuideView]:
        """Every tool that was called, the most used first; then those of which a guide alone is left."""
        live, waiting = await self._by_tool(State.LIVE), await self._by_tool(State.CANDIDATE)
        figures = {folded(each.tool): each for each in await self._tools.figures()}
        for guide in (*live.values(), *waiting.values()):
            figures.setdefault(folded(guide.target), no_calls(guide.target))
        return [_view(each, live.get(name), waiting.get(name)) for name, each in figures.items()]

    async def of_tool(self, tool: str) -> GuideView | None:
        return next((each for each in await self.every() if folded(each.figures.tool) == folded(tool)), None)

    async def guides_of(self, tool: str) -> list[Guide]:
        """Every guide of a tool, also such as were put away."""
        page = await self._records.page(RecordQuery({}, order=("id",), counted=False))
        return [each for each in page.records if folded(each.target) == folded(tool)]

    async def views(self, guides: Sequence[Guide]) -> list[GuideView]:
        """These guides, each with the figures of its tool."""
        figures = {folded(each.tool): each for each in await self._tools.figures([each.target for each in guides])}
        return [_view(figures.get(folded(each.target), no_calls(each.target)), each) for each in guides]

    async def _by_tool(self, state: State) -> dict[str, Guide]:
        query = RecordQuery({"state": (state.value,)}, order=("id",), counted=False)
        return {folded(each.target): each for each in (await self._records.page(query)).records}


def _view(figures: ToolFigures, guide: Guide | None, waiting: Guide | None = None) -> GuideView:
    return GuideView(figures, guide, waiting, None if guide is None else curation.status_of(guide))
