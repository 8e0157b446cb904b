"""What forgetting needs from a database."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Protocol

from orca_core.model.operations import OperationHeader
from orca_core.model.views import EpisodeAge


class FadingStore(Protocol):
    """How old and how used the episodes are."""

    async def ages(self) -> list[EpisodeAge]:
        """Of every live episode of this scope, by its number."""
        ...

    async def faded_until(self, at: datetime) -> list[int]:
        """The episodes of this scope that faded by then and are not deleted yet, the first to fade first."""
        ...

    async def delete_faded(self, ids: Sequence[int], header: OperationHeader) -> list[int]:
        """For good, in one operation, those that are there and still faded: one that was brought back meanwhile is left
        alone. Returns them. Old pages are wiped by `Housekeeping.idle`."""
        ...
