"""Whether a number or a date of a fact was typed of what the fact says it of: a detail counts only where it is bound to
the same thing.

"Backups run at 4" with 02:10 of another job elsewhere does not say that backups run at 02:10: the clause that says most
of the fact has a number of its own, and it is another. Of things that exclude each other (red, blue; 早班, 夜班) each
is a number in this."""

from __future__ import annotations

import re
from collections.abc import Sequence

from orca_core import words
from orca_core.rules.clauses.clause import Clause
from orca_core.rules.learning.trust.claims import Claim
from orca_core.rules.learning.trust.typed import Ground
from orca_core.rules.learning.trust.wordings import Unit, UnitKind, stands_in, units_of, wording_of

COUNTS = (UnitKind.NUMBER, UnitKind.DATE)
ONE = "1"
"""It counts nothing where it is an article."""


def is_of_another_thing(claim: Claim, holding: Sequence[Clause], ground: Ground) -> bool:
    """Whether what the quote touches says more of the fact than all that has its number, but with another number.
    Between clauses more is enough; within one, what stands beside its number must say nothing of it."""
    every = [each.text for number in ground.rounds for each in number.clauses]
    near = [each.text for each in holding]
    for unit in _counts(claim.fact.content):
        if stands_in(unit, ground.known):
            continue
        others = [each for each in near if _counts_otherwise(unit, claim, each)]
        if others and max(_said(claim, each) for each in others) > _bound(claim, unit, every):
            return True
        if _most_otherwise(unit, claim, near) and not _bound(claim, unit, _pieces_of(every)):
            return True
    return False


def is_bound_best(claim: Claim, holding: Sequence[Clause]) -> bool:
    """Whether each number of the fact stands beside more of it than any other number does."""
    pieces = _pieces_of([each.text for each in holding])
    return all(
        _bound(claim, unit, pieces) >= _most_otherwise(unit, claim, [each.text for each in holding])
        for unit in _counts(claim.fact.content)
    )


def says_another_of_its_kind(claim: Claim, holding: Sequence[Clause], ground: Ground) -> bool:
    """Whether the fact says one of several that exclude each other, which was not typed, and the quote another."""
    typed = " · ".join(each.text for number in ground.rounds for each in number.clauses)
    quoted = " · ".join(each.text for each in holding)
    for pattern in words.patterns("asserting.exclusive"):
        told = _groups_in(pattern, claim.text)
        near = _groups_in(pattern, quoted) if told else set()
        if near and not told & near and not told & _groups_in(pattern, typed):
            return True
    return False


def _groups_in(pattern: re.Pattern[str], text: str) -> set[str | None]:
    return {each.lastgroup for each in pattern.finditer(text)}


def _counts(text: str) -> list[Unit]:
    return [unit for unit in units_of(text) if unit.kind in COUNTS and unit.text != ONE]


def _pieces_of(texts: Sequence[str]) -> list[str]:
    """The texts, cut where one thing that is counted ends and the next begins."""
    joint = words.pattern("asserting.between_counted")
    return [piece for text in texts for piece in joint.split(text) if piece]


def _bound(claim: Claim, unit: Unit, texts: Sequence[str]) -> float:
    """How much of the fact stands where its number stands; beside a bare number counts what stands before it, too:
    "two kids, 6 and 9"."""
    best = before = 0.0
    for text in texts:
        said = _said(claim, text)
        is_bare = not any(letter.isalpha() for piece in _pieces_of([text]) for letter in piece)
        if stands_in(unit, wording_of(text)):
            best = max(best, said, before if is_bare else 0.0)
        before = before if is_bare else said
    return best


def _most_otherwise(unit: Unit, claim: Claim, texts: Sequence[str]) -> float:
    """How much of the fact stands beside a number of its kind that it leaves out."""
    return max((_said(claim, each) for each in _pieces_of(texts) if _counts_otherwise(unit, claim, each)), default=0.0)


def _said(claim: Claim, text: str) -> float:
    """How much of the fact, its numbers and dates aside, stands in a text."""
    there = wording_of(text)
    return sum(
        unit.weight for unit in units_of(claim.fact.content) if unit.kind not in COUNTS and stands_in(unit, there)
    )


def _counts_otherwise(unit: Unit, claim: Claim, text: str) -> bool:
    """Whether a text has numbers of this kind, and the fact none of them."""
    if stands_in(unit, wording_of(text)):
        return False
    there = [each for each in _counts(text) if each.kind is unit.kind]
    return bool(there) and not any(stands_in(each, claim.wording) for each in there)
