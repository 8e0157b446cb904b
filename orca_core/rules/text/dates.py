"""Read dates, days of the week and times of day out of a text, however they are written.

As search tokens a date gives `d_<month>_<day>`, with its year also `d_<year>_<month>_<day>`, `d_<year>_<month>` and the
year, and always `d_<month>`: `09月04日`, `9月4号`, "Sept 4th" and `2023-09-04` all hold `d_9_4`."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, date, datetime
from functools import cache
from itertools import pairwise

from msgspec import Struct

from orca_core import words
from orca_core.model.errors import InvalidInput
from orca_core.rules.text.numerals import numbers_in
from orca_core.rules.text.spelling import simplified

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


_DAY_TOKEN, _MONTH_TOKEN = re.compile(r"d_\d{1,2}_\d{1,2}"), re.compile(r"d_\d{1,2}")


def is_month_token(token: str) -> bool:
    """Tell whether a token is that of a month, without a day and a year."""
    return _MONTH_TOKEN.fullmatch(token) is not None


def days_of_tokens(tokens: Sequence[str]) -> list[str]:
    """Of the tokens of dates those of a day, and of a month that has none, without the year."""
    days = [token for token in tokens if _DAY_TOKEN.fullmatch(token)]
    months = [each for each in tokens if is_month_token(each) and not any(day.startswith(f"{each}_") for day in days)]
    return [*days, *months]


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
    several = (
        key for key, pattern in words.keyed_patterns("relative.several_weekdays").items() if pattern.search(plain)
    )
    return frozenset(days | {int(day) for key in several for day in key.split("_")})


def _plain(text: str) -> str:
    return _NO_DAY.sub(" ", simplified(unicodedata.normalize("NFKC", text)))


def _found(plain: str) -> Iterator[tuple[int, int, int]]:
    """Each day by its place, in their order."""
    found = {
        match.span(): int(day)
        for day, pattern in words.keyed_patterns("relative.weekdays").items()
        for match in pattern.finditer(plain)
    }
    for match in _LISTED.finditer(plain):
        start = match.start("more")
        for place, character in enumerate(match["more"], start):
            if character in _CHARACTERS + "天":
                found[place, place + 1] = _CHARACTERS.index(character.replace("天", "日"))
    return ((start, end, day) for (start, end), day in sorted(found.items()))


NOON = 12
HOURS = 24
_TIME = re.compile(r"(?<![\d:.,])(\d{1,2})(?:[:.](\d\d))?(?![\d:]|[.,]\d)")


def clock_numbers(text: str) -> frozenset[str]:
    """The hours and minutes of its times, in both counts of hours; a bare hour has no minutes."""
    found: set[str] = set()
    for time in _TIME.finditer(text):
        hour, minutes = int(time[1]), time[2] or "00"
        if hour > HOURS:
            continue
        found.add(minutes)
        if hour < NOON and _afternoon().match(text, time.end()):
            found |= {str(hour + NOON), minutes}
        elif hour > NOON and time[2]:
            found.add(str(hour - NOON))
    for half in _half_past().finditer(text):
        if any(number.isdigit() and 0 < int(number) <= NOON for number in numbers_in(half["hour"])):
            found.add("30")
    for evening in _past_noon().finditer(text):
        hours = [numbers_in(hour) for hour in (evening["hour"], evening["until"]) if hour]
        found |= {str(int(each[0]) + NOON) for each in hours if each and each[0].isdigit() and 0 < int(each[0]) < NOON}
    return frozenset(found)


@cache
def _afternoon() -> re.Pattern[str]:
    return re.compile(rf"\s*(?:{words.source('numbers.afternoon')})(?!\w)", re.IGNORECASE)


@cache
def _past_noon() -> re.Pattern[str]:
    """An hour behind what says that it is past noon, and the hour to which it goes on: 下午两点到五点."""
    hour, mark = r"(?:\d{1,2}(?!\d)|[一二两三四五六七八九十]{1,2})", "[点时:：]"
    before, to = words.source("numbers.before_afternoon"), rf"\s*(?:{words.source('numbers.to_an_hour')})\s*"
    until = rf"{to}(?P<until>{hour})(?={mark})"
    return re.compile(
        rf"(?:{before})\s*(?P<hour>{hour})(?={mark}|{to}{hour}{mark})(?:{mark}\d{{0,2}})?[半整]?(?:{until})?"
    )


@cache
def _half_past() -> re.Pattern[str]:
    return re.compile(rf"\b(?:{words.source('numbers.half_past')}) (?P<hour>\w+)", re.IGNORECASE)


EARLIEST = datetime(1970, 1, 1, tzinfo=UTC)
"""What lies before is no time at which anything was done: it is what some programs write where they know none."""


def moment(given: object) -> datetime:
    """In UTC; a time without a zone is meant as UTC. Raises InvalidInput for what is no time, or before 1970."""
    try:
        at = datetime.fromisoformat(given) if isinstance(given, str) else given
        if isinstance(at, datetime):
            in_utc = at.replace(tzinfo=UTC) if at.tzinfo is None else at.astimezone(UTC)
            if in_utc >= EARLIEST:
                return in_utc
    except (ValueError, OverflowError):
        pass
    said = given.isoformat() if isinstance(given, datetime) else given
    found = said[:40] if isinstance(said, str) else type(said).__name__
    raise InvalidInput(template="no such time: {found}", hint="as 2026-11-20T21:55:10Z", found=found)
