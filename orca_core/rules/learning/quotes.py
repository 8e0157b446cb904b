"""Which words of a fact stand in a text, and which stand nowhere in it: Latin words by their stems, Chinese by the
stretches of characters that both have; what says the same (妻子, 老婆) is brought to one spelling first."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from enum import StrEnum
from functools import cache, lru_cache

from msgspec import Struct

from orca_core import words
from orca_core.rules.text.dates import WrittenDate, clock_numbers, dates_in, days_of_tokens, take_dates, weekdays_in
from orca_core.rules.text.numerals import (
    counted_pattern,
    number_word_pattern,
    numbers_in,
    numbers_in_words,
    quantities_in,
)
from orca_core.rules.text.search_terms import content_words
from orca_core.rules.text.spelling import in_plain_words

STRETCH = 2
"""So many Chinese characters in a row are a word that two texts share; a single one stands in any text."""
NEAR_LETTERS = 4
"""A stem of so many letters with which another begins may be of the same word. Chosen by hand."""

_LETTER = r"[^\W\u3400-\u9fff\uf900-\ufaff]"  # no Han: nothing parts the words of "prefix是Ctrl-a"
_NAME = re.compile(r"[A-Z]|[a-z]+[A-Z]|.*[\d@/.]")


class UnitKind(StrEnum):
    WORD = "word"
    NAME = "name"
    HAN = "han"
    NUMBER = "number"
    DATE = "date"


class Unit(Struct, frozen=True):
    """One thing that a fact says; a Chinese one weighs by its length."""

    text: str
    kind: UnitKind

    @property
    def weight(self) -> float:
        return len(self.text) / STRETCH if self.kind is UnitKind.HAN else 1.0


class Wording(Struct, frozen=True):
    """A text as it is compared: its Latin words by their stems and as they are `spelled` in small letters, its Chinese
    runs, numbers, dates and days of the week."""

    stems: frozenset[str] = frozenset()
    han: tuple[str, ...] = ()
    numbers: frozenset[str] = frozenset()
    dates: frozenset[str] = frozenset()
    spelled: frozenset[str] = frozenset()
    weekdays: frozenset[int] = frozenset()


class Comparison(Struct, frozen=True):
    """What a fact says by weight, and what of it does not stand in a text."""

    said: float
    lacking: tuple[Unit, ...]

    @property
    def found(self) -> float:
        """The weight of what stands there."""
        return self.said - sum(unit.weight for unit in self.lacking)

    @property
    def share(self) -> float:
        """How much of what the fact says is there, from 0 to 1; 1 where it says nothing but stock words."""
        return self.found / self.said if self.said else 1.0


@lru_cache(maxsize=2048)
def wording_of(text: str) -> Wording:
    plain = in_plain_words(text)
    rest, dates = take_dates(plain)
    others = _other_pattern().findall(rest)
    return Wording(
        stems=frozenset(stem for word in others for stem in stems_of(word)),
        han=tuple(_han_pattern().findall(rest)),
        numbers=frozenset(numbers_in(plain) + numbers_in(_other_pattern().sub(" ", plain)))
        | (clock_numbers(plain) | quantities_in(plain)),
        dates=frozenset(dates),
        spelled=frozenset(map(str.casefold, others)),
        weekdays=weekdays_in(text),
    )


def together(wordings: Iterable[Wording]) -> Wording:
    """Several texts as one."""
    every = list(wordings)
    return Wording(
        frozenset().union(*(each.stems for each in every)),
        tuple(run for each in every for run in each.han),
        frozenset().union(*(each.numbers for each in every)),
        frozenset().union(*(each.dates for each in every)),
        frozenset().union(*(each.spelled for each in every)),
        frozenset().union(*(each.weekdays for each in every)),
    )


def compare(fact: str, text: Wording) -> Comparison:
    said = units_of(fact)
    return Comparison(sum(unit.weight for unit in said), tuple(part for unit in said for part in _lacking(unit, text)))


@lru_cache(maxsize=2048)
def units_of(fact: str) -> tuple[Unit, ...]:
    """Return what a fact says, without the stock words of facts."""
    plain = in_plain_words(fact)
    undated, dates = take_dates(plain)
    rest = words.pattern("asserting.stock").sub(" ", undated)
    found = [Unit(day, UnitKind.DATE) for day in days_of_tokens(dates)]
    without_words = _other_pattern().sub(" ", rest)
    found += [Unit(number, UnitKind.NUMBER) for number in numbers_in(without_words) + numbers_in_words(undated)]
    first = _other_pattern().match(plain.lstrip())
    for word in dict.fromkeys(_other_pattern().findall(number_word_pattern().sub(" ", rest))):
        if stems_of(word):
            is_name = _NAME.match(word) is not None and not (first and word == first[0] and word.istitle())
            found.append(Unit(word, UnitKind.NAME if is_name else UnitKind.WORD))
    found += [Unit(run, UnitKind.HAN) for run in _han_pattern().findall(_without_numbers(without_words))]
    return tuple(found)


def years_of(fact: str) -> tuple[WrittenDate, ...]:
    """The dates of a fact that have a year."""
    return tuple(each for each in dates_in(in_plain_words(fact)) if each.year is not None)


def _without_numbers(text: str) -> str:
    """A text without what is counted in it; 百度 counts nothing."""
    pieces, start = [], 0
    for match in words.pattern("numbers.no_number", flags=re.NOFLAG).finditer(text):
        pieces += [counted_pattern().sub(" ", text[start : match.start()]), match[0]]
        start = match.end()
    return "".join([*pieces, counted_pattern().sub(" ", text[start:])])


def stands_in(unit: Unit, text: Wording) -> bool:
    """Tell whether a text has this, or a stretch of it."""
    if unit.kind is UnitKind.HAN:
        if len(unit.text) < STRETCH:
            return any(unit.text in run for run in text.han)
        covered = sum(_coverage(unit.text, text.han))
        return covered > STRETCH or 2 * covered > len(unit.text)
    return not any(True for _ in _lacking(unit, text))


def _lacking(unit: Unit, text: Wording) -> Iterator[Unit]:
    """Yield what of it does not stand in the text."""
    match unit.kind:
        case UnitKind.NUMBER:
            is_there = unit.text in text.numbers
        case UnitKind.DATE:
            is_there = unit.text in text.dates
        case UnitKind.HAN:
            yield from (Unit(stretch, UnitKind.HAN) for stretch in _uncovered(unit.text, text.han))
            return
        case _:
            is_there = not text.stems.isdisjoint(stems_of(unit.text)) or (
                unit.kind is UnitKind.WORD
                and any(_are_near(stem, each) for stem in stems_of(unit.text) for each in text.stems)
            )
    if not is_there:
        yield unit


def _uncovered(run: str, runs: Sequence[str]) -> Iterator[str]:
    """Yield what is left of a run without the stretches that another run has; a single character that is left is
    none."""
    covered = _coverage(run, runs)
    left = "".join(" " if is_covered else character for character, is_covered in zip(run, covered, strict=True))
    yield from (stretch for stretch in left.split() if len(stretch) >= STRETCH and not _grammar().issuperset(stretch))


@lru_cache(maxsize=1)
def _grammar() -> frozenset[str]:
    """Chinese characters that say nothing alone."""
    return words.word_set("search.stop_characters") | words.word_set("search.weak_characters")


def _coverage(run: str, runs: Sequence[str]) -> list[bool]:
    """Tell which characters of a run stand in a stretch that another run has."""
    covered = [False] * len(run)
    for start in range(len(run) - STRETCH + 1):
        end = start + STRETCH
        while end <= len(run) and any(run[start:end] in other for other in runs):
            end += 1
        if end - 1 - start >= STRETCH:
            covered[start : end - 1] = [True] * (end - 1 - start)
    return covered


def _are_near(one: str, other: str) -> bool:
    """Tell whether two stems may be of one word: the longer begins with the shorter."""
    short, long = sorted((one, other), key=len)
    return len(short) >= NEAR_LETTERS and short.isalpha() and long.isalpha() and long.startswith(short)


@lru_cache(maxsize=4096)
def stems_of(word: str) -> frozenset[str]:
    """The stems of a word that carries something."""
    return content_words(word)


@cache
def _other_pattern() -> re.Pattern[str]:
    return re.compile(rf"(?=[^\d_]){_LETTER}(?:(?:{_LETTER}|[.+#/@&'’-])*(?:{_LETTER}|[+#]))?")


@cache
def _han_pattern() -> re.Pattern[str]:
    return re.compile(r"[\u3400-\u9fff\uf900-\ufaff]+")
