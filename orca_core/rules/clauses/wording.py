"""Which wordings of `clauses.txt` a text holds."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cache, lru_cache, reduce
from operator import or_

from orca_core import words
from orca_core.domain.patterns import pattern_of
from orca_core.words.sieve import Sieve

MAX_OPENING_WORDS = 8
"""So many words may stand before a clause's subject. It bounds the time."""

_OTHER_SCRIPT = pattern_of("[^\u0000-\u024f\u2000-\u206f\ufffc]")
_LETTER = pattern_of("[A-Za-z]")
_CUT_WORD = pattern_of(r"\w(?<![\u3400-\u9fff])\w|\w[^\W\u3400-\u9fff]")


class _Tables:
    """The wordings of all languages. Some of their lines are a number with a bit for each, as the sieve has them."""

    def __init__(self) -> None:
        tables = [(table, folder) for table in words.tables_of("clauses") for folder in words.folders()]
        lines = [
            (table.partition(".")[2], folder, line) for table, folder in tables for line in words.sources(table, folder)
        ]
        self._lines = [line for _, _, line in lines]
        self.sieve = Sieve(self._lines)
        self.of_wording = {table.partition(".")[2]: 0 for table, _ in tables}
        self._of_folder = {folder: 0 for _, folder in tables}
        for number, (wording, folder, _) in enumerate(lines):
            self.of_wording[wording] |= 1 << number
            self._of_folder[folder] |= 1 << number

    @lru_cache  # noqa: B019  # there is one for as long as the program runs
    def of_folders(self, *folders: str) -> int:
        return reduce(or_, (self._of_folder[each] for each in folders))

    @lru_cache(maxsize=4096)  # noqa: B019  # as above
    def patterns(self, lines: int) -> tuple[re.Pattern[str], ...]:
        """The patterns of some lines, in the order in which they are tried."""
        return tuple(_compiled(each) for number, each in enumerate(self._lines) if lines >> number & 1)


@cache
def _compiled(source: str) -> re.Pattern[str]:
    # Small letters in text and tables: to ignore the case takes five times as long.
    return re.compile(source)


class Prepared(str):
    """A text of which much is asked. It knows which lines of the tables it may hold: no others are searched for."""

    __slots__ = ("lines", "lines_in_all", "may_open", "rest", "small", "tables")
    small: str
    lines: int
    tables: _Tables
    may_open: bool
    """Whether an opening may stand before its subject."""
    rest: Prepared | None
    """What stands behind its opening, once that was asked for."""
    lines_in_all: int
    """Its own and those of the rest, once that was asked for: a word that the opening is cut from is another one."""

    def patterns(self, wording: str) -> Sequence[re.Pattern[str]]:
        lines = self.lines & self.tables.of_wording[wording]
        return self.tables.patterns(lines) if lines else ()

    def part(self, start: int, end: int) -> Prepared:
        """The text between two places. It holds no more than all of it does, but where a word is cut."""
        part = Prepared(self[start:end])
        cuts = (start and _CUT_WORD.match(self, start - 1)) or (end < len(self) and _CUT_WORD.match(self, end - 1))
        if cuts:
            return prepared(str(part))
        part.small, part.tables, part.rest, part.may_open = self.small[start:end], self.tables, None, True
        part.lines = self.lines & self.tables.of_folders(*_folders_for(part))
        return part


@lru_cache(maxsize=4096)
def prepared(text: str) -> Prepared:
    """The text, made ready to be asked: who asks much of it does this first, and all else takes half of the time."""
    ready = Prepared(text)
    ready.small = _lowered(text)
    ready.tables = tables = _tables()
    may_fit = tables.sieve.may_fit(ready.small)
    ready.lines = may_fit & tables.of_folders(*_folders_for(text))
    ready.may_open = not text[:1].isalnum() or may_fit & tables.of_wording["opening"] != 0
    ready.rest = None
    return ready


def _ready(text: str) -> Prepared:
    return text if type(text) is Prepared else prepared(text)


def has(wording: str, text: str) -> bool:
    ready = text if type(text) is Prepared else prepared(text)
    lines = ready.lines & ready.tables.of_wording[wording]
    if not lines:
        return False
    for each in ready.tables.patterns(lines):  # noqa: SIM110  # a generator would take a third of the time
        if each.search(ready.small):
            return True
    return False


def may_have(wordings: tuple[str, ...], clause: str) -> bool:
    """Whether one of several wordings may stand in a clause, or behind its opening. Where none does, who would ask for
    each of them need not: of most clauses, most is not said."""
    ready = clause if type(clause) is Prepared else prepared(clause)
    if ready.rest is None:
        without_opening(ready)
    return ready.lines_in_all & _lines_of(wordings) != 0


@cache
def _lines_of(wordings: tuple[str, ...]) -> int:
    return reduce(or_, map(_tables().of_wording.__getitem__, wordings))


def is_in(wording: str, text: str) -> bool:
    """As `has`, of one of which nothing else is asked: it does not pay to prepare it."""
    whole = words.pattern(f"clauses.{wording}", *_folders_for(text), flags=re.NOFLAG)
    return whole.search(_lowered(text)) is not None


def find(wording: str, text: str, start: int = 0) -> re.Match[str] | None:
    """The first place of the wording. What the match holds is in small letters: its place counts."""
    ready = text if type(text) is Prepared else prepared(text)
    lines = ready.lines & ready.tables.of_wording[wording]
    if not lines:
        return None
    first = None
    for each in ready.tables.patterns(lines):
        place = each.search(ready.small, start)
        if place and (first is None or place.start() < first.start()):
            first = place
    return first


def match(wording: str, text: str, start: int = 0) -> re.Match[str] | None:
    """The wording at this very place."""
    ready = text if type(text) is Prepared else prepared(text)
    lines = ready.lines & ready.tables.of_wording[wording]
    if not lines:
        return None
    for each in ready.tables.patterns(lines):
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
def _tables() -> _Tables:
    return _Tables()


@cache
def opening() -> re.Pattern[str]:
    """What stands before a clause's subject and belongs to none."""
    each = words.source("clauses.opening")
    return re.compile(rf"[\W_]*(?:(?:{each})[\s,，、:：!！~]*){{0,{MAX_OPENING_WORDS}}}")


def without_opening(text: str) -> Prepared:
    ready = text if type(text) is Prepared else prepared(text)
    if ready.rest is None:
        found = opening().match(ready.small) if ready.may_open else None
        ready.rest = rest = ready.part(found.end(), len(ready)) if found and 0 < found.end() < len(ready) else ready
        ready.lines_in_all = ready.lines | rest.lines
    return ready.rest


def is_all_opening(text: str) -> bool:
    """Whether a text is nothing but what stands before a subject: "for context"."""
    found = opening().match(_ready(text).small)
    return found is not None and not text[found.end() :].strip()
