"""Looking records up by their numbers, where some may be gone."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from typing import TypeVar

from orca_core.model.errors import NotFound

R = TypeVar("R")


async def left_of(get: Callable[[Sequence[int]], Awaitable[list[R]]], ids: Sequence[int]) -> list[R]:
    """The records that were not deleted."""
    left = list(dict.fromkeys(ids))
    while left:
        try:
            return await get(left)
        except NotFound as gone:
            left = [each for each in left if each != gone.fields["id"]]
    return []
