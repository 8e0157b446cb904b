"""The port of searching what was said. The index follows from the messages, and can be made anew."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from msgspec import Struct

from orca_core.domain.message_search import FoundMessage, MessageIndexState, Speaker


class Phrase(Struct, frozen=True):
    """Words that stand behind each other; where it `is_open` the last one may go on."""

    words: tuple[str, ...]
    is_open: bool = False


Judge = Callable[[str], int | None]
"""The rule that reads a message that may hold what is looked for (`rules.text.sought`): None where it does not, else
how many of the terms it holds as whole words."""


class MessagesSought(Struct, frozen=True):
    """Which messages a store is to find; what holds the terms that are looked for holds all of these phrases."""

    phrases: tuple[Phrase, ...]
    limit: int
    session_id: str | None = None
    speaker: Speaker | None = None
    best_first: bool = False


class MessagesHeld(Struct, frozen=True):
    """What a store found; `unsearched` are so many messages that wait to be indexed, where these are very many."""

    messages: tuple[FoundMessage, ...]
    unsearched: int = 0


class MessageSearch(Protocol):
    """Finding messages of this scope that stand: of each round its latest attempt."""

    async def find(self, sought: MessagesSought, judge: Judge) -> MessagesHeld:
        """Newest first, or best first: those that hold most terms as whole words, by how telling they are; of very
        many the newest are compared. A few that wait to be indexed are read one by one."""
        ...

    async def backlog(self) -> int:
        """How many messages of any scope wait to be indexed."""
        ...

    async def catch_up(self, patience_s: float | None = None) -> int:
        """Index what waits, newest first, in transactions that other writers need not wait for; after `patience_s` the
        rest is left. Returns how many wait."""
        ...

    async def examine(self) -> MessageIndexState: ...

    async def rebuild(self) -> None:
        """Drop the index. All messages wait to be indexed."""
        ...
