"""Searching what was said: what is asked for, and what comes back."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from enum import StrEnum

from msgspec import Struct


class Speaker(StrEnum):
    USER = "user"
    ASSISTANT = "assistant"


class MessageSort(StrEnum):
    NEW = "new"
    BEST = "best"


class MessageQuery(Struct, frozen=True):
    """Which messages to find: those that hold every word of `text`, in one session or in all, said by one or by
    both."""

    text: str
    session_id: str | None = None
    speaker: Speaker | None = None
    sort: MessageSort = MessageSort.NEW
    limit: int = 20


class FoundMessage(Struct, frozen=True):
    """A message that holds what was looked for."""

    session_id: str
    title: str
    round: int
    role: str
    content: str
    at: datetime


class Snippet(Struct, frozen=True):
    """A piece of a message on one line, cleaned; `marks` are the places in it that hold what was looked for, each from
    its first character to behind its last, in order."""

    text: str
    marks: tuple[tuple[int, int], ...] = ()


class MessageHit(Struct, frozen=True):
    """A message that was found, as it is shown."""

    session_id: str
    title: str
    round: int
    speaker: Speaker
    at: datetime
    snippet: Snippet


class MessagesFound(Struct, frozen=True):
    """`has_more` where further ones hold the words; `waiting` counts the messages that are not indexed yet, and were
    not searched."""

    hits: tuple[MessageHit, ...]
    has_more: bool = False
    waiting: int = 0


class MessageIndexState(Struct, frozen=True):
    """How the index stands to the messages. `missing` are neither in it nor wait to be, `orphans` are in it without a
    message that stands; `missed` are some of the rounds, by session and number, of what is missing."""

    indexed: int
    waiting: int
    missing: int
    orphans: int
    is_stale: bool = False
    """Whether it was made by other rules than those that search in it now."""
    is_damaged: bool = False
    """Whether it can't be searched at all."""
    missed: tuple[tuple[str, int], ...] = ()

    @property
    def is_in_step(self) -> bool:
        return not (self.missing or self.orphans or self.is_stale or self.is_damaged)


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
