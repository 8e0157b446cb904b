"""What of a memory's words a comparison looks at: names, numbers, dates, denials, words of change, and the rest."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from functools import lru_cache

from orca_core import words
from orca_core.rules.text.dates import take_dates
from orca_core.rules.text.numerals import counted, numbers_in, spelled_in_words
from orca_core.rules.text.same_words import in_one_spelling
from orca_core.rules.text.scripts import simplified
from orca_core.rules.text.terms import content_words

_RELATIONS = ("like", "want", "use", "do")
"""What one has to do with a thing, by its table."""


@dataclass(frozen=True, slots=True)
class Meaning:
    """What the comparison looks at."""

    folded: str
    words: tuple[str, ...]
    names: tuple[str, ...]
    numbers: tuple[str, ...]
    dates: tuple[str, ...]
    negations: int
    changes: frozenset[str]
    compares: bool
    relations: frozenset[str]


@lru_cache(maxsize=4096)
def meaning_of(text: str) -> Meaning:
    plain = simplified(unicodedata.normalize("NFKC", text))
    folded = _WRITTEN.sub("", plain.casefold())
    weekdays, change, negation = (words.pattern(f"comparing.{each}") for each in ("weekdays", "change", "negation"))
    rest, dates = take_dates(in_one_spelling(plain))
    dates += tuple(_weekday(match[0].lower()) for match in weekdays.finditer(rest))
    rest = weekdays.sub(" ", rest)
    bare = words.pattern("comparing.referring").sub(" ", rest)
    names = tuple(match[0].lower() for match in _NAME.finditer(bare))
    for pattern in (change, negation, words.pattern("comparing.phrasing")):
        bare = pattern.sub(" ", bare)
    return Meaning(
        folded=folded,
        words=tuple(_words(bare)),
        names=names,
        numbers=tuple(numbers_in(rest)),
        dates=tuple(sorted(set(dates))),
        negations=len(negation.findall(rest)),
        changes=frozenset(match[0].lower() for match in change.finditer(rest)),
        compares=words.pattern("comparing.comparison").search(rest) is not None,
        relations=frozenset(name for name in _RELATIONS if words.pattern(f"comparing.{name}").search(rest)),
    )


def _weekday(written: str) -> str:
    for spelling, becomes in words.spellings("comparing.weekday_spellings"):
        written = written.replace(spelling, becomes)
    return written


_WRITTEN = re.compile(r"[^\w+#.]+|_|(?<!\d)\.|\.(?!\d)|(?<![\w+#])[+#]")
_NAME = re.compile(r"(?<![\w])(?:[A-Z][\w.+-]*|[A-Za-z]+\d[\w.]*)")
_RUN = re.compile(r"[㐀-鿿]+|[^\W\d_㐀-鿿](?:(?![㐀-鿿])[\w.+#-])*")


def _words(bare: str) -> list[str]:
    """The words in their order: Latin ones by their stems, Chinese in pairs within what stands together."""
    found: list[str] = []
    for run in _RUN.findall(spelled_in_words().sub(" ", counted().sub(" ", bare))):
        if run[0] >= "㐀":
            found += [run[start : start + 2] for start in range(len(run) - 1)] or [run]
        else:
            found += sorted(content_words(run))
    return found
