"""What forgetting needs from a database."""

from __future__ import annotations

from typing import Protocol

from orca_core.domain.work.views import EpisodeAge


class FadingStore(Protocol):
    """How old and how used the episodes are."""

    async def ages(self) -> list[EpisodeAge]:
        """Of every live episode of this scope, by its number."""
        ...
