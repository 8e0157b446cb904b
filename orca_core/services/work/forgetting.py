"""The gate of forgetting by hand: what would go and why, and letting it go."""

from __future__ import annotations

from collections.abc import Callable, Collection

from orca_core.jobs.retention import Fading
from orca_core.model.llm import Clock
from orca_core.model.records import EPISODE
from orca_core.model.views import EpisodeView, Faded, FadeReport
from orca_core.rules.forgetting import gate
from orca_core.services.work.views import EpisodeViews
from orca_core.settings.work import ForgetSettings
from orca_core.store.protocols import Stores


class Forgetting:
    """What the daily job does, now, and told. A run is one operation, and can be undone; what it deletes can not."""

    def __init__(
        self,
        fading: Fading,
        views: EpisodeViews,
        stores: Stores,
        changed: Callable[[], None],
        clock: Clock,
        forget: ForgetSettings,
    ) -> None:
        self._fading = fading
        self._views = views
        self._ages = stores.fading
        self._records = stores.records
        self._changed = changed
        self._clock = clock
        self._forget = forget

    async def preview(self) -> FadeReport:
        """What a run would do now. Changes nothing."""
        return await self._told(await self._fading.due())

    async def run(self) -> FadeReport:
        """Forget what is due, and delete for good what was forgotten long ago. Raises StorageError."""
        faded = await self._fading.run()
        self._changed()
        return await self._told(faded)

    async def _told(self, faded: Faded) -> FadeReport:
        return FadeReport(
            forgotten=tuple(await self._of(faded.episodes)),
            above_cap=frozenset(faded.above_cap),
            deleted=faded.deleted,
            operation=faded.operation,
            next=await self._next(faded.episodes),
        )

    async def _next(self, besides: Collection[int]) -> EpisodeView | None:
        """The episode that goes next."""
        gone = frozenset(besides)
        left = [each for each in await self._ages.ages() if each.id not in gone]
        found = gate.next_to_go(left, self._clock.now(), self._forget)
        views = [] if found is None else await self._of([found.id])
        return views[0] if views else None

    async def _of(self, ids: Collection[int]) -> list[EpisodeView]:
        """Without those that are deleted by now."""
        return await self._views.of(await self._records[EPISODE].get(list(ids), missing_ok=True)) if ids else []
