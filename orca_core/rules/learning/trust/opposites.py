"""Whether a fact and a clause say opposite things of one, without a word of denial or with one right before the word:
"rented" and "bought", "west" and "eastbound", 不讨厌 and 讨厌."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import lru_cache
from itertools import pairwise

from orca_core import words
from orca_core.rules.clauses.clause import Clause, Mood, Time
from orca_core.rules.clauses.reading import places_behind
from orca_core.rules.clauses.wording import has, is_in
from orca_core.rules.learning.trust.claims import Claim
from orca_core.rules.learning.trust.wordings import UnitKind, shared, stands_in, units_of, wording_of

_REACH = 30
"""So many characters before a word a denial of it may begin. It bounds the time."""


def says_the_opposite(claim: Claim, clause: Clause) -> bool:
    """Whether one of them says only the one of two opposites, and the other only the other; or one of them denies right
    before it what the other says."""
    typed = _sides_of(clause.text)
    told = _sides_of(claim.text) if typed else {}
    return any(number in told and sides.isdisjoint(told[number]) for number, sides in typed.items())


@lru_cache(maxsize=2048)
def _sides_of(text: str) -> Mapping[int, frozenset[str]]:
    """On which side of which pairs a text stands, by the number of the pair; many facts are held against one clause."""
    every = ((number, _sides(pair, text)) for number, pair in enumerate(words.patterns("asserting.opposites")))
    return {number: sides for number, sides in every if sides}


def _sides(pair: re.Pattern[str], text: str) -> frozenset[str]:
    """On which side of a pair a text stands; what is denied is on the other one."""
    sides = set()
    for found in pair.finditer(text):
        is_denied = is_in("denies_next", text[max(0, found.start() - _REACH) : found.start()])
        sides.add("one" if (found.lastgroup == "one") is not is_denied else "other")
    return frozenset(sides)


def changes_otherwise(claim: Claim, clause: Clause) -> bool:
    """Whether the clause says that it was so before, and the fact that it became so; or that it is so now, and the fact
    that it was left."""
    if clause.mood is not Mood.STATED:
        return False
    if clause.time is Time.PAST and has("past", clause.text):
        return _names_alone(clause, "toward", "away", claim)
    return clause.time is Time.NOW and has("now", clause.text) and _names_alone(clause, "away", "toward", claim)


def _names_alone(clause: Clause, one: str, other: str, claim: Claim) -> bool:
    """Whether of the two ends of the change in the fact the clause names this one alone, and no change."""
    ends, others = ([wording_of(place) for place in places_behind(each, claim.text)] for each in (one, other))
    if not ends or not others or places_behind("toward", clause.text) or places_behind("away", clause.text):
        return False
    said = [unit for unit in units_of(clause.text) if unit.kind not in (UnitKind.DATE, UnitKind.NUMBER)]
    is_one = any(stands_in(unit, place) for unit in said for place in ends)
    return is_one and not any(stands_in(unit, place) for unit in said for place in others)


def is_answered_no(claim: Claim, clauses: Sequence[Clause], lacking: str) -> bool:
    """Whether what the fact says was asked, and the answer right behind it denies it: "publisher? none"."""
    if claim.denied:
        return False
    asked = [one.text for one, two in pairwise(clauses) if one.mood is Mood.ASKED and has("answers_no", two.text)]
    return any(shared(lacking, each) for each in asked)
