"""Dates as search tokens: `09月04日`, `9月4号`, "Sept 4th" and `2023-09-04` all hold the token `d_9_4`.

A date gives `d_<month>_<day>`, with its year also `d_<year>_<month>_<day>`, `d_<year>_<month>` and the year; every
date gives `d_<month>`, so that "in May" finds each day of May."""

from __future__ import annotations

import re
from datetime import date

_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_MONTH = (
    r"(?P<{}>Jan(?:uary)?|Feb(?:ruary)?|Mar(?:ch)?|Apr(?:il)?|May|June?|July?|Aug(?:ust)?|Sept?(?:ember)?"
    r"|Oct(?:ober)?|Nov(?:ember)?|Dec(?:ember)?)\b\.?"
)
_YEAR = r"(?P<{}>(?:19|20)\d\d)"
_DAY = r"(?P<{}>0?[1-9]|[12]\d|3[01])"
_CHINESE_NUMBER = "[0-9〇零一二两三四五六七八九十]"
_CHINESE_DIGITS = {character: value for value, character in enumerate("零一二三四五六七八九")} | {"〇": 0, "两": 2}

_DATE = re.compile(
    rf"(?<!\d){_YEAR.format('y1')}(?P<s>[-/.])(?P<m1>0?[1-9]|1[0-2])(?P=s){_DAY.format('d1')}(?!\d)"
    rf"|(?:(?P<y2>(?:19|20)\d\d|{_CHINESE_NUMBER}{{4}})年\s{{0,3}})?(?<!{_CHINESE_NUMBER})(?P<m2>{_CHINESE_NUMBER}{{1,2}})月"
    rf"(?:份|\s{{0,3}}(?P<d2>{_CHINESE_NUMBER}{{1,3}})(?:日|号|(?!\w)))?"
    rf"|\b{_MONTH.format('m3')}\s{{1,3}}{_DAY.format('d3')}(?:st|nd|rd|th)?\b(?:,?\s{{1,3}}{_YEAR.format('y3')}\b)?"
    rf"|\b{_DAY.format('d4')}(?:st|nd|rd|th)?\s{{1,3}}(?:of\s{{1,3}})?{_MONTH.format('m4')}(?:,?\s{{1,3}}{_YEAR.format('y4')}\b)?"
    rf"|\b{_MONTH.format('m5')},?\s{{1,3}}{_YEAR.format('y5')}\b"
    rf"|\b(?:in|since|until|by|last|next|of|early|late|mid)[\s-]{{1,3}}{_MONTH.format('m6')}(?!,?\s{{1,3}}\d)",
    re.IGNORECASE,
)
_HAS_DATE = re.compile(rf"[0-9]|月|{_MONTH.format('m')}", re.IGNORECASE)


def take_dates(text: str) -> tuple[str, tuple[str, ...]]:
    """The text without its dates, and the tokens of the dates."""
    if not _HAS_DATE.search(text):
        return text, ()
    tokens: list[str] = []

    def take(match: re.Match[str]) -> str:
        parts = _possible_parts(match)
        if parts is None:
            return match[0]
        tokens.extend(_date_tokens(*parts))
        return " "

    rest = _DATE.sub(take, text)
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
    if spelled.isascii():
        return int(spelled) if spelled.isdigit() else _MONTHS.index(spelled[:3].lower()) + 1
    if "十" not in spelled:
        digits = "".join(str(_CHINESE_DIGITS.get(character, character)) for character in spelled)
        return int(digits) if digits.isdigit() else None
    tens, _, ones = spelled.partition("十")
    return 10 * _CHINESE_DIGITS.get(tens or "一", 0) + _CHINESE_DIGITS.get(ones or "零", 0)
