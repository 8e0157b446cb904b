"""Episodes, looked at, found and changed by hand."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from msgspec.structs import replace

from orca_core.model.episodes import EPISODES, Episode, EpisodeSort, WorkFound, WorkQuery
from orca_core.model.llm import Clock
from orca_core.model.operations import RecordsChanged
from orca_core.model.views import EpisodeView, RecordPage
from orca_core.rules.work import edits, orders
from orca_core.services.records import RecordActions
from orca_core.services.shared.given import checked
from orca_core.services.work.search import WorkSearch
from orca_core.services.work.views import EpisodeViews
from orca_core.store.protocols.records import RecordStore


@checked
class Episodes(RecordActions[Episode]):
    """What was done and how it ended."""

    def __init__(
        self,
        store: RecordStore[Episode],
        search: WorkSearch[Episode],
        views: EpisodeViews,
        changed: Callable[[], None],
        clock: Clock,
    ) -> None:
        super().__init__(EPISODES, store, changed, clock)
        self._search = search
        self._views = views

    async def page(self, query: WorkQuery) -> RecordPage[Episode]:
        """Raises InvalidInput for an unknown status or order. No column holds the importance, which changes by the day:
        all are read and put in order here."""
        if query.sort != EpisodeSort.IMPORTANCE:
            return await super().page(query)
        everything = await super().page(replace(query, limit=None, offset=0))
        ordered = orders.by_importance(everything.records, self._clock.now())
        end = None if query.limit is None else query.offset + query.limit
        return RecordPage(tuple(ordered[query.offset : end]), everything.total)

    async def views(self, episodes: Sequence[Episode]) -> list[EpisodeView]:
        """With what people see of them: how important they are, and when they fade."""
        return await self._views.of(episodes)

    async def search(self, text: str, limit: int) -> WorkFound[Episode]:
        """The live ones nearest to a text, best first."""
        return await self._search.find(text, limit)

    async def edit(
        self,
        episode_id: int,
        *,
        trigger: str | None = None,
        target: str | None = None,
        steps: Sequence[str] | None = None,
        outcome: str | None = None,
        outcome_summary: str | None = None,
        tags: Sequence[str] | None = None,
    ) -> RecordsChanged[Episode]:
        """Raises InvalidInput, NotFound."""
        change = edits.edit_episode(
            trigger=trigger, target=target, steps=steps, outcome=outcome, outcome_summary=outcome_summary, tags=tags
        )
        return await self.change_each("edit", [episode_id], change)
