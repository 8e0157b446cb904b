"""The signs by which a text shows what it speaks of: its words in one spelling, its days, its figures with what they
count. "三岁" and "3 岁" are one sign, and so are 老婆 and 妻子."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache

from orca_core import words
from orca_core.rules.text.dates import take_dates
from orca_core.rules.text.numerals import counted, numbers_in, spelled_in_words
from orca_core.rules.text.same_words import in_plain_words
from orca_core.rules.text.terms import content_words

LARGE = 100
"""A figure from here on tells by itself; a smaller one with what it counts. Chosen by hand, as in what was typed."""
_DAY, _MONTH = re.compile(r"d_\d{1,2}_\d{1,2}"), re.compile(r"d_\d{1,2}")
_COUNTS_ANYTHING = "个"
_LETTER = re.compile(r"[A-Za-z_]")
_JOINED_BEFORE, _JOINED_BEHIND = re.compile(r"[A-Za-z0-9_][-./:@\\+#_]"), re.compile(r"[-./:@\\+#_][A-Za-z0-9_]")


def signs_of(text: str) -> frozenset[str]:
    """All signs in a text."""
    return _signs(in_plain_words(text), frozenset())


def signs_of_memory(content: str) -> frozenset[str]:
    """Those that tell of one memory: not the user whom it is about, nor the words of which all facts are made."""
    plain = in_plain_words(_without_the_outcome(without_the_user(content)))
    return _signs(plain, words.word_set("asserting.generic"), words.pattern("asserting.stock"))


def without_the_user(content: str) -> str:
    """What a memory says of the user."""
    return _the_user_first().sub("", content)


def _without_the_outcome(content: str) -> str:
    """What the line of an episode tells, without how it ended: an answer that speaks of success may mean anything."""
    return _the_outcome_first().sub("", content)


def is_slight(sign: str) -> bool:
    """Whether it is a month without a day, or a small number of nobody knows what."""
    return _MONTH.fullmatch(sign) is not None or (sign.isdigit() and int(sign) < LARGE)


def _signs(plain: str, generic: frozenset[str], stock: re.Pattern[str] | None = None) -> frozenset[str]:
    rest, dates = take_dates(plain)
    figures: set[str] = set()

    def take(match: re.Match[str]) -> str:
        sign = _figure(match)
        figures.update([sign] if sign else [])
        return " " if sign else match[0]

    rest = spelled_in_words().sub(" ", counted().sub(take, rest))
    if stock is not None:
        rest = stock.sub(lambda match: match[0] if _is_cut_out(match) else " ", rest)
    return (content_words(rest) - generic) | figures | frozenset(_days(dates))


def _figure(match: re.Match[str]) -> str:
    """A figure as a sign; empty where it is none, or too small to tell anything."""
    text, figure = match.string, match[0]
    if any(_LETTER.match(text[at : at + 1]) for at in (match.start() - 1, match.end()) if at >= 0):
        return ""  # part of a name, such as RTX4090
    values = numbers_in(figure)
    if len(values) != 1 or not values[0].isdigit() or values[0] == "1":
        return ""
    if int(values[0]) >= LARGE:
        return f"n_{values[0]}"
    unit = "" if figure[-1].isdigit() or numbers_in(figure[-1]) else figure[-1]
    if unit == _COUNTS_ANYTHING:
        unit += text[match.end() : match.end() + 1].strip()
    return f"n_{values[0]}{unit}" if unit.strip(f".,{_COUNTS_ANYTHING}") else ""


def _is_cut_out(match: re.Match[str]) -> bool:
    """Whether a word is part of a name, such as `use-case.md`."""
    text = match.string
    before = _JOINED_BEFORE.match(text, max(0, match.start() - 2), match.start())
    return before is not None or _JOINED_BEHIND.match(text, match.end()) is not None


def _days(dates: tuple[str, ...]) -> Iterator[str]:
    """The days of a text, and the months of which it names no day; years are figures."""
    days = {date for date in dates if _DAY.fullmatch(date)}
    yield from days
    yield from (
        date for date in dates if _MONTH.fullmatch(date) and not any(day.startswith(f"{date}_") for day in days)
    )


@cache
def _the_outcome_first() -> re.Pattern[str]:
    labels = (line.format("") for lines in words.keyed("work.told").values() for line in lines)
    return re.compile("|".join(rf"^{re.escape(label)}" for label in labels))


@cache
def _the_user_first() -> re.Pattern[str]:
    return re.compile(rf"^\s*(?:{words.choices('asserting.the_user_first')})\s*", re.IGNORECASE)
