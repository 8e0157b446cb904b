"""The days of the week that a text names, 0 for Monday: one by one, in a list (周一三五), from one to another, or by a
word for several of them (工作日)."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Mapping
from functools import cache
from itertools import pairwise

from orca_core import words
from orca_core.rules.text.scripts import simplified

DAYS = 7
_LISTED = re.compile(
    r"(?:周|星期|礼拜)[一二三四五六日天](?P<more>(?:\s?[、,，和及跟到至-]?\s?[一二三四五六日天])*)(?![次回天遍趟场节])"
)
_NO_DAY = re.compile(r"(?:周|星期|礼拜)[一二三四五六](?=[次回天遍趟场节])")
"""三次 a week, no Wednesday."""
_BETWEEN = re.compile(r"\s*(?:[-–—~～到至]|to|thru|through|till|until)\s*(?:周|星期|礼拜)?", re.IGNORECASE)
_CHARACTERS = "一二三四五六日"


def weekdays_named(text: str) -> frozenset[int]:
    """The days that stand in a text."""
    return frozenset(day for _, _, day in _found(_plain(text)))


def weekdays_in(text: str) -> frozenset[int]:
    """The days that a text may mean: those that it names, those between them, and those of a word for several."""
    plain = _plain(text)
    found = list(_found(plain))
    days = {day for _, _, day in found}
    for (_, end, first), (start, _, last) in pairwise(found):
        if _BETWEEN.fullmatch(plain[end:start]):
            days |= {(first + number) % DAYS for number in range((last - first) % DAYS + 1)}
    several = (key for key, pattern in _several().items() if pattern.search(plain))
    return frozenset(days | {int(day) for key in several for day in key.split("_")})


def _plain(text: str) -> str:
    return _NO_DAY.sub(" ", simplified(unicodedata.normalize("NFKC", text)))


def _found(plain: str) -> Iterator[tuple[int, int, int]]:
    """Each day by its place, in their order."""
    found = {match.span(): day for day, pattern in _days().items() for match in pattern.finditer(plain)}
    for match in _LISTED.finditer(plain):
        start = match.start("more")
        for place, character in enumerate(match["more"], start):
            if character in _CHARACTERS + "天":
                found[place, place + 1] = _CHARACTERS.index(character.replace("天", "日"))
    return ((start, end, day) for (start, end), day in sorted(found.items()))


@cache
def _days() -> Mapping[int, re.Pattern[str]]:
    return {int(day): pattern for day, pattern in _patterns("relative.weekdays").items()}


@cache
def _several() -> Mapping[str, re.Pattern[str]]:
    return _patterns("relative.several_weekdays")


def _patterns(table: str) -> dict[str, re.Pattern[str]]:
    written: dict[str, list[str]] = {}
    for folder in words.folders():
        for key, lines in words.keyed(table, folder).items():
            each = "|".join(lines)
            written.setdefault(key, []).append(rf"\b(?:{each})\b" if words.has_whole_words(folder) else each)
    return {key: re.compile("|".join(each), re.IGNORECASE) for key, each in written.items()}
