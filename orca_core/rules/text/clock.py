"""The times of day that a text names, as numbers, however it counts the hours: "2:20pm" is 14 and 20 too."""

from __future__ import annotations

import re
from functools import cache

from orca_core import words
from orca_core.rules.text.numerals import numbers_in

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
