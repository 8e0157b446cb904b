"""Looking memories up by their numbers, where some may be gone."""

from __future__ import annotations

from collections.abc import Sequence

from orca_core.api import Orca
from orca_core.domain.errors import NotFound
from orca_core.domain.memories import Memory


async def left_of(engine: Orca, ids: Sequence[int]) -> list[Memory]:
    """The memories that were not deleted."""
    left = list(dict.fromkeys(ids))
    while left:
        try:
            return await engine.memories.get(left)
        except NotFound as gone:
            left = [each for each in left if each != gone.fields["id"]]
    return []
