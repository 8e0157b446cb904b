"""Upkeep by hand: cleaning, the gate of forgetting, and indexes made anew."""

from __future__ import annotations

from collections.abc import Callable, Collection

from orca_core.jobs.cleaning import Cleaning
from orca_core.jobs.retention import EpisodeForgetting
from orca_core.model.llm import Clock
from orca_core.model.memories import CleaningReport
from orca_core.model.operations import StageProgress, Tell, tell_nobody
from orca_core.model.record_types import EPISODE
from orca_core.model.views import EpisodeView, ForgettingReport, ForgottenEpisodes
from orca_core.operations.stores import Stores
from orca_core.rules.work import retention
from orca_core.services.work_records import Episodes
from orca_core.settings import ForgetSettings


class Cleanup:
    """What the daily job does, now. `changed` is called where it changed something."""

    def __init__(self, cleaning: Cleaning, changed: Callable[[], None]) -> None:
        self._cleaning = cleaning
        self._changed = changed

    async def preview(self, tell: Tell = tell_nobody) -> CleaningReport:
        """What a cleaning would do now. Changes nothing."""
        return await self._cleaning.due(tell)

    async def run(self, tell: Tell = tell_nobody) -> CleaningReport:
        """Do all of it. Raises StorageError."""
        return self._told(await self._cleaning.run(tell))

    async def merge(self) -> CleaningReport:
        """Merge what says just the same, and nothing else. Raises StorageError."""
        return self._told(await self._cleaning.merge())

    def _told(self, cleaned: CleaningReport) -> CleaningReport:
        if not cleaned.is_empty:
            self._changed()
        return cleaned


class ForgettingActions:
    """What the daily job does, now, and told. A run is one operation, and can be undone; what it deletes can not."""

    def __init__(
        self,
        fading: EpisodeForgetting,
        episodes: Episodes,
        stores: Stores,
        changed: Callable[[], None],
        clock: Clock,
        forget: ForgetSettings,
    ) -> None:
        self._fading = fading
        self._episodes = episodes
        self._stores = stores
        self._changed = changed
        self._clock = clock
        self._forget = forget

    async def preview(self) -> ForgettingReport:
        """What a run would do now. Changes nothing."""
        return await self._told(await self._fading.due())

    async def run(self) -> ForgettingReport:
        """Forget what is due, and delete for good what was forgotten long ago. Raises StorageError."""
        faded = await self._fading.run()
        self._changed()
        return await self._told(faded)

    async def _told(self, faded: ForgottenEpisodes) -> ForgettingReport:
        return ForgettingReport(
            forgotten=tuple(await self._of(faded.episodes)),
            above_cap=frozenset(faded.above_cap),
            deleted=faded.deleted,
            operation=faded.operation,
            next=await self._next(faded.episodes),
        )

    async def _next(self, besides: Collection[int]) -> EpisodeView | None:
        """The episode that goes next."""
        gone = frozenset(besides)
        left = [each for each in await self._stores.retention.ages() if each.id not in gone]
        found = retention.next_to_go(left, self._clock.now(), self._forget)
        views = [] if found is None else await self._of([found.id])
        return views[0] if views else None

    async def _of(self, ids: Collection[int]) -> list[EpisodeView]:
        """Without those that are deleted by now."""
        there = await self._stores.records[EPISODE].get(list(ids), missing_ok=True) if ids else []
        return await self._episodes.views(there)


RECORDS, VECTORS, MESSAGES = "records", "vectors", "messages"
"""What it tells that it is indexing."""
TOLD_EVERY_S = 0.2


async def reindexed(stores: Stores, model: str, tell: Tell) -> None:
    """The words of every kind, the vectors that `model` made, then what was said. Raises StorageError."""
    counts = await stores.upkeep.counts()
    before, whole = 0, sum(counts.values())
    for kind, count in counts.items():
        await stores.upkeep.mend(kind, _telling(tell, RECORDS, before, whole))
        before += count
    have, _whole = await stores.vectors.progress(model)
    await stores.vectors.refresh_index(model, _telling(tell, VECTORS, 0, have))
    await reindexed_messages(stores, tell)


def _telling(tell: Tell, stage: str, before: int, whole: int) -> Callable[[int], None]:
    return lambda done: tell(StageProgress(stage, min(before + done, whole), whole))


async def reindexed_messages(stores: Stores, tell: Tell) -> None:
    """What was said. Raises StorageError."""
    await stores.messages.rebuild()
    whole = left = await stores.messages.backlog()
    while left:
        tell(StageProgress(MESSAGES, whole - left, whole))
        before, left = left, await stores.messages.catch_up(TOLD_EVERY_S)
        if left >= before:  # others write, too; the work in the background does the rest
            break
