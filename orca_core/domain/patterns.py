"""`pattern_of` in the place of `re.compile` where a module is imported: the pattern is compiled when it is first asked.

Rules have hundreds of them, and a command asks few: compiling all was a seventh of what it took."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

__all__ = ["pattern_of"]

if TYPE_CHECKING:
    from re import compile as pattern_of
else:

    def pattern_of(text, flags=0):
        """As `re.compile`, but that what is wrong with a pattern is told at its first use."""
        return _Later(text, flags)


class _Later:
    """Takes over from the pattern whatever it is asked for, so that each is asked for once."""

    def __init__(self, text: str, flags: int) -> None:
        self._text = text
        self._flags = flags

    def __getattr__(self, name: str) -> Any:
        value = getattr(re.compile(self._text, self._flags), name)
        self.__dict__[name] = value
        return value

    def __repr__(self) -> str:
        return f"pattern_of({self._text!r}, {self._flags!r})"

    def __reduce__(self) -> tuple[Any, ...]:
        return pattern_of, (self._text, self._flags)
