"""Which wordings of `clauses.txt` a text holds."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache, lru_cache
from typing import NamedTuple

from orca_core import words
from orca_core.words.sieve import Sieve

MAX_OPENING_WORDS = 8
"""So many words may stand before a clause's subject. It bounds the time."""

_OTHER_SCRIPT = re.compile("[^\u0000-\u024f\u2000-\u206f\ufffc]")
_LETTER = re.compile("[A-Za-z]")


class _Tables(dict[str, re.Pattern[str]]):
    """The wordings of some languages, each compiled when it is first asked for."""

    def __init__(self, where: tuple[str, ...]) -> None:
        super().__init__()
        self._where = where
        wordings = words.tables_of("clauses")
        sources = ((each.partition(".")[2], words.source(each, folder)) for each in wordings for folder in where)
        self.sieve = Sieve(sources)

    def __missing__(self, wording: str) -> re.Pattern[str]:
        # Small letters in text and tables: to ignore the case takes five times as long.
        compiled = words.pattern(f"clauses.{wording}", *self._where, flags=re.NOFLAG)
        self[wording] = compiled
        return compiled


def has(wording: str, text: str) -> bool:
    said = _prepared(text)
    return wording in said.held and said.tables[wording].search(said.small) is not None


def is_in(wording: str, text: str) -> bool:
    """As `has`, without a look at what else the text may hold: for one of which little is asked."""
    small, tables = _lowered(text), _tables_for(text)
    return tables[wording].search(small) is not None


def find(wording: str, text: str, start: int = 0) -> re.Match[str] | None:
    """The first place of the wording. What the match holds is in small letters: its place counts."""
    said = _prepared(text)
    return said.tables[wording].search(said.small, start) if wording in said.held else None


def match(wording: str, text: str, start: int = 0) -> re.Match[str] | None:
    """The wording at this very place."""
    said = _prepared(text)
    return said.tables[wording].match(said.small, start) if wording in said.held else None


def is_all(wording: str, text: str) -> bool:
    """Whether the text is nothing but the wording."""
    bare = text.strip()
    return _tables_for(bare)[wording].fullmatch(_lowered(bare)) is not None


def part_of(wording: str, group: str, text: str) -> str:
    """What stands in a group of the first of its patterns that the text has."""
    said = _prepared(text)
    for pattern in words.patterns(f"clauses.{wording}", flags=re.NOFLAG) if wording in said.held else ():
        if found := pattern.search(said.small):
            return text[found.start(group) : found.end(group)].strip()
    return ""


def each_of(wording: str, text: str) -> Iterator[re.Match[str]]:
    """All places of a wording."""
    said = _prepared(text)
    return said.tables[wording].finditer(said.small) if wording in said.held else iter(())


def each_between(wording: str, text: str, start: int, end: int) -> Iterator[re.Match[str]]:
    """All places of a wording between two places of a long text."""
    small, tables = _long(text)
    return tables[wording].finditer(small, start, end)


class _Said(NamedTuple):
    """A text in small letters, with the wordings of the languages that it may be in and those that it may hold."""

    small: str
    tables: _Tables
    held: frozenset[str]


@lru_cache(maxsize=4096)
def _prepared(text: str) -> _Said:
    small, tables = _lowered(text), _tables_for(text)
    return _Said(small, tables, tables.sieve.may_fit(small))


@lru_cache(maxsize=8)
def _long(text: str) -> tuple[str, _Tables]:
    return _lowered(text), _tables_for(text)


def _tables_for(text: str) -> _Tables:
    """Of the languages that the text may be in: to leave out the others takes a third of the time."""
    if text.isascii() or _OTHER_SCRIPT.search(text) is None:
        return _tables(words.of_whole_words())
    if _LETTER.search(text) is None:
        return _tables((words.ANY, *words.of_runs()))
    return _tables(words.folders())


def _lowered(text: str) -> str:
    """Letter by letter: places in it stay the same."""
    small = text.lower()
    if len(small) == len(text):
        return small
    return "".join(letter.lower() if len(letter.lower()) == 1 else letter for letter in text)


@cache
def _tables(where: tuple[str, ...]) -> _Tables:
    return _Tables(where)


@cache
def opening() -> re.Pattern[str]:
    """What stands before a clause's subject and belongs to none."""
    each = words.source("clauses.opening")
    return re.compile(rf"[\W_]*(?:(?:{each})[\s,，、:：!！~]*){{0,{MAX_OPENING_WORDS}}}")


@lru_cache(maxsize=1024)
def without_opening(text: str) -> str:
    found = opening().match(_prepared(text).small)
    rest = text[found.end() :] if found else text
    return rest or text


def is_all_opening(text: str) -> bool:
    """Whether a text is nothing but what stands before a subject: "for context"."""
    found = opening().match(_prepared(text).small)
    return found is not None and not text[found.end() :].strip()
