"""Which wordings of `clauses.txt` a text holds."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cache, lru_cache

from orca_core import words

MAX_OPENING_WORDS = 8
"""So many words may stand before a clause's subject. It bounds the time."""

_OTHER_SCRIPT = re.compile("[^\u0000-\u024f\u2000-\u206f\ufffc]")
_LETTER = re.compile("[A-Za-z]")


class Prepared(str):
    """A text of which much is asked, with its small letters and the folders of the languages it may be in."""

    __slots__ = ("folders", "rest", "small")
    small: str
    folders: tuple[str, ...]
    rest: Prepared | None
    """What stands behind its opening, once that was asked for."""

    def patterns(self, wording: str) -> Sequence[re.Pattern[str]]:
        return _patterns(wording, self.folders)

    def part(self, start: int, end: int) -> Prepared:
        """The text between two places."""
        return _made_ready(self[start:end], self.small[start:end])


@lru_cache(maxsize=4096)
def prepared(text: str) -> Prepared:
    """The text, made ready to be asked: who asks much of it does this first."""
    return _made_ready(text, _lowered(text))


def _made_ready(text: str, small: str) -> Prepared:
    ready = Prepared(text)
    ready.small, ready.folders, ready.rest = small, _folders_for(text), None
    return ready


@cache
def _patterns(wording: str, folders: tuple[str, ...]) -> tuple[re.Pattern[str], ...]:
    """Its lines in these folders, in the order in which they are tried, compiled when one is first asked for."""
    # Small letters in text and tables: to ignore the case takes five times as long.
    return tuple(re.compile(each) for folder in folders for each in words.sources(f"clauses.{wording}", folder))


def _ready(text: str) -> Prepared:
    return text if type(text) is Prepared else prepared(text)


def has(wording: str, text: str) -> bool:
    ready = text if type(text) is Prepared else prepared(text)
    for each in _patterns(wording, ready.folders):  # noqa: SIM110  # a generator would take a third of the time
        if each.search(ready.small):
            return True
    return False


def is_in(wording: str, text: str) -> bool:
    """As `has`, of one of which nothing else is asked: it does not pay to prepare it."""
    whole = words.pattern(f"clauses.{wording}", *_folders_for(text), flags=re.NOFLAG)
    return whole.search(_lowered(text)) is not None


def find(wording: str, text: str, start: int = 0) -> re.Match[str] | None:
    """The first place of the wording. What the match holds is in small letters: its place counts."""
    ready = text if type(text) is Prepared else prepared(text)
    first = None
    for each in _patterns(wording, ready.folders):
        place = each.search(ready.small, start)
        if place and (first is None or place.start() < first.start()):
            first = place
    return first


def match(wording: str, text: str, start: int = 0) -> re.Match[str] | None:
    """The wording at this very place."""
    ready = text if type(text) is Prepared else prepared(text)
    for each in _patterns(wording, ready.folders):
        if found := each.match(ready.small, start):
            return found
    return None


def is_all(wording: str, text: str) -> bool:
    """Whether the text is nothing but the wording."""
    ready = _ready(text.strip())
    return any(each.fullmatch(ready.small) for each in ready.patterns(wording))


def part_of(wording: str, group: str, text: str) -> str:
    """What stands in a group of the first of its patterns that the text has."""
    ready = _ready(text)
    for pattern in ready.patterns(wording):
        if found := pattern.search(ready.small):
            return text[found.start(group) : found.end(group)].strip()
    return ""


def part(text: str, start: int, end: int) -> Prepared:
    """A part of a text of which as much is asked as of the text."""
    return _ready(text).part(start, end)


def each_of(wording: str, text: str) -> Iterator[re.Match[str]]:
    """All places of a wording, as `find` would find them one after the other."""
    ready = _ready(text)
    return _in_turn(ready.patterns(wording), ready.small, 0, len(text))


def each_between(wording: str, text: str, start: int, end: int) -> Iterator[re.Match[str]]:
    """All places of a wording between two places of a long text."""
    return _in_turn(prepared(text[start:end]).patterns(wording), _small(text), start, end)


def _in_turn(patterns: Sequence[re.Pattern[str]], small: str, start: int, end: int) -> Iterator[re.Match[str]]:
    """The places of several patterns, as one pattern of them all has them."""
    if len(patterns) > 1:
        return _merged(patterns, small, start, end)
    return patterns[0].finditer(small, start, end) if patterns else iter(())


def _merged(patterns: Sequence[re.Pattern[str]], small: str, start: int, end: int) -> Iterator[re.Match[str]]:
    places = [place for each in patterns if (place := each.search(small, start, end))]
    while len(places) > 1:
        first = min(places, key=re.Match.start)
        yield first
        start = max(first.end(), first.start() + 1)
        again = (each if each.start() >= start else each.re.search(small, start, end) for each in places)
        places = [each for each in again if each]
    if places:
        yield places[0]
        yield from places[0].re.finditer(small, max(places[0].end(), places[0].start() + 1), end)


def _folders_for(text: str) -> tuple[str, ...]:
    """The languages that the text may be in."""
    if text.isascii() or _OTHER_SCRIPT.search(text) is None:
        return words.of_whole_words()
    return words.folders() if _LETTER.search(text) else _of_runs()


@cache
def _of_runs() -> tuple[str, ...]:
    return (words.ANY, *words.of_runs())


def _lowered(text: str) -> str:
    """Letter by letter: places in it stay the same."""
    small = text.lower()
    if len(small) == len(text):
        return small
    return "".join(letter.lower() if len(letter.lower()) == 1 else letter for letter in text)


_small = lru_cache(maxsize=8)(_lowered)
"""Of the few long texts that are asked for many times."""


@cache
def opening() -> re.Pattern[str]:
    """What stands before a clause's subject and belongs to none."""
    each = words.source("clauses.opening")
    return re.compile(rf"[\W_]*(?:(?:{each})[\s,，、:：!！~]*){{0,{MAX_OPENING_WORDS}}}")


def without_opening(text: str) -> Prepared:
    ready = text if type(text) is Prepared else prepared(text)
    if ready.rest is None:
        found = opening().match(ready.small)
        ready.rest = ready.part(found.end(), len(ready)) if found and 0 < found.end() < len(ready) else ready
    return ready.rest


def is_all_opening(text: str) -> bool:
    """Whether a text is nothing but what stands before a subject: "for context"."""
    found = opening().match(_ready(text).small)
    return found is not None and not text[found.end() :].strip()
