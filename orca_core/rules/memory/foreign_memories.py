"""Find memories in the files of other programs: in a text that lists them (a memory a line, in paragraphs, with the
marks of Markdown). Words that count from a day long past ("tomorrow") are written out. Nobody has verified any."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from datetime import UTC, date, datetime, time
from hashlib import blake2b

from msgspec import Struct
from msgspec.structs import replace

from orca_core import words
from orca_core.model.errors import InvalidInput
from orca_core.model.import_export import (
    Arrival,
    ExportedRecord,
    ForeignEntry,
    ForeignFormat,
    ForeignMemory,
    IncomingRecord,
    OfferedMemory,
    SkippedEntry,
    SkipReason,
)
from orca_core.model.memories import MEMORIES, ImportSource, MemoryType, NewMemory, Origin, OriginKind, State
from orca_core.model.record_types import MEMORY
from orca_core.rules.learning.fact_provenance import Held
from orca_core.rules.memory.said_again import confirmed_at_birth
from orca_core.rules.requests.remember_and_forget import remembered_type, sensitive_reason
from orca_core.rules.text import typed_spans
from orca_core.rules.text.cleaning import MEMORY_LIMITS, clean_memory, one_line
from orca_core.rules.text.dates import dates_in
from orca_core.rules.text.relative_dates import ageing_words, day_meant
from orca_core.rules.text.spelling import language_of, statement

PROSE_CHARS = 300
"""A longer paragraph of prose is cut at its sentences, into pieces of so much: a person is to decide of each."""
HEADING_CHARS = 80
"""A line that ends in a colon is a heading, if it is no longer."""
MARKED_CHARS = 4_000
"""A longer line is too long for a memory, whatever marks it has: they are not looked for."""

_FENCE = re.compile(r"\s*(?:```|~~~)")
_RULE = re.compile(r"\s*(?:[-*_=]\s*){3,}|\s*\|?(?:\s*:?-{2,}:?\s*\|)+\s*(?::?-{2,}:?)?\s*")
_HEADING = re.compile(r"\s{0,3}#{1,6}\s+(?P<words>.*?)\s*#*\s*")
_BOLD_LINE = re.compile(r"\s*(?P<marks>\*\*|__)(?P<words>[^*_]+?):?(?P=marks):?\s*")
_BULLET = re.compile(r"(?P<indent>\s*)(?:[-*+•‣◦·▪–]|\(?\d{1,4}[.)]|[①-⑳])\s+(?:\[[ xX]\]\s+)?")
_BRACKET = re.compile(r"\[(?P<said>[^\[\]\n]{1,40})\](?P<between>\s*[-–—:.]+\s+|\s+)")
_DAY = r"(?P<year>(?:19|20)\d\d)[-/.](?P<month>0?[1-9]|1[0-2])(?:[-/.](?P<day>0?[1-9]|[12]\d|3[01]))?"
_ISO_DAY = re.compile(_DAY + r"(?!\d)")
_LEADING_DAY = re.compile(_DAY + r"(?:[T ]\d\d:\d\d(?::\d\d)?(?:Z|[+-]\d\d:?\d\d)?)?\s*(?:[-–—:|]+)\s+")
_EMPHASIS = re.compile(r"(\*\*|__)(?=\S)(.+?)(?<=\S)\1")


class Listed(Struct, frozen=True):
    """A memory of a list: the number of its line, the day that stands before it, the heading above it."""

    text: str
    line: int
    said_on: date | None = None
    heading: str = ""


def listed_in(text: str, *, is_prose: bool = False) -> Iterator[Listed]:
    """Yield what a text lists. In prose a long paragraph is several memories; in a list a line is one, however long."""
    for each in _joined(_lines_of(text)):
        for piece in _pieces(each.text) if is_prose else [each.text]:
            yield Listed(piece, each.line, each.said_on, each.heading)


def _lines_of(text: str) -> Iterator[tuple[Listed, bool]]:
    """The lines that say something, and whether one goes on with the bullet before it."""
    heading, is_in_bullet = "", False
    for number, line in enumerate(text.splitlines(), start=1):
        if len(line) > MARKED_CHARS:
            yield Listed(line.strip(), number, None, heading), False
            is_in_bullet = False
            continue
        if not line.strip() or _FENCE.match(line) or _RULE.fullmatch(line):
            is_in_bullet = is_in_bullet and bool(line.strip()) and not _FENCE.match(line)
            continue
        bullet = _BULLET.match(line)
        words = "" if bullet else _heading_in(line)
        if words:
            heading, is_in_bullet = words, False
            continue
        goes_on = is_in_bullet and bullet is None and line[:2].isspace()
        is_in_bullet = is_in_bullet or bullet is not None
        said_on, said = _dated(line[bullet.end() :] if bullet else line)
        if said:
            yield Listed(said, number, said_on, heading), goes_on


def _joined(lines: Iterator[tuple[Listed, bool]]) -> Iterator[Listed]:
    held: Listed | None = None
    for line, goes_on in lines:
        if held is not None and goes_on:
            held = Listed(f"{held.text} {line.text}", held.line, held.said_on, held.heading)
            continue
        if held is not None:
            yield held
        held = line
    if held is not None:
        yield held


def _heading_in(line: str) -> str:
    for shape in (_HEADING, _BOLD_LINE):
        if found := shape.fullmatch(line):
            return found["words"].strip(" *_:")
    bare = line.strip()
    return bare[:-1].strip(" *_") if bare.endswith((":", "：")) and len(bare) <= HEADING_CHARS else ""


def _dated(line: str) -> tuple[date | None, str]:
    """The day that stands before a memory, and the memory."""
    line = line.strip()
    day = None
    if found := _LEADING_DAY.match(line):
        day = _day_in(found[0])
        line = line[found.end() :]
    elif found := _BRACKET.match(line):
        day = _day_in(found["said"])
        # "[unknown] - likes tea": behind a dash what stands in the brackets is where a date belongs.
        if day is not None or found["between"].strip():
            line = line[found.end() :]
    return day, _EMPHASIS.sub(r"\2", line).strip()


def _day_in(text: str) -> date | None:
    if found := _ISO_DAY.search(text):
        parts = int(found["year"]), int(found["month"]), int(found["day"] or 1)
    else:
        written = next((each for each in dates_in(text) if each.year is not None), None)
        if written is None:
            return None
        parts = written.year or 0, written.month, written.day or 1
    try:
        return date(*parts)
    except ValueError:
        return None


def _pieces(paragraph: str) -> Iterator[str]:
    """A paragraph in pieces of whole sentences."""
    if len(paragraph) <= PROSE_CHARS:
        yield paragraph
        return
    held = ""
    for sentence in typed_spans.sentences(paragraph):
        said = paragraph[sentence.start : sentence.end].strip()
        if held and len(held) + len(said) >= PROSE_CHARS:
            yield held
            held = ""
        held = f"{held} {said}".strip()
    if held:
        yield held


def dated(text: str, said_on: date | None) -> str | None:
    """The text with the days that it counts written out, so that it can be read at any time; None where nobody knows
    the day on which it was said. Where its words give no single day, that day stands behind the text."""
    ageing = _longest(ageing_words(text))
    if not ageing:
        return text
    if said_on is None:
        return None
    language = language_of(text)
    written = text
    for word in ageing:
        day = day_meant(word, said_on)
        if day is None or word not in written:
            return _with_note(text.rstrip(" .。"), "said", said_on, language)
        written = written.replace(word, _with_note(word, "day", day, language), 1)
    return written


def _with_note(text: str, label: str, day: date, language: str) -> str:
    note = words.text("relative.written_out", label, language).format(day)
    return f"{text} {note}" if note.isascii() else f"{text}{note}"


def _longest(ageing: Sequence[str]) -> list[str]:
    """Without those that are part of another: "tomorrow" of "the day after tomorrow"."""
    once = list(dict.fromkeys(ageing))
    return [word for word in once if not any(word != other and word in other for other in once)]


UNDATED = "undated"
"""Why one waits that counts from a day which its file does not tell."""
CHAT_CHARS = 200
TAG_CHARS = 40
MOST_TAGS = 10
"""So much is kept of a title, of a tag, and of tags. Chosen by hand."""
_SHOWN_CHARS = 80


def offered_memories(entry: ForeignEntry) -> Iterator[OfferedMemory | SkippedEntry]:
    """Yield what becomes of an entry, in its order. The heading above a memory tells where it belongs, as the title of
    a chat does."""
    if isinstance(entry, SkippedEntry):
        yield entry
    elif isinstance(entry, ForeignMemory):
        yield _offered(entry, key=entry.key)
    else:
        for each in listed_in(entry.text, is_prose=entry.format is not ForeignFormat.LINES):
            place = f"{entry.place}, line {each.line}" if entry.place else f"line {each.line}"
            said_at = _midday(each.said_on) if each.said_on is not None else entry.said_at
            memory = ForeignMemory(entry.format, each.text, place, said_at, chat=entry.chat or each.heading)
            yield _offered(memory, MemoryType.INSTRUCTION if entry.instructs else None)


def _offered(memory: ForeignMemory, kind: MemoryType | None = None, key: str = "") -> OfferedMemory | SkippedEntry:
    shortest, longest = MEMORY_LIMITS
    # Cleaning takes out at most what no one sees: a text this long is too long however much of it goes.
    content = clean_memory(memory.text) if len(memory.text) <= 100 * longest else memory.text
    shown = one_line(memory.text, _SHOWN_CHARS)
    if len(content) < shortest:
        return SkippedEntry(memory.place, SkipReason.TOO_SHORT, shown)
    if len(content) > longest:
        return SkippedEntry(memory.place, SkipReason.TOO_LONG, shown)
    said_on = memory.said_at.astimezone().date() if memory.said_at is not None else None
    lasting = dated(content, said_on)
    held = sensitive_reason(content) or (UNDATED if lasting is None else Held.IMPORTED.value)
    if lasting is not None and len(lasting) <= longest:
        content = lasting
    return OfferedMemory(
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


MOST = 50_000
"""More than anybody decides of."""
_NEVER = datetime.min.replace(tzinfo=UTC)


class OfferedOnce:
    """Keeps one of what a file says several times, in the same words or under the same name."""

    def __init__(self) -> None:
        self._kept: list[OfferedMemory] = []
        self._places: dict[str, int] = {}

    def add(self, offered: OfferedMemory) -> bool:
        """Whether it is new. What is said again was said when it was said last. Raises InvalidInput for too many."""
        keys = (f"says {statement(offered.content) or offered.content}", f"is {offered.uid}")
        place = next((self._places[key] for key in keys if key in self._places), None)
        if place is not None:
            known = self._kept[place]
            latest = max(known, offered, key=lambda each: each.said_at or _NEVER)
            self._kept[place] = replace(known, said_at=latest.said_at, chat=latest.chat, seen=known.seen + 1)
            return False
        if len(self._kept) >= MOST:
            raise InvalidInput(
                template="the file holds more than {most} memories", hint="split it, and import its parts", most=MOST
            )
        self._places |= dict.fromkeys(keys, len(self._kept))
        self._kept.append(offered)
        return True

    def __iter__(self) -> Iterator[OfferedMemory]:
        return iter(self._kept)


def incoming_memory(offered: OfferedMemory, at: datetime, *, is_trusted: bool) -> IncomingRecord:
    """It waits for a person. With trust it lives, unless it holds what only its owner should confirm, or counts from a
    day that nobody knows."""
    lives = is_trusted and offered.held_because == Held.IMPORTED.value
    new = NewMemory(
        offered.content,
        offered.type,
        offered.tags,
        origin=Origin(OriginKind.IMPORT),
        state=State.LIVE if lives else State.CANDIDATE,
        held_because=None if lives else offered.held_because,
        elsewhere=ImportSource(offered.format.value, offered.chat),
    )
    memory = new.born(offered.uid, at, confirmed_at_birth(new))
    memory = replace(memory, created_at=min(offered.said_at or at, at), seen=offered.seen)
    fields = MEMORIES.plain(memory, [name for name in MEMORIES.names if name != "id"])
    record = ExportedRecord(MEMORY, fields, place=offered.place)
    return IncomingRecord(record, Arrival.NEW if lives else Arrival.CANDIDATE)
