"""Which wordings of `clauses.txt` a text holds."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache, lru_cache

from orca_core import words

MAX_OPENING_WORDS = 8
"""So many words may stand before a clause's subject. It bounds the time."""

_OTHER_SCRIPT = re.compile("[^\u0000-\u024f\u2000-\u206f\ufffc]")
_LETTER = re.compile("[A-Za-z]")


class _Tables(dict[str, re.Pattern[str]]):
    """The wordings of some languages, each compiled when it is first asked for."""

    def __init__(self, where: tuple[str, ...]) -> None:
        super().__init__()
        self._where = where

    def __missing__(self, wording: str) -> re.Pattern[str]:
        # Small letters in text and tables: to ignore the case takes five times as long.
        compiled = words.pattern(f"clauses.{wording}", *self._where, flags=re.NOFLAG)
        self[wording] = compiled
        return compiled


def has(wording: str, text: str) -> bool:
    small, tables = _prepared(text)
    return tables[wording].search(small) is not None


def find(wording: str, text: str, start: int = 0) -> re.Match[str] | None:
    """The first place of the wording. What the match holds is in small letters: its place counts."""
    small, tables = _prepared(text)
    return tables[wording].search(small, start)


def match(wording: str, text: str, start: int = 0) -> re.Match[str] | None:
    """The wording at this very place."""
    small, tables = _prepared(text)
    return tables[wording].match(small, start)


def is_all(wording: str, text: str) -> bool:
    """Whether the text is nothing but the wording."""
    small, tables = _prepared(text.strip())
    return tables[wording].fullmatch(small) is not None


def each_of(wording: str, text: str, start: int = 0, end: int | None = None) -> Iterator[re.Match[str]]:
    """All places of a wording, between two places."""
    small, tables = _prepared(text)
    return tables[wording].finditer(small, start, len(small) if end is None else end)


@lru_cache(maxsize=4096)
def _prepared(text: str) -> tuple[str, _Tables]:
    """The text in small letters, and the languages that it may be in: to leave out the others takes a third of the
    time."""
    if text.isascii() or _OTHER_SCRIPT.search(text) is None:
        where = words.of_whole_words()
    elif _LETTER.search(text) is None:
        where = (words.ANY, *words.of_runs())
    else:
        where = words.folders()
    return _lowered(text), _tables(where)


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
    found = opening().match(_prepared(text)[0])
    rest = text[found.end() :] if found else text
    return rest or text
