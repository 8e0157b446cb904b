"""What of a memory's words a comparison looks at: names, numbers, dates, denials, words of change, and the rest."""

from __future__ import annotations

import re
import unicodedata
from functools import cache, lru_cache

from msgspec import Struct

from orca_core import words
from orca_core.rules.text.dates import take_dates
from orca_core.rules.text.numerals import counted, numbers_in, spelled_in_words
from orca_core.rules.text.same_words import in_one_spelling
from orca_core.rules.text.scripts import simplified
from orca_core.rules.text.terms import content_words

_RELATIONS = ("like", "want", "use", "do")
"""What one has to do with a thing, by its table."""

FEW_WORDS = 3
"""So many words, all of what the user does, may stand in any order."""


class Meaning(Struct, frozen=True):
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
    roles: tuple[str, ...]
    """Who stands where to whom: the words in their order, with the user, owners and words of direction among them."""
    of_the_user: bool
    """Whether the user does it: not the user's dog."""
    figures: tuple[str, ...]
    """Dates, days and numbers in their order."""

    @property
    def has_one_place(self) -> bool:
        """Whether it says so little of one thing that no two could change places: "dark roast coffee"."""
        is_marked = any(step[0] in _MARKS or not step.isascii() for step in self.roles)
        return len(self.roles) <= FEW_WORDS and not is_marked and not self.names and self.of_the_user


@lru_cache(maxsize=4096)
def meaning_of(text: str) -> Meaning:
    plain = simplified(unicodedata.normalize("NFKC", text))
    folded = _written_pattern().sub("", plain.casefold())
    weekdays, change, negation = (words.pattern(f"comparing.{each}") for each in ("weekdays", "change", "negation"))
    rest, dates = take_dates(in_one_spelling(plain))
    dates += tuple(_weekday(match[0].lower()) for match in weekdays.finditer(rest))
    rest = weekdays.sub(" ", rest)
    bare = words.pattern("comparing.referring").sub(" ", rest)
    roles = _roles(rest)
    names = tuple(match[0].lower() for match in _name_pattern().finditer(bare))
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
        roles=roles,
        of_the_user=_OF_THE_USER.match(rest) is not None,
        figures=(*dates, *numbers_in(rest)),
    )


def _weekday(written: str) -> str:
    for spelling, becomes in words.spellings("comparing.weekday_spellings"):
        written = written.replace(spelling, becomes)
    return written


_LATIN = r"[^\W㐀-鿿]"
_RUN = re.compile(r"[㐀-鿿]+|[^\W\d_㐀-鿿](?:(?![㐀-鿿])[\w.+#-])*")


_OF_THE_USER = re.compile(r"(?:the )?(?:user|i|we)\b(?!['’])", re.IGNORECASE)
_OF = re.compile(
    r"\b(?:the |an? )?(?P<thing>[\w-]+) of (?P<whose>(?:(?:the )?user|my|our)(?:'s|’s)? ?|(?:the )?[\w.-]+)",
    re.IGNORECASE,
)
_MARKS = _USER, _OWNER, _NOT, _WAY = "\ue000", "\ue001", "\ue002", "\ue003"


def _roles(rest: str) -> tuple[str, ...]:
    """The words in their order. An owner is written in one way ("the manager of Ines", "Ines's manager"); the user
    counts only behind another word, for a memory need not begin with the one whom it is about."""
    turned = _OF.sub(lambda match: f"{match['whose'].strip()}'s {match['thing']}", rest)
    marked = words.pattern("comparing.referring").sub(_user, turned)
    marked = words.pattern("comparing.direction").sub(lambda match: f" {_WAY}_{match[0].lower()}_ ", marked)
    marked = words.pattern("comparing.negation").sub(f" {_NOT} ", marked)
    for pattern in (words.pattern("comparing.change"), words.pattern("comparing.phrasing"), counted()):
        marked = pattern.sub(" ", marked)
    found: list[str] = []
    for step in _step_pattern().findall(re.sub(r"['’]s\b", f" {_OWNER} ", marked)):
        found += [step] if step[0] in _MARKS else _words(step) or _letters(step)
    return tuple(found[1:] if found[:1] == [_USER] else found)


def _user(match: re.Match[str]) -> str:
    """The user, where the user is not just the owner of what comes next."""
    is_owner = match[0].lower().endswith(("'s", "’s", "s'", "的")) or match[0].lower() in _OWNERS
    return " " if is_owner else f" {_USER} "


_OWNERS = frozenset({"my", "our", "their"})


def _letters(step: str) -> list[str]:
    """What is a name by its capitals or figures alone, though no word: "A", "S3"."""
    return [step.lower()] if step[0].isupper() else []


def _words(bare: str) -> list[str]:
    """The words in their order: Latin ones by their stems, Chinese in pairs within what stands together."""
    found: list[str] = []
    for run in _RUN.findall(spelled_in_words().sub(" ", counted().sub(" ", bare))):
        if run[0] >= "㐀":
            found += [run[start : start + 2] for start in range(len(run) - 1)] or [run]
        else:
            found += sorted(content_words(run))
    return found


@cache
def _written_pattern() -> re.Pattern[str]:
    return re.compile(r"[^\w+#.]+|_|(?<!\d)\.|\.(?!\d)|(?<![\w+#])[+#]")


@cache
def _name_pattern() -> re.Pattern[str]:
    return re.compile(rf"(?<!{_LATIN})(?:[A-Z](?:{_LATIN}|[.+-])*|[A-Za-z]+\d(?:{_LATIN}|\.)*)")


@cache
def _step_pattern() -> re.Pattern[str]:
    return re.compile(rf"[{_USER}{_OWNER}{_NOT}]|{_WAY}\S+|{_RUN.pattern}|[A-Z](?![A-Za-z])")
