"""How far something is that takes long, for who waits for it."""

from __future__ import annotations

from collections.abc import Callable

from msgspec import Struct


class Reached(Struct, frozen=True):
    """So many of all in one stage, and how much of the next one, from 0 to 1."""

    stage: str
    done: int
    all: int
    part: float = 0.0

    @property
    def share(self) -> float:
        return (self.done + self.part) / self.all if self.all else 1.0


Tell = Callable[[Reached], None]
"""Hears how far it is; it may be called from another thread, but never twice at once."""


def tell_nobody(reached: Reached) -> None:
    """For who does not want to hear it."""
