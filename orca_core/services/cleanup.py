"""Cleaning by hand: what would go, and letting it go."""

from __future__ import annotations

from collections.abc import Callable

from orca_core.jobs.cleaning import Cleaning
from orca_core.model.memories import Cleaned
from orca_core.model.operations import Tell, tell_nobody


class Cleanup:
    """What the daily job does, now. `changed` is called where it changed something."""

    def __init__(self, cleaning: Cleaning, changed: Callable[[], None]) -> None:
        self._cleaning = cleaning
        self._changed = changed

    async def preview(self, tell: Tell = tell_nobody) -> Cleaned:
        """What a cleaning would do now. Changes nothing."""
        return await self._cleaning.due(tell)

    async def run(self, tell: Tell = tell_nobody) -> Cleaned:
        """Do all of it. Raises StorageError."""
        return self._told(await self._cleaning.run(tell))

    async def merge(self) -> Cleaned:
        """Merge what says just the same, and nothing else. Raises StorageError."""
        return self._told(await self._cleaning.merge())

    def _told(self, cleaned: Cleaned) -> Cleaned:
        if not cleaned.is_empty:
            self._changed()
        return cleaned
