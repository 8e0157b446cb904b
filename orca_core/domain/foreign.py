"""What the files of other programs hold, before anything is decided about it."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum


class ForeignFormat(StrEnum):
    """Whose file it is, by what it holds."""

    MEM0 = "mem0"
    CHATGPT = "chatgpt"
    CLAUDE = "claude"
    RECORDS = "records"
    """Objects with a text each, of no program in particular."""
    LINES = "lines"
    """A text: a memory a line."""


class Unread(StrEnum):
    """Why an entry holds nothing that could be brought in."""

    NO_TEXT = "no_text"
    """None of the fields that hold a text is there, or it is no text."""
    PUT_AWAY = "put_away"
    """The other program calls it deleted, or switched off."""


@dataclass(frozen=True, slots=True)
class ForeignMemory:
    """A memory of another program. `place` says where it stands in the file; `key` is its own name there, empty where
    it has none, and stays the same from one export to the next."""

    format: ForeignFormat
    text: str
    place: str
    said_at: datetime | None = None
    key: str = ""
    chat: str = ""
    tags: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ForeignText:
    """A text that tells several things: a list with a memory a line, or prose in paragraphs. One that `instructs` says
    how its writer wants to be answered."""

    format: ForeignFormat
    text: str
    place: str
    said_at: datetime | None = None
    chat: str = ""
    instructs: bool = False


@dataclass(frozen=True, slots=True)
class ForeignMessage:
    """What a person wrote in a chat."""

    text: str
    place: str
    said_at: datetime | None = None


@dataclass(frozen=True, slots=True)
class ForeignChat:
    """A chat, of which only the person's own messages are kept, in their order."""

    format: ForeignFormat
    title: str
    place: str
    messages: tuple[ForeignMessage, ...]


@dataclass(frozen=True, slots=True)
class ForeignGap:
    """An entry that holds nothing."""

    format: ForeignFormat
    place: str
    why: Unread


ForeignEntry = ForeignMemory | ForeignText | ForeignChat | ForeignGap
