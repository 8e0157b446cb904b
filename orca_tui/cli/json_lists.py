"""Lists of a JSON document that goes out piece by piece."""

from __future__ import annotations

import json
from collections.abc import Callable


class JsonList:
    """The members of a JSON list, behind what begins it."""

    def __init__(self, write: Callable[[str], object], beginning: str) -> None:
        self._write = write
        self._beginning = beginning
        self._separator = ""

    def begin(self) -> None:
        self._write(self._beginning)
        self._beginning = ""

    def add(self, member: object) -> None:
        self.begin()
        self._write(self._separator + json.dumps(member, ensure_ascii=False))
        self._separator = ", "
