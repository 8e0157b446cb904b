"""Read numbers in one spelling: `三千`, `3,000` and "three thousand" are 3000, "half an hour" 30, 九米六 9.6. Numbers
of telephones and accounts are told by their shape alone."""

from __future__ import annotations

import re
import unicodedata
from functools import cache
from itertools import pairwise

from orca_core import words
from orca_core.rules.text.spelling import simplified

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
def number_word_pattern() -> re.Pattern[str]:
    """A word that is a number, or part of one."""
    return re.compile(rf"\b(?:{'|'.join(_word_values() | _word_units())})\b", re.IGNORECASE)


@cache
def counted_pattern() -> re.Pattern[str]:
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
    """Return what the last digit counts: 两万三 are 23,000."""
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


_HALF = re.compile("half|dozen|半|打", re.IGNORECASE)
_TENS_AND = re.compile("[一二三四五六七八九]?十有[一二三四五六七八九](?![个位次天种])")
"""七十有三 is 73."""
_IN_ALL = {"米": 100, "块": 10}
"""How many of the smaller unit are in the larger one: 一米八六 are 186 centimetres."""


def quantities_in(text: str) -> frozenset[str]:
    """Every number that it may mean by them: two of ten, 两成, may be told 20 percent."""
    text = simplified(text)
    found = {
        number
        for key, pattern in words.keyed_patterns("numbers.otherwise").items()
        if pattern.search(text)
        for number in key.split("_")
    }
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
        for key, pattern in words.keyed_patterns("numbers.otherwise").items()
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


FEWEST_DIGITS = 8
ROUND = "000"
"""What ends so is a count: 12000000."""
SHORTEST_LOCAL = 5
"""So many digits stand behind an area code at least; fewer behind five are a post code's (02139-4307)."""
_RUN = re.compile(
    r"(?<![A-Za-z0-9_./=$€£¥#+-])(?<!\d[:,])(?<![$€£¥] )\d+(?:[ .-]\d+)*"
    r"(?![A-Za-z0-9_/=€%]|[:,.-]\d|[.-][A-Za-z]| ?[元円€])"
)
_YEAR, _MONTH, _DAY = r"(?:19|20)\d\d", r"(?:0?[1-9]|1[0-2])", r"(?:0?[1-9]|[12]\d|3[01])"
_DATE = "|".join(
    (
        rf"{_YEAR}(?P<{{n}}>[ .-]){_MONTH}(?P={{n}}){_DAY}",
        rf"{_DAY}(?P<{{n}}a>[ .-]){_MONTH}(?P={{n}}a){_YEAR}",
        rf"{_MONTH}(?P<{{n}}b>[ .-]){_DAY}(?P={{n}}b){_YEAR}",
        rf"{_YEAR}(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])",
        rf"{_YEAR}(?:[.-]{_MONTH})?",
    )
)
_DATES = re.compile(rf"(?:{_DATE.replace('{n}', 'one')})(?:[ -](?:{_DATE.replace('{n}', 'two')}))*(?: \d\d?)?")
_THOUSANDS = re.compile(r"[1-9]\d{0,2}(?: \d{3})+")
_RANGES = re.compile(r"[1-9]\d*-[1-9]\d*(?: [1-9]\d*-[1-9]\d*)*")


def has_grouped_digits(text: str) -> bool:
    """Tell whether a text holds a number that is somebody's."""
    return any(_is_somebodys(match[0]) for match in _RUN.finditer(text))


def _is_somebodys(run: str) -> bool:
    if "." in run and (" " in run or "-" in run):
        return any(map(_is_somebodys, re.split("[ -]", run)))
    groups = re.split("[ .-]", run)
    if sum(map(len, groups)) < FEWEST_DIGITS or _DATES.fullmatch(run):
        return False
    if len(groups) == 1:
        return not run.endswith(ROUND)
    if "." in run:
        return _is_dotted_telephone(groups)
    if len(groups) == 2 and groups[0].startswith("0"):
        return len(groups[0]) > 1 and len(groups[1]) >= SHORTEST_LOCAL
    if any(len(each) >= FEWEST_DIGITS and _is_somebodys(each) for each in groups):
        return True
    return not (len(groups) == 2 or _THOUSANDS.fullmatch(run) or _RANGES.fullmatch(run) or _is_even_row(groups))


def _is_dotted_telephone(groups: list[str]) -> bool:
    """06.12.34.56.78 and 0470.11.83.29; not 3.14159265, 192.168.10.20, 120.0.6099.109 or 12.345.678."""
    if not all(2 <= len(each) <= 4 for each in groups):
        return False
    return len(groups) > 4 or (len(groups) > 2 and groups[0].startswith("0"))


def _is_even_row(groups: list[str]) -> bool:
    """Tell whether each is as much more as the one before: 36 38 40 42."""
    steps = {int(later) - int(earlier) for earlier, later in pairwise(groups)}
    return len(steps) == 1 and not any(each.startswith("0") and len(each) > 1 for each in groups)
