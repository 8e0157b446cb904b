"""What the files of other programs hold, before anything is decided about it."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from enum import StrEnum

from msgspec import Struct

from orca_core.model.exchange import Brought
from orca_core.model.memories import MemoryType


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
    """Why nothing is brought in of an entry."""

    NO_TEXT = "no_text"
    """None of the fields that hold a text is there, or it is no text."""
    PUT_AWAY = "put_away"
    """The other program calls it deleted, or switched off."""
    TOO_SHORT = "too_short"
    TOO_LONG = "too_long"
    NO_STATEMENT = "no_statement"
    """A chat in which nobody plainly says anything of themselves."""


class ForeignMemory(Struct, frozen=True):
    """A memory of another program. `place` says where it stands in the file; `key` is its own name there, empty where
    it has none, and stays the same from one export to the next."""

    format: ForeignFormat
    text: str
    place: str
    said_at: datetime | None = None
    key: str = ""
    chat: str = ""
    tags: tuple[str, ...] = ()


class ForeignText(Struct, frozen=True):
    """A text that tells several things: a list with a memory a line, or prose in paragraphs. One that `instructs` says
    how its writer wants to be answered."""

    format: ForeignFormat
    text: str
    place: str
    said_at: datetime | None = None
    chat: str = ""
    instructs: bool = False


class ForeignMessage(Struct, frozen=True):
    """What a person wrote in a chat."""

    text: str
    place: str
    said_at: datetime | None = None


class ForeignChat(Struct, frozen=True):
    """A chat, of which only the person's own messages are kept, in their order."""

    format: ForeignFormat
    title: str
    place: str
    messages: tuple[ForeignMessage, ...]


class ForeignGap(Struct, frozen=True):
    """An entry that holds nothing."""

    format: ForeignFormat
    place: str
    why: Unread


class Offered(Struct, frozen=True):
    """What an entry becomes: a memory that waits for a person. `uid` is the same whenever the same entry is read. It is
    held back because it was `held_because`; `quote` is how a person said it in a chat."""

    format: ForeignFormat
    uid: str
    content: str
    type: MemoryType
    place: str
    held_because: str
    tags: tuple[str, ...] = ()
    confidence: float = 1.0
    said_at: datetime | None = None
    chat: str = ""
    quote: str | None = None


class LeftOut(Struct, frozen=True):
    """What is not brought in, and why; `text` is how it begins."""

    place: str
    why: Unread
    text: str = ""


class Repeated(Struct, frozen=True):
    """What a file says again that it said at `first`."""

    place: str
    first: str


class ForeignBrought(Struct, frozen=True):
    """What the import of another program's file came to: beside what came, how much was `left` out, by why, and how
    often something was said again."""

    brought: Brought
    left: Mapping[str, int]
    repeated: int


ForeignEntry = ForeignMemory | ForeignText | ForeignChat | ForeignGap
