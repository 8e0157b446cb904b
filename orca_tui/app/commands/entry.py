"""What a command is to who lists it: a name, words, and what it does with a desk of any kind."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Generic, TypeVar

from msgspec import Struct

D = TypeVar("D")


class Entry(Struct, Generic[D], frozen=True):
    """One command. `words` are marked with `N_`; `run` has the text behind its name."""

    name: str
    words: str
    run: Callable[[D, str], Awaitable[object] | None]
    wants_text: bool = False
