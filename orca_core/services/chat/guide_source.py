"""The source of guides: one stands before the model where the turn's text, or a step of the current task, names its
very tool; nothing else brings it."""

from __future__ import annotations

from collections.abc import Sequence

from orca_core.model.recall import Item, Level, ScoreParts
from orca_core.model.tasks import Step
from orca_core.model.tools import GUIDES, Guide, ToolFigures
from orca_core.rules.retrieval.choosing.ranking import OVER_LIMIT, Selection
from orca_core.rules.tooling.lines import guide_line
from orca_core.services.chat.sources import EMPTY, Looking
from orca_core.services.tools.naming import MOST, NamedTools
from orca_core.store.protocols import TaskStore

REASON = "tool"


class GuideSource:
    """One line of each. Those beyond the limit stand in the receipt. `tasks` is None where none are kept."""

    def __init__(self, named: NamedTools, tasks: TaskStore | None) -> None:
        self._named = named
        self._tasks = tasks

    async def select(self, looking: Looking) -> Selection:
        request = looking.request
        if looking.level >= Level.SHORT_TERM_ONLY:
            return EMPTY
        found = await self._named.guides_for(request.text, await self._steps(request.session_id))
        return Selection(
            tuple(_item(guide, figures, REASON) for guide, figures in found[:MOST]),
            tuple(_item(guide, figures, OVER_LIMIT) for guide, figures in found[MOST:]),
        )

    async def _steps(self, session_id: str) -> Sequence[Step]:
        current = None if self._tasks is None else await self._tasks.current(session_id, with_results=False)
        return () if current is None else current.steps


def _item(guide: Guide, figures: ToolFigures, reason: str) -> Item:
    """A person named it: no score brought it."""
    line = guide_line(guide, figures)
    return Item(GUIDES.ref(guide), line, ScoreParts(), reason, GUIDES.kind.name, GUIDES.made_at(guide))
