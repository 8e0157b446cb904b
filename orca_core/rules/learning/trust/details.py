"""What a fact names must have been typed, or be remembered: its names, numbers, dates and years. And no word of it may
stand in what others wrote alone."""

from __future__ import annotations

import re

from orca_core import words
from orca_core.rules.learning.trust.claims import Claim
from orca_core.rules.learning.trust.typed import Ground
from orca_core.rules.learning.trust.wordings import (
    Comparison,
    Unit,
    UnitKind,
    Wording,
    compare,
    stands_in,
    stems_of,
    together,
    units_of,
    years_of,
)

ONE = "1"
"""It counts nothing where it is an article: "one of …", 一直, 一点."""
SMALL_NUMBER = 100
"""Bare numbers below it stand in any long text."""
MIN_BEGINNING = 3
"""So many letters must names have in common at their beginning to be nearly one. Chosen by hand."""
_YEAR = re.compile(r"(?:19|20)\d\d")


def is_foreign(claim: Claim, ground: Ground) -> bool:
    """Whether a word of it stands only in what others wrote."""
    lacking = _typed(claim, ground).lacking
    return any(stands_in(unit, ground.foreign) and not (is_small(unit) or is_common(unit)) for unit in lacking)


def is_the_assistants(claim: Claim, ground: Ground) -> bool:
    """Whether more of it stands in the answers alone than was typed."""
    typed = _typed(claim, ground)
    answered = sum(unit.weight for unit in typed.lacking if stands_in(unit, ground.answered) and not is_small(unit))
    return answered > typed.said - sum(unit.weight for unit in typed.lacking)


def lacks_one(claim: Claim, ground: Ground) -> bool:
    """Whether a detail of it was not typed, or it goes on to say what nobody typed."""
    if any(is_detail(unit, ground) for unit in _typed(claim, ground).lacking) or _is_of_another_year(claim, ground):
        return True
    told = together([ground.typed, ground.known])
    return _adds_to(claim, told) or _gives_a_reason(claim, told) or _misnames(claim, told)


def is_small(unit: Unit) -> bool:
    """Whether it is a mere count."""
    return unit.kind is UnitKind.NUMBER and unit.text.isdigit() and int(unit.text) < SMALL_NUMBER


def _typed(claim: Claim, ground: Ground) -> Comparison:
    return compare(claim.fact.content, together([ground.typed, ground.known]))


def _misnames(claim: Claim, typed: Wording) -> bool:
    """Whether it calls one by a name that was not typed: 小阮 for 小冉. Latin names are told by their letters."""
    content = claim.fact.content
    found = [match["name"] for each in words.patterns("asserting.named") for match in each.finditer(content)]
    return any(not any(name in run for run in typed.han) for name in found)


def _adds_to(claim: Claim, typed: Wording) -> bool:
    """Whether the fact goes on to say another thing of which not a word was typed."""
    parts = words.pattern("asserting.part_end").split(claim.fact.content)
    return len(parts) > 1 and any(_is_new(part, typed) for part in parts)


def _gives_a_reason(claim: Claim, typed: Wording) -> bool:
    """Whether the fact says why something is so in words of which none was typed: "for religious reasons"."""
    found = [match["why"] for each in words.patterns("asserting.reason") for match in each.finditer(claim.text)]
    return any(_is_new(why, typed) for why in found)


def _is_new(part: str, typed: Wording) -> bool:
    """Whether not a word of it was typed; a small number stands in any long text."""
    told = compare(part, typed)
    small = sum(unit.weight for unit in units_of(part) if is_small(unit) and unit not in told.lacking)
    return told.said > small and told.share * told.said <= small


def is_common(unit: Unit) -> bool:
    """Whether any long text has the word."""
    return unit.kind is UnitKind.WORD and unit.text.casefold() in words.word_set("asserting.common")


def is_detail(unit: Unit, ground: Ground) -> bool:
    """Whether it must have been typed: a name, a number, and a date that follows from no word of the user's."""
    if unit.kind is UnitKind.DATE:
        month, _, day = unit.text.removeprefix("d_").partition("_")
        return not any(days.holds(int(month), int(day) if day else None) for days in ground.meant)
    if unit.kind is UnitKind.NUMBER and _YEAR.fullmatch(unit.text):
        return not any(days.reaches(int(unit.text)) for days in ground.meant)
    if unit.kind is UnitKind.NAME and _is_nearly_named(unit, together([ground.typed, ground.known])):
        return False
    if unit.kind is UnitKind.NAME:
        return not words.pattern("asserting.kinds").fullmatch(unit.text)
    return unit.kind is UnitKind.NUMBER and unit.text != ONE


def _is_nearly_named(unit: Unit, typed: Wording) -> bool:
    """Whether a typed name begins as it does, or it begins as a typed one ("TeX Live", texlive; rustup, Rust): it may
    be the same. Who reads a second time is asked; what differs in the middle is another name."""
    return any(_is_beginning(one, other) for one in stems_of(unit.text) for other in typed.stems)


def _is_beginning(one: str, other: str) -> bool:
    short, long = sorted((one, other), key=len)
    return len(short) >= MIN_BEGINNING and short.isalpha() and long.startswith(short) and long[len(short) :].isalpha()


def _is_of_another_year(claim: Claim, ground: Ground) -> bool:
    """Whether a date has a year that was not typed with it, and follows from no word of the user's."""
    there = ground.typed.dates | ground.known.dates
    return any(
        each.token not in there and not any(days.holds(each.month, each.day, each.year) for days in ground.meant)
        for each in years_of(claim.fact.content)
    )
