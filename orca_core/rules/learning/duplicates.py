"""Whether two memories say the same. Near ones are only nominated; a machine merges only what agrees in all that
matters: type, numbers, dates, negation, words of change, names, and every word that is not mere phrasing."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache

from orca_core import words
from orca_core.domain.memories import MemoryType
from orca_core.rules.text.dates import take_dates
from orca_core.rules.text.numerals import counted, numbers_in, spelled_in_words
from orca_core.rules.text.same_words import in_one_spelling
from orca_core.rules.text.terms import content_words

_RELATIONS = ("like", "want", "use", "do")
"""What one has to do with a thing, by its table."""

NEAR_SHARE = 0.5
"""Two memories that share so much of their words may say the same: a person is asked.

`benchmarks/duplicates.py` bounds it: nothing is merged by it, but at 0.6 a person is asked about 13 of the 34
duplicates instead of 21, at 0.3 about 20 of the 36 pairs that are none instead of 11."""


class Likeness(StrEnum):
    """How a new memory stands to a known one."""

    SAME = "same"
    UPDATE = "update"
    CONFLICT = "conflict"
    UNDECIDED = "undecided"
    DIFFERENT = "different"


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


def likeness(new: str, new_type: MemoryType, known: str, known_type: MemoryType) -> Likeness:
    """Precision before recall: SAME and UPDATE are acted upon, the rest is for a person or for nobody."""
    ours, theirs = meaning_of(new), meaning_of(known)
    if ours.folded == theirs.folded:
        return Likeness.SAME
    if new_type is not known_type:
        return Likeness.UNDECIDED if _share(ours, theirs) >= NEAR_SHARE else Likeness.DIFFERENT
    if _says_all_of(ours, theirs):
        if _values(ours) == _values(theirs) and ours.changes == theirs.changes:
            return Likeness.SAME if ours.negations % 2 == theirs.negations % 2 else Likeness.CONFLICT
        if ours.changes and not theirs.changes and _values(ours) != _values(theirs):
            return Likeness.UPDATE
        return Likeness.CONFLICT
    if _share(ours, theirs) < NEAR_SHARE:
        return Likeness.DIFFERENT
    if ours.numbers != theirs.numbers or ours.negations != theirs.negations or ours.changes != theirs.changes:
        return Likeness.CONFLICT
    return Likeness.UNDECIDED


def _values(meaning: Meaning) -> tuple[tuple[str, ...], tuple[str, ...]]:
    return meaning.numbers, meaning.dates


def _says_all_of(ours: Meaning, theirs: Meaning) -> bool:
    """The same words, names and relations; in the same order where order tells (x over y; two names)."""
    if not ours.words or ours.compares != theirs.compares or ours.relations != theirs.relations:
        return False
    if sorted(ours.words) != sorted(theirs.words) or sorted(ours.names) != sorted(theirs.names):
        return False
    ordered = ours.compares or len(ours.names) > 1
    return not ordered or (ours.words == theirs.words and ours.names == theirs.names)


def _share(ours: Meaning, theirs: Meaning) -> float:
    mine, other = set(ours.words) | set(ours.names), set(theirs.words) | set(theirs.names)
    return len(mine & other) / min(len(mine), len(other)) if mine and other else 0.0


def statement(text: str) -> str:
    """What a memory says, by which it is known again after it was deleted: whatever its case, its punctuation and its
    spelling."""
    plain = in_one_spelling(unicodedata.normalize("NFKC", text))
    return re.sub(r"[\W_]+", "", plain.casefold())


@lru_cache(maxsize=4096)
def meaning_of(text: str) -> Meaning:
    plain = unicodedata.normalize("NFKC", text)
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
_RUN = re.compile(r"[㐀-鿿]+|[^\W\d_㐀-鿿][\w.+#-]*")


def _words(bare: str) -> list[str]:
    """The words in their order: Latin ones by their stems, Chinese in pairs within what stands together."""
    found: list[str] = []
    for run in _RUN.findall(spelled_in_words().sub(" ", counted().sub(" ", bare))):
        if run[0] >= "㐀":
            found += [run[start : start + 2] for start in range(len(run) - 1)] or [run]
        else:
            found += sorted(content_words(run))
    return found
