"""Find the days that a text may mean by words that count from the day on which it was said: "tomorrow", "in two weeks",
下周三, and by a date that leaves out its year.

People are loose in it ("next Friday"), and so is this: each word gives a stretch of days, and a date agrees if it lies
in one."""

from __future__ import annotations

import calendar
import re
import unicodedata
from collections.abc import Iterator, Sequence
from datetime import date, timedelta

from msgspec import Struct

from orca_core import words
from orca_core.rules.text.dates import dates_in, short_years_in
from orca_core.rules.text.numerals import numbers_in
from orca_core.rules.text.spelling import simplified

LOOSE = {"days": 1, "weeks": 4, "months": 16, "years": 190}
"""How many days off a counted time may be: "three weeks ago" is no day's date. Chosen by hand."""
VAGUE_DAYS = 92
""" "Recently" and "soon" reach so far. Chosen by hand."""
WEEKDAY_DAYS = 21
"""A day of the week may be meant of so many days around. Chosen by hand."""
DATE_DAYS = 366
"""A date without its year is the last one or the next, unless a year is named beside it."""
_FEW_DAYS = 3
MOST_YEARS = 100
_YEARS = range(1900, 2100)
_NAMED = ("day", "week", "month", "year")
_DAYS = {"days": 1, "weeks": 7, "months": 30.44, "years": 365.25}


_TWO_DAYS = re.compile(
    r"(?P<month>\b[A-Za-z]{3,9}\.?\s|(?<!\d)\d{1,2}月)(?P<first>\d{1,2}[日号]?)"
    r"\s?[-–—~～/&和至到]\s?(?P<last>\d{1,2}(?:[日号]|(?![\d月日号:.-])))"
)
_BARE_DAY = re.compile(
    "(?<!\\d)\\d{1,2}月\\d{1,2}(?=[\u4e00-\u9fff])(?![日号月个位名人次天条家张件块元岁年周点分秒期班批份万千百亿十节课斤米种只头台本])"
)
"""9月14入职; 9月14个人 is a count. What counts is read loosely: at worst a date is taken that was no day's."""


class DayRange(Struct, frozen=True):
    """A stretch of days, with both its ends; of a day of the week only those days in it, of a day of the month too. Of
    a month only that month, and no day of it but the one that is named; of counted years no month (`of_years`)."""

    first: date
    last: date
    weekday: int | None = None
    day: int | None = None
    month: int | None = None
    of_years: bool = False

    def holds(self, month: int, day: int | None, year: int | None = None) -> bool:
        """Tell whether a date, as far as it is given, is one of them."""
        if self.of_years:
            return False
        if self.month is not None and (month != self.month or (day is not None and self.day is None)):
            return False
        years = [year] if year is not None else range(self.first.year, self.last.year + 1)
        return any(self._holds(each, month, day) for each in years)

    def reaches(self, year: int) -> bool:
        """Tell whether some of them are of the year."""
        if self.of_years:
            return self.first.year <= year <= self.last.year
        return any(self.holds(month, None, year) for month in range(1, 13))

    def falls_on(self, weekday: int) -> bool:
        """Tell whether it is a day or three, one of which is that day of the week."""
        if self.of_years or self.weekday is not None:
            return self.weekday == weekday
        if self.day is not None and self.month is not None:
            years = range(self.first.year, self.last.year + 1)
            dates = [date(y, self.month, self.day) for y in years if self.day <= calendar.monthrange(y, self.month)[1]]
            return any(self.first <= each <= self.last and each.weekday() == weekday for each in dates)
        length = (self.last - self.first).days
        return length < _FEW_DAYS and any(
            (self.first + timedelta(days=each)).weekday() == weekday for each in range(length + 1)
        )

    def _holds(self, year: int, month: int, day: int | None) -> bool:
        if day is None:
            last = calendar.monthrange(year, month)[1]
            return self.first <= date(year, month, last) and date(year, month, 1) <= self.last
        if day > calendar.monthrange(year, month)[1]:
            return False
        meant = date(year, month, day)
        if not self.first <= meant <= self.last:
            return False
        return self.weekday in (None, meant.weekday()) and self.day in (None, day)


def days_meant(text: str, said_on: date) -> tuple[DayRange, ...]:
    """The stretches of days that a text may mean, counted from when it was said."""
    text = simplified(unicodedata.normalize("NFKC", text))
    counted = tuple(
        days for key, pattern in words.keyed_patterns("relative.days").items() for match in pattern.finditer(text)
        for days in _days(key, match[0], said_on)
    )  # fmt: skip
    return (*counted, *_written(text, said_on, counted))


