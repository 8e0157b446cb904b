"""What is known of tools by their names: of those that a program asks for, and of those that a text or a task names."""

from __future__ import annotations

from collections.abc import Sequence

from orca_core.model.llm import Clock
from orca_core.model.operations import Actor, OperationHeader
from orca_core.model.tasks import Step
from orca_core.model.tools import Guide, GuideView, ToolFigures, no_calls
from orca_core.rules.tooling.names import folded, named_by
from orca_core.rules.work.curation import accessed
from orca_core.settings.feedback import ToolSettings
from orca_core.store.protocols import GuideStore, RecordStore, ToolStore

MOST = 3
"""So many guides a turn, or a context, gets at most. Chosen by hand."""


class NamedTools:
    """Finds guides by the exact names of their tools, but for case; no likeness brings one."""

    def __init__(
        self, tools: ToolStore, guides: GuideStore, records: RecordStore[Guide], clock: Clock, settings: ToolSettings
    ) -> None:
        self._tools = tools
        self._guides = guides
        self._records = records
        self._clock = clock
        self._settings = settings

    async def known(self, names: Sequence[str]) -> list[GuideView]:
        """In their order. A tool whose calls were deleted is known by its guide."""
        figures = {folded(each.tool): each for each in await self._tools.figures(names)}
        guides = {folded(each.target): each for each in await self._guides.of_tools(names)}
        found = []
        for each in dict.fromkeys(map(folded, names)):
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
        with_guides = map(folded, await self._guides.tools())
        named = named_by(text, steps, with_guides)
        found = await self.known(named) if named else []
        return [(each.guide, each.figures) for each in found if each.guide is not None]

    async def returned(self, guides: Sequence[Guide]) -> None:
        """That they were given to who asked: one operation a request, which is nobody's to undo."""
        if guides:
            now = self._clock.now()
            header = OperationHeader(Actor.TURN, "access", now)
            ids = [each.id for each in guides]
            await self._records.change_all(ids, header, lambda some: {each.id: accessed(each, now) for each in some})
