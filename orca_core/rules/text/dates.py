"""Dates as search tokens: `09月04日`, `9月4号`, "Sept 4th" and `2023-09-04` all hold the token `d_9_4`.

A date gives `d_<month>_<day>`, with its year also `d_<year>_<month>_<day>`, `d_<year>_<month>` and the year; every
date gives `d_<month>`, so that "in May" finds each day of May."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from datetime import date
from functools import cache

from msgspec import Struct

from orca_core import words

_YEAR = r"(?P<{}>(?:19|20)\d\d)"
_DAY = r"(?P<{}>0?[1-9]|[12]\d|3[01])"
_SHORT_YEAR = re.compile(r"(?<!\d)(\d\d)年(?![前后])|['’](\d\d)\b")
_LAST_OF_THIS_CENTURY = 50
"""'19 and 19年 are 2019; from '51 on they are of the century before."""
_CHINESE_NUMBER = "[0-9〇零一二两三四五六七八九十]"
_CHINESE_DIGITS = {character: value for value, character in enumerate("零一二三四五六七八九")} | {"〇": 0, "两": 2}


@cache
def _months() -> Mapping[str, int]:
    """The names of months, and their numbers."""
    named = words.keyed("numbers.months").items()
    return {name: int(number) for number, names in named for name in " ".join(names).split()}


@cache
def _any_month() -> str:
    """A pattern of all names of months: each short one with its longer ones, tried only at a letter that begins one."""
    names = sorted(_months())
    short = [name for name in names if not any(name != other and name.startswith(other) for other in names)]
    longer = {
        each: [name.removeprefix(each) for name in names if name != each and name.startswith(each)] for each in short
    }
    endings = {each: f"(?:{'|'.join(map(re.escape, longer[each]))})?" if longer[each] else "" for each in short}
    first = "".join(sorted({each[0] for each in short}))
    return f"(?=[{first}])(?:{'|'.join(re.escape(each) + endings[each] for each in short)})"


def _month(group: str) -> str:
    return rf"(?P<{group}>{_any_month()})\b\.?"


@cache
def _has_date() -> re.Pattern[str]:
    return re.compile(rf"[0-9]|月|{_month('m')}", re.IGNORECASE)


@cache
def _date() -> re.Pattern[str]:
    """A date, in digits, in Chinese, or with the name of its month. The letter of a group says what it holds."""
    nth = rf"(?:{words.choices('numbers.ordinal_endings')})?"
    of, before = words.choices("numbers.of_month"), words.choices("numbers.before_month")
    return re.compile(
        rf"(?<!\d){_YEAR.format('y1')}(?P<s>[-/.])(?P<m1>0?[1-9]|1[0-2])(?P=s){_DAY.format('d1')}(?!\d)"
        rf"|(?:(?P<y2>(?:19|20)\d\d|{_CHINESE_NUMBER}{{4}})年\s{{0,3}})?(?<!{_CHINESE_NUMBER})"
        rf"(?P<m2>{_CHINESE_NUMBER}{{1,2}})月(?:份|\s{{0,3}}(?P<d2>{_CHINESE_NUMBER}{{1,3}})(?:日|号|(?!\w)))?"
        rf"|\b{_month('m3')}\s{{1,3}}{_DAY.format('d3')}{nth}\b(?:,?\s{{1,3}}{_YEAR.format('y3')}\b)?"
        rf"|\b{_DAY.format('d4')}{nth}\s{{1,3}}(?:(?:{of})\s{{1,3}})?{_month('m4')}(?:,?\s{{1,3}}{_YEAR.format('y4')}\b)?"
        rf"|\b{_month('m5')},?\s{{1,3}}{_YEAR.format('y5')}\b"
        rf"|\b(?:{before})[\s-]{{1,3}}{_month('m6')}(?!,?\s{{1,3}}\d)",
        re.IGNORECASE,
    )


class WrittenDate(Struct, frozen=True):
    """A date, as far as it is written out."""

    year: int | None
    month: int
    day: int | None

    @property
    def token(self) -> str:
        """Its most exact search token."""
        return _date_tokens(self.year, self.month, self.day)[-1]


def dates_in(text: str) -> Iterator[WrittenDate]:
    """The dates of a text, in their order."""
    if _has_date().search(text):
        for match in _date().finditer(text):
            parts = _possible_parts(match)
            if parts is not None:
                yield WrittenDate(*parts)


def short_years_in(text: str) -> Iterator[int]:
    """The years of a text that are written with two digits."""
    for match in _SHORT_YEAR.finditer(text):
        year = int(match[1] or match[2])
        yield year + (2000 if year <= _LAST_OF_THIS_CENTURY else 1900)


def take_dates(text: str) -> tuple[str, tuple[str, ...]]:
    """The text without its dates, and the tokens of the dates."""
    if not _has_date().search(text):
        return text, ()
    tokens: list[str] = []

    def take(match: re.Match[str]) -> str:
        parts = _possible_parts(match)
        if parts is None:
            return match[0]
        tokens.extend(_date_tokens(*parts))
        return " "

    rest = _date().sub(take, text)
    return rest, tuple(tokens)


def tokens_of_day(day: date) -> tuple[str, ...]:
    """The tokens of a day, as a text that spells it out would have them."""
    return _date_tokens(day.year, day.month, day.day)


def _date_tokens(year: int | None, month: int, day: int | None) -> tuple[str, ...]:
    tokens = [f"d_{month}"]
    if day is not None:
        tokens.append(f"d_{month}_{day}")
    if year is not None:
        tokens += [str(year), f"d_{year}_{month}"]
        if day is not None:
            tokens.append(f"d_{year}_{month}_{day}")
    return tuple(tokens)


def _possible_parts(match: re.Match[str]) -> tuple[int | None, int, int | None] | None:
    """Year, month and day; None where no calendar has such a date."""
    found = {name[0]: value for name, value in match.groupdict().items() if value is not None}
    year, month, day = _number(found.get("y")), _number(found.get("m")), _number(found.get("d"))
    if month is None or not 1 <= month <= 12:
        return None
    if (year is not None and not 1900 <= year <= 2099) or (day is not None and not 1 <= day <= 31):
        return None
    return year, month, day


def _number(spelled: str | None) -> int | None:
    if spelled is None:
        return None
    if spelled.isascii() and spelled.isdigit():
        return int(spelled)
    if (month := _months().get(spelled.lower())) is not None:
        return month
    if "十" not in spelled:
        digits = "".join(str(_CHINESE_DIGITS.get(character, character)) for character in spelled)
        return int(digits) if digits.isdigit() else None
    tens, _, ones = spelled.partition("十")
    return 10 * _CHINESE_DIGITS.get(tens or "一", 0) + _CHINESE_DIGITS.get(ones or "零", 0)
