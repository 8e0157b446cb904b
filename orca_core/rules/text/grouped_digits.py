"""Numbers of telephones and accounts, told by their shape alone: eight digits or more, in a row or in groups, that are
no date, version, address of a machine, amount, range or even row."""

from __future__ import annotations

import re
from itertools import pairwise

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
    """Whether a text holds a number that is somebody's."""
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
    """Whether each is as much more as the one before: 36 38 40 42."""
    steps = {int(later) - int(earlier) for earlier, later in pairwise(groups)}
    return len(steps) == 1 and not any(each.startswith("0") and len(each) > 1 for each in groups)
