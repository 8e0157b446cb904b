"""Numbers in one spelling: `三千`, `3,000` and "three thousand" all read as 3000."""

from __future__ import annotations

import re
import unicodedata
from functools import cache

from orca_core import words
from orca_core.rules.text.scripts import simplified

_ARABIC = r"(?P<arabic>\d+(?:,\d{3})+(?!\d)|\d+(?:\.\d+)*)"
_THOUSAND = {"k": 1000}


def numbers_in(text: str) -> list[str]:
    """The numbers of a text, in their order, each as digits; versions keep their dots."""
    no_number = words.pattern("numbers.no_number", flags=re.NOFLAG)
    plain = no_number.sub(" ", simplified(unicodedata.normalize("NFKC", text)))
    return [_value(match) for match in _number().finditer(plain)]


def numbers_in_words(text: str) -> list[str]:
    """The numbers that a text spells in words, without "one", which is often an article."""
    return [number for number in numbers_in(_in_characters_pattern().sub(" ", text)) if number != "1"]


@cache
def spelled_in_words() -> re.Pattern[str]:
    """A word that is a number, or part of one."""
    return re.compile(rf"\b(?:{'|'.join(_word_values() | _word_units())})\b", re.IGNORECASE)


@cache
def counted() -> re.Pattern[str]:
    """A number in digits or characters, with the character behind it that says what is counted."""
    characters = "".join(_character_values() | _character_units())
    return re.compile(rf"[\d{characters}.,]+(?:[{''.join(words.words('numbers.counters'))}])?")


@cache
def _number() -> re.Pattern[str]:
    """A number in digits, in characters or in words."""
    large = "".join(unit for unit, value in _character_units().items() if value >= 1000)
    characters = "".join(_character_values() | _character_units())
    word = "|".join(_word_values() | _word_units())
    return re.compile(
        rf"{_ARABIC}(?P<unit>[{large}kK](?![a-zA-Z]))?"
        rf"|(?P<characters>[{characters}]{{1,18}})"
        # ASCII case alone: a dotless "ı" is no i of a number
        rf"|\b(?P<words>(?a:{word})(?:[ -](?a:{word}))*)\b",
        re.IGNORECASE,
    )


def _values(table: str, where: tuple[str, ...]) -> dict[str, int]:
    return {
        word: int(value) for value, written in words.keyed(table, *where).items() for word in " ".join(written).split()
    }


@cache
def _word_values() -> dict[str, int]:
    return _values("numbers.values", words.of_whole_words())


@cache
def _word_units() -> dict[str, int]:
    return _values("numbers.units", words.of_whole_words())


@cache
def _character_values() -> dict[str, int]:
    return _values("numbers.values", words.of_runs())


@cache
def _character_units() -> dict[str, int]:
    return _values("numbers.units", words.of_runs())


def _value(match: re.Match[str]) -> str:
    if match["arabic"]:
        digits = match["arabic"].replace(",", "")
        unit = (match["unit"] or "").lower()
        if not unit or digits.count(".") > 1:
            return digits
        return f"{float(digits) * (_THOUSAND | _character_units())[unit]:g}"
    if match["characters"]:
        return str(_in_characters(match["characters"]))
    return str(_in_words(match["words"].lower()))


def _in_characters(spelled: str) -> int:
    """Digits one by one, or digits with their units: `二零二六`, `三千二百`."""
    values, units = _character_values(), _character_units()
    if not any(character in units for character in spelled):
        return int("".join(str(values[character]) for character in spelled))
    total = section = digit = 0
    for character in spelled:
        if character in values:
            digit = values[character]
        elif units[character] >= 10_000:
            total = (total + section + digit or 1) * units[character]
            section = digit = 0
        else:
            section += (digit or 1) * units[character]
            digit = 0
    return total + section + digit * _left_out_unit(spelled)


def _left_out_unit(spelled: str) -> int:
    """What the last digit counts: 两万三 are 23,000."""
    unit = _character_units().get(spelled[-2], 1) if len(spelled) > 1 else 1
    return unit // 10 if unit > 10 else 1


def _in_words(spelled: str) -> int:
    """Words that add up, with units that multiply: "two hundred thirty-five"."""
    values, units = _word_values(), _word_units()
    total = current = 0
    for word in re.split(r"[ -]", spelled):
        if word in values:
            current += values[word]
        elif units[word] == 100:
            current = (current or 1) * 100
        else:
            total += (current or 1) * units[word]
            current = 0
    return total + current


@cache
def _in_characters_pattern() -> re.Pattern[str]:
    return re.compile(r"[\u3400-\u9fff\uf900-\ufaff]|[^\s]*\d[^\s]*")


_FIGURE_BY_FIGURE = re.compile("(?:[〇零一二三四五六七八九幺][ -]?){7,}")
_FIGURES = str.maketrans("〇零一二三四五六七八九幺", "001234567891")


def in_figures(text: str) -> str:
    """The text with the digits of every script as 0 to 9, and Chinese ones that are read out one by one."""
    plain = text if text.isascii() else "".join(str(int(each)) if each.isdecimal() else each for each in text)
    return _FIGURE_BY_FIGURE.sub(lambda match: match[0].translate(_FIGURES), plain)
