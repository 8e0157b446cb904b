"""Find memories in the files of other programs: in a text that lists them (a memory a line, in paragraphs, with the
marks of Markdown), and in what a person says of themselves in a chat, word for word. Nobody has verified these: they
wait for a person, whatever the import trusts. Words that count from a day long past ("tomorrow") are written out."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from datetime import UTC, date, datetime, time
from hashlib import blake2b

from msgspec import Struct
from msgspec.structs import replace

from orca_core import words
from orca_core.model.import_export import (
    ForeignChat,
    ForeignEntry,
    ForeignFormat,
    ForeignGap,
    ForeignMemory,
    ForeignMessage,
    ForeignText,
    LeftOut,
    Offered,
    Unread,
)
from orca_core.model.memories import MemoryType
from orca_core.rules.learning.fact_provenance import Held
from orca_core.rules.requests.question_signs import MASK, own_words, without_opening
from orca_core.rules.requests.remember_and_forget import remembered_type, sensitive_reason
from orca_core.rules.text import typed_spans
from orca_core.rules.text.cleaning import MEMORY_LIMITS, clean_memory, clean_message, one_line
from orca_core.rules.text.dates import dates_in
from orca_core.rules.text.relative_dates import ageing_words, day_meant
from orca_core.rules.text.spelling import language_of, statement

CONFIDENCE = 0.8
"""Of what is found in a chat."""
TYPED_CHARS = 600
"""A longer paragraph was hardly typed into a chat. Chosen by hand."""
MESSAGE_CHARS = 4_000
"""A longer message was hardly typed, either. Chosen by hand."""
STATEMENT_CHARS = 200
"""A longer sentence is a story, and no statement. Chosen by hand."""

_PARAGRAPH = re.compile(r"\n[ \t]*\n\s*")
_NO_SENTENCE = re.compile(
    r"[{};<>|=\\]{2}|[{;]\s*$|^\s*(?:[$#>+-]\s|at \S+\(|\d{4}-\d\d-\d\d[T ]\d\d:|\[\d\d:\d\d)"
    r"|\t.*\t|https?://",
    re.MULTILINE,
)
"""Lines of code, logs and tables."""
_ASKS_OR_GOES_ON = ("?", "？", ":", "：", "…", "...")


def statements_of(chat: ForeignChat, told: Callable[[], None] = lambda: None) -> Iterator[tuple[str, ForeignMessage]]:
    """The sentences that begin with their writer ("I live in Rome") or wish something for good, with their messages, up
    to where a play begins. `told` is called for each message of the chat."""
    is_in_play = False
    for message in chat.messages:
        text = clean_message(message.text[: 2 * MESSAGE_CHARS])
        plain = own_words(text)
        is_in_play = is_in_play or words.pattern("importing.play").search(plain) is not None
        if (
            not is_in_play
            and len(text) <= MESSAGE_CHARS
            and not words.pattern("importing.leads_to_a_text").search(plain)
        ):
            yield from ((said, message) for said in _stated(text))
        told()


def _stated(text: str) -> Iterator[str]:
    for paragraph in filter(None, _PARAGRAPH.split(text)):
        if len(paragraph) > TYPED_CHARS or _NO_SENTENCE.search(paragraph):
            continue
        plain = own_words(paragraph)
        for piece in typed_spans.sentences(plain):
            if _is_statement(plain[piece.start : piece.end].strip()):
                yield paragraph[piece.start : piece.end].strip().rstrip("。.!！")


def _is_statement(sentence: str) -> bool:
    if len(sentence) > STATEMENT_CHARS or MASK in sentence or sentence.endswith(_ASKS_OR_GOES_ON):
        return False
    if any(words.pattern(each).search(sentence) for each in ("importing.of_the_moment", "recall.supposes")):
        return False
    return words.pattern("importing.states").match(without_opening(sentence)) is not None


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


def offers(entry: ForeignEntry, told: Callable[[], None] = lambda: None) -> Iterator[Offered | LeftOut]:
    """Yield what becomes of an entry, in its order; `told` is called for each message of a chat, which may have
    many."""
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
    for said, message in statements_of(entry, told):
        memory = ForeignMemory(entry.format, said, message.place, message.said_at, chat=entry.title)
        offered = _offered(memory)
        if isinstance(offered, Offered):
            found = True
            yield replace(offered, quote=clean_memory(said), confidence=CONFIDENCE)
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
