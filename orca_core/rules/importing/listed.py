"""A text that lists what is remembered: a memory a line, in paragraphs, or with the marks of Markdown."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import date

from msgspec import Struct

from orca_core.rules.text import sentences
from orca_core.rules.text.dates import dates_in

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
    """What a text lists. In prose a long paragraph is several memories; in a list a line is one, however long."""
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
    for sentence in sentences.sentences(paragraph):
        said = paragraph[sentence.start : sentence.end].strip()
        if held and len(held) + len(said) >= PROSE_CHARS:
            yield held
            held = ""
        held = f"{held} {said}".strip()
    if held:
        yield held