def counted_words(text: str) -> Iterator[tuple[str, str]]:
    """The words of a text that count from when it was said, each behind the key of its table."""
    plain = simplified(unicodedata.normalize("NFKC", text))
    for key, pattern in words.keyed_patterns("relative.days").items():
        for match in pattern.finditer(plain):
            yield key, match[0]


def day_meant(word: str, said_on: date) -> date | None:
    """The one day that a word means which counts from when it was said; None where it may mean several."""
    for key, written in counted_words(word):
        unit, _, where = key.partition("_")
        if written != word or unit not in ("day", "days"):
            continue
        if unit == "day":
            return said_on + timedelta(days=int(where) - _NOW)
        count = next((int(number) for number in numbers_in(word) if number.isdigit()), None)
        if count is not None and count <= MOST_YEARS * _DAYS["years"]:
            return said_on + timedelta(days=count if where == "ahead" else -count)
    return None


def _written(text: str, said_on: date, counted: Sequence[DayRange]) -> Iterator[DayRange]:
    """The dates that are written: one without its year is of the years around, and of those that the text names or
    counts."""
    dates = dict.fromkeys((*dates_in(text), *dates_in(_spelled_out(text))))
    if not dates:
        return
    named = {*short_years_in(text), *(int(each) for each in numbers_in(text) if each.isdigit() and len(each) == 4)}
    named |= {year for days in counted for year in range(days.first.year, days.last.year + 1)}
    for each in dates:
        if each.year is None:
            yield _around(said_on, DATE_DAYS, day=each.day, month=each.month)
        for year in sorted(named & set(_YEARS)) if each.year is None else [each.year]:
            yield DayRange(date(year, 1, 1), date(year, 12, 31), day=each.day, month=each.month)


def _spelled_out(text: str) -> str:
    """The text with each day of "dec 12-13" beside its month, and 日 behind the day of 9月14入职."""
    return _BARE_DAY.sub(r"\g<0>日", _TWO_DAYS.sub(r"\g<month>\g<first>, \g<month>\g<last>", text))


def _days(key: str, written: str, said_on: date) -> Iterator[DayRange]:
    unit, _, where = key.partition("_")
    if unit == "weekday":
        yield _around(said_on, WEEKDAY_DAYS, weekday=int(where))
    elif unit == "vague":
        yield _around(said_on, VAGUE_DAYS)
    elif unit == "span":
        count = next((int(number) for number in numbers_in(written) if number.isdigit()), None)
        if count is not None and count <= MOST_YEARS:
            began = date(said_on.year - count, 1, 1)
            yield DayRange(began, began.replace(month=12, day=31), of_years=True)
    elif where in ("ahead", "ago"):
        count = next((int(number) for number in numbers_in(written) if number.isdigit()), 1)
        if count <= MOST_YEARS * _DAYS["years"] / _DAYS[unit]:
            off = timedelta(days=count * _DAYS[unit] * (1 if where == "ahead" else -1))
            yield _around(said_on + off, LOOSE[unit] * (2 if count > 2 else 1))
    elif unit == "monthday":
        number = next((int(each) for each in numbers_in(written) if each.isdigit()), 0)
        yield _around(said_on, VAGUE_DAYS, day=number)
    else:
        yield _named(unit, int(where) - _NOW, said_on)


_NOW = 5
"""`week_5` is this week, `week_6` the next: a key has no sign."""


def _named(unit: str, off: int, said_on: date) -> DayRange:
    if unit == "day":
        return _around(said_on + timedelta(days=off), 0)
    if unit == "week":
        monday = said_on - timedelta(days=said_on.weekday()) + timedelta(weeks=off)
        return DayRange(monday - timedelta(days=1), monday + timedelta(days=7))
    if unit == "month":
        month = said_on.year * 12 + said_on.month - 1 + off
        first = date(month // 12, month % 12 + 1, 1)
        return DayRange(first, first.replace(day=calendar.monthrange(first.year, first.month)[1]))
    return DayRange(date(said_on.year + off, 1, 1), date(said_on.year + off, 12, 31))


def _around(
    middle: date, days: int, *, weekday: int | None = None, day: int | None = None, month: int | None = None
) -> DayRange:
    return DayRange(middle - timedelta(days=days), middle + timedelta(days=days), weekday, day, month)


_NEVER_AGES = ("weekday", "monthday", "vague", "span")
"""A day of the week comes again; "recently" gives no day, and "nine years" may last."""


def ageing_words(text: str) -> tuple[str, ...]:
    """The words of a text by which only who heard it knows the day; none where a whole date stands beside them."""
    found = tuple(
        word
        for key, word in counted_words(text)
        if key.partition("_")[0] not in _NEVER_AGES and not words.pattern("relative.lasting").search(word)
    )
    return () if found and any(each.year is not None for each in dates_in(text)) else found
