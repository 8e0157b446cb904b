"""The numbers that a text names in other words than numerals: "half an hour" is 30, 一刻钟 15, 九米六 9.6."""

from __future__ import annotations

import re
from functools import cache

from orca_core import words
from orca_core.rules.text.numerals import numbers_in
from orca_core.rules.text.scripts import simplified

_HALF = re.compile("half|dozen|半|打", re.IGNORECASE)
_TENS_AND = re.compile("[一二三四五六七八九]?十有[一二三四五六七八九](?![个位次天种])")
"""七十有三 is 73."""
_IN_ALL = {"米": 100, "块": 10}
"""How many of the smaller unit are in the larger one: 一米八六 are 186 centimetres."""


def quantities_in(text: str) -> frozenset[str]:
    """Every number that it may mean by them: two of ten, 两成, may be told 20 percent."""
    text = simplified(text)
    found = {number for key, pattern in _otherwise().items() if pattern.search(text) for number in key.split("_")}
    for match in _broken_pattern().finditer(text):
        found |= _broken(match)
    for match in _TENS_AND.finditer(text):
        found |= set(numbers_in(match[0].replace("有", "")))
    for match in _loose_pattern().finditer(text):  # 三两 and 两三 are as many, and 周二四六 are three days
        found |= {number for digit in match[0] for number in numbers_in(f"{digit}个")}
        found |= set(numbers_in(match[0][::-1]))
    for match in _and_a_half_pattern().finditer(text):
        found |= {f"{whole}.5" for whole in numbers_in(match["whole"]) if whole.isdigit()}
    return frozenset(found)


def halves_in(text: str) -> frozenset[str]:
    """Every number that a text may mean by a half or a dozen: 半年 is 6, "half a dozen" 6, 50 or 12, 两年半 2.5."""
    text = simplified(text)
    found = {
        number
        for key, pattern in _otherwise().items()
        if any(_HALF.search(match[0]) for match in pattern.finditer(text))
        for number in key.split("_")
    }
    wholes = [whole for match in _and_a_half_pattern().finditer(text) for whole in numbers_in(match["whole"])]
    return frozenset((found | {f"{whole}.5" for whole in wholes if whole.isdigit()}) - {"1"})


def _broken(match: re.Match[str]) -> set[str]:
    """九米六: 9.6, and in the smaller unit where it has two digits or one that counts tens."""
    wholes, parts = numbers_in(match["whole"] + match["unit"]), numbers_in(match["part"])
    if len(wholes) != 1 or len(parts) != 1 or not (wholes[0].isdigit() and parts[0].isdigit()):
        return set()
    digits = parts[0]
    found = {f"{wholes[0]}.{digits}"}
    if (many := _IN_ALL.get(match["unit"])) is not None:
        scaled = int(digits.ljust(len(str(many)) - 1, "0")[: len(str(many)) - 1])
        found.add(str(int(wholes[0]) * many + scaled))
    return found


@cache
def _otherwise() -> dict[str, re.Pattern[str]]:
    """What stands for numbers, by the numbers, with `_` between them."""
    written: dict[str, list[str]] = {}
    for folder in words.folders():
        for key, lines in words.keyed("numbers.otherwise", folder).items():
            each = "|".join(lines)
            written.setdefault(key, []).append(rf"\b(?:{each})\b" if words.has_whole_words(folder) else each)
    return {key: re.compile("|".join(each), re.IGNORECASE) for key, each in written.items()}


@cache
def _broken_pattern() -> re.Pattern[str]:
    return re.compile(
        "(?P<whole>[一二两三四五六七八九十百\\d]+)(?P<unit>[米块元点岁斤度])(?P<part>[零一二三四五六七八九\\d]{1,2})"
        "(?![\\d零一二三四五六七八九十百千万个点]|毛|分|月|日|号)"
    )


@cache
def _loose_pattern() -> re.Pattern[str]:
    return re.compile(
        "(?<![零一二两三四五六七八九十百千万\\d])[一二两三四五六七八九]{2,6}(?![零一二两三四五六七八九十百千万\\d年])"
    )


@cache
def _and_a_half_pattern() -> re.Pattern[str]:
    return re.compile("(?P<whole>[一二两三四五六七八九十百\\d]+)(?:个?[\u4e00-\u9fff]{1,2}?)半")
