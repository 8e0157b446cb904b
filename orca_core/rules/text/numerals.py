"""Numbers in one spelling: `三千`, `3,000` and "three thousand" all read as 3000."""

from __future__ import annotations

import re
import unicodedata

_DIGITS = {character: value for value, character in enumerate("零一二三四五六七八九")} | {"〇": 0, "两": 2}
_UNITS = {"十": 10, "百": 100, "千": 1000, "万": 10_000, "亿": 100_000_000}
_ENGLISH = {
    word: value
    for value, word in enumerate(
        (
            "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen"
            " seventeen eighteen nineteen twenty"
        ).split()
    )
} | {"thirty": 30, "forty": 40, "fifty": 50, "sixty": 60, "seventy": 70, "eighty": 80, "ninety": 90}
_ENGLISH_UNITS = {"hundred": 100, "thousand": 1000, "million": 1_000_000}

ENGLISH_NUMERAL = re.compile(rf"\b(?:{'|'.join([*_ENGLISH, *_ENGLISH_UNITS])})\b", re.IGNORECASE)
"""A word that is a number, or part of one."""

_NUMBER = re.compile(
    r"(?P<arabic>\d+(?:,\d{3})+(?!\d)|\d+(?:\.\d+)*)(?P<unit>[千万亿kK](?![a-zA-Z]))?"
    r"|(?P<chinese>[零〇一二两三四五六七八九十百千万亿]{1,18})"
    r"|\b(?P<english>(?:" + "|".join([*_ENGLISH, *_ENGLISH_UNITS]) + r")(?:[ -](?:"
    + "|".join([*_ENGLISH, *_ENGLISH_UNITS]) + r"))*)\b",
    re.IGNORECASE,
)  # fmt: skip
# 一 is seldom a number where nothing is counted by it: 一个, 一律, 同一; and 三 in 周三 is a day's name.
_NO_NUMBER = re.compile(
    r"(?<![零〇一二两三四五六七八九十百千万亿])一(?![零〇一二两三四五六七八九十百千万亿年月日号岁天点元块米])"
    r"|[同统唯第]一|十分|万一|千万别|百度|(?:周|星期|礼拜)[一二三四五六]"
)


def numbers_in(text: str) -> list[str]:
    """The numbers of a text, in their order, each as digits; versions keep their dots."""
    plain = _NO_NUMBER.sub(" ", unicodedata.normalize("NFKC", text))
    return [_value(match) for match in _NUMBER.finditer(plain)]


def _value(match: re.Match[str]) -> str:
    if match["arabic"]:
        digits = match["arabic"].replace(",", "")
        unit = (match["unit"] or "").lower()
        if not unit or digits.count(".") > 1:
            return digits
        return f"{float(digits) * {'k': 1000, **_UNITS}[unit]:g}"
    if match["chinese"]:
        return str(_chinese(match["chinese"]))
    return str(_english(match["english"].lower()))


def _chinese(spelled: str) -> int:
    if not any(character in _UNITS for character in spelled):
        return int("".join(str(_DIGITS[character]) for character in spelled))
    total = section = digit = 0
    for character in spelled:
        if character in _DIGITS:
            digit = _DIGITS[character]
        elif _UNITS[character] >= 10_000:
            total = (total + section + digit or 1) * _UNITS[character]
            section = digit = 0
        else:
            section += (digit or 1) * _UNITS[character]
            digit = 0
    return total + section + digit


def _english(spelled: str) -> int:
    total = current = 0
    for word in re.split(r"[ -]", spelled):
        if word in _ENGLISH:
            current += _ENGLISH[word]
        elif _ENGLISH_UNITS[word] == 100:
            current = (current or 1) * 100
        else:
            total += (current or 1) * _ENGLISH_UNITS[word]
            current = 0
    return total + current
