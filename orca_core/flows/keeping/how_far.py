"""How far an examination of the doctor is."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TypeVar

from orca_core.domain.progress import Reached, Tell

T = TypeVar("T")

WEIGHTS = {"database": 3, "secrets": 20, "duplicates": 10, "search index": 3}
"""How long a check takes beside the others, roughly as measured on 6,000 memories: without it nobody could guess how
long the rest takes."""


class HowFar:
    """Tells it of each check, and within those that read much."""

    def __init__(self, tell: Tell) -> None:
        self._tell = tell
        self._name = ""
        self._done = 0
        self._all = 0

    def through(self, looks: Mapping[str, T]) -> Iterator[tuple[str, T]]:
        """Each check in its turn."""
        self._all = sum(_weight(name) for name in looks)
        for name, look in looks.items():
            self._name = name
            self._tell(Reached(name, self._done, self._all))
            yield name, look
            self._done += _weight(name)

    def within(self, share: float) -> None:
        """How much of the check that is made now is done, from 0 to 1."""
        self._tell(Reached(self._name, self._done, self._all, share * _weight(self._name)))


def _weight(name: str) -> int:
    return WEIGHTS.get(name, 1)
