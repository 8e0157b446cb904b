"""What forgetting needs from a database."""

from __future__ import annotations

from datetime import datetime
from typing import Protocol

from orca_core.domain.work.views import EpisodeAge


class FadingStore(Protocol):
    """How old and how used the episodes are."""

    async def ages(self) -> list[EpisodeAge]:
        """Of every live episode of this scope, by its number."""
        ...

    async def faded_until(self, at: datetime) -> list[int]:
        """The episodes of this scope that faded by then and are not deleted yet, the first to fade first."""
        ...
