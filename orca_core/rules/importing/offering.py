"""What an entry of another program's file becomes: memories that wait for a person."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import UTC, date, datetime, time
from hashlib import blake2b

from msgspec.structs import replace

from orca_core.model.import_export import (
    ForeignChat,
    ForeignEntry,
    ForeignFormat,
    ForeignGap,
    ForeignMemory,
    ForeignText,
    LeftOut,
    Offered,
    Unread,
)
from orca_core.model.memories import MemoryType
from orca_core.rules.importing import statements
from orca_core.rules.importing.dating import dated
from orca_core.rules.importing.listed import listed_in
from orca_core.rules.learning.provenance.judging import Held
from orca_core.rules.requests.remembering import remembered_type, sensitive_reason
from orca_core.rules.text.cleaning import MEMORY_LIMITS, clean_memory, one_line
from orca_core.rules.text.statements import statement

UNDATED = "undated"
"""Why one waits that counts from a day which its file does not tell."""
CHAT_CHARS = 200
TAG_CHARS = 40
MOST_TAGS = 10
"""So much is kept of a title, of a tag, and of tags. Chosen by hand."""
_SHOWN_CHARS = 80


def offers(entry: ForeignEntry, told: Callable[[], None] = lambda: None) -> Iterator[Offered | LeftOut]:
    """What becomes of an entry, in its order; `told` is called for each message of a chat, which may have many."""
    match entry:
        case ForeignGap():
            yield LeftOut(entry.place, entry.why)
        case ForeignMemory():
            yield _offered(entry, key=entry.key)
        case ForeignText():
            yield from _offered_of_text(entry)
        case ForeignChat():
            yield from _offered_of_chat(entry, told)


def _offered_of_text(entry: ForeignText) -> Iterator[Offered | LeftOut]:
    """The heading above a memory tells where it belongs, as the title of a chat does."""
    for each in listed_in(entry.text, is_prose=entry.format is not ForeignFormat.LINES):
        place = f"{entry.place}, line {each.line}" if entry.place else f"line {each.line}"
        said_at = _midday(each.said_on) if each.said_on is not None else entry.said_at
        memory = ForeignMemory(entry.format, each.text, place, said_at, chat=entry.chat or each.heading)
        yield _offered(memory, MemoryType.INSTRUCTION if entry.instructs else None)


def _offered_of_chat(entry: ForeignChat, told: Callable[[], None]) -> Iterator[Offered | LeftOut]:
    found = False
    for said, message in statements.statements_of(entry, told):
        memory = ForeignMemory(entry.format, said, message.place, message.said_at, chat=entry.title)
        offered = _offered(memory)
        if isinstance(offered, Offered):
            found = True
            yield replace(offered, quote=clean_memory(said), confidence=statements.CONFIDENCE)
    if not found:
        yield LeftOut(entry.place, Unread.NO_STATEMENT, one_line(entry.title, _SHOWN_CHARS))


def _offered(memory: ForeignMemory, kind: MemoryType | None = None, key: str = "") -> Offered | LeftOut:
    shortest, longest = MEMORY_LIMITS
    # Cleaning takes out at most what no one sees: a text this long is too long however much of it goes.
    content = clean_memory(memory.text) if len(memory.text) <= 100 * longest else memory.text
    shown = one_line(memory.text, _SHOWN_CHARS)
    if len(content) < shortest:
        return LeftOut(memory.place, Unread.TOO_SHORT, shown)
    if len(content) > longest:
        return LeftOut(memory.place, Unread.TOO_LONG, shown)
    said_on = memory.said_at.astimezone().date() if memory.said_at is not None else None
    lasting = dated(content, said_on)
    held = sensitive_reason(content) or (UNDATED if lasting is None else Held.IMPORTED.value)
    if lasting is not None and len(lasting) <= longest:
        content = lasting
    return Offered(
        memory.format,
        uid_of(memory.format, key or statement(content) or content),
        content,
        kind or remembered_type(content),
        memory.place,
        held,
        tags=_tags(memory.tags),
        said_at=memory.said_at,
        chat=one_line(memory.chat, CHAT_CHARS),
    )


def uid_of(whose: ForeignFormat, name: str) -> str:
    """The name of a memory that was offered in, the same in every home."""
    return blake2b(f"{whose.value}\0{name}".encode(), digest_size=16).hexdigest()


def _tags(given: tuple[str, ...]) -> tuple[str, ...]:
    cleaned = (clean_memory(tag[: 10 * TAG_CHARS])[:TAG_CHARS].strip() for tag in given[:MOST_TAGS])
    return tuple(dict.fromkeys(filter(None, cleaned)))


def _midday(day: date) -> datetime:
    """A day without its hour: at noon in UTC it is the same day nearly everywhere."""
    return datetime.combine(day, time(12), UTC)
