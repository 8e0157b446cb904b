"""Makes a value on first use: commands that list memories load no model client."""

from __future__ import annotations

from collections.abc import Callable
from typing import Generic, TypeVar

T = TypeVar("T")


class Lazy(Generic[T]):
    """Makes its value once, at the first `get`."""

    def __init__(self, make: Callable[[], T]) -> None:
        self._make = make
        self._made: list[T] = []

    def get(self) -> T:
        if not self._made:
            self._made.append(self._make())
        return self._made[0]

    @property
    def made(self) -> T | None:
        """The value; None before the first `get`."""
        return self._made[0] if self._made else None
