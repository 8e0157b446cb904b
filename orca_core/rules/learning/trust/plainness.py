"""Whether a fact says what plain clauses say, no more and not much less, so that nobody needs to read it a second time.

A fact that stands on half of its words may be a guess about the rest ("I'm on a boat", "lives on a boat"), and one that
picks two words out of a long clause may say something else than the clause does."""

from __future__ import annotations

from collections.abc import Sequence

from orca_core import words
from orca_core.rules.clauses.clause import Clause
from orca_core.rules.clauses.wording import each_of, has, is_all
from orca_core.rules.learning.trust.claims import Claim
from orca_core.rules.learning.trust.typed import Ground, wording_of_clauses
from orca_core.rules.learning.trust.wordings import (
    Unit,
    UnitKind,
    Wording,
    compare,
    ends_alike,
    kept_of,
    stands_in,
    together,
    units_of,
)
from orca_core.rules.text.relative_dates import is_set_ahead

PLAIN_SHARE = 0.5
"""So much of a fact must stand in plain clauses."""
BORNE_SHARE = 0.65
"""So much of it must stand in clauses that bear it, the nouns aside that say of what kind a thing is. Over the six sets
of `tests/data/trust` all that is asked here leaves 5 false facts plain instead of 15, and 443 honest ones of 813
instead of 488."""
PART_SHARE = 0.34
"""So much of each of its parts: a reason or an aim that nobody typed is not understood with the rest."""
KEPT_SHARE = 0.5
"""So much of what a plain clause says the fact must keep, or it may have left out what makes it true."""


def is_said_plainly(claim: Claim, plain: Sequence[Clause], bearing: Sequence[Clause], ground: Ground) -> bool:
    """Whether the plain clauses say it. `bearing` are all clauses that bear it, wherever they were typed."""
    said = wording_of_clauses(plain)
    if not plain or _share_of(claim.fact.content, said) < PLAIN_SHARE:
        return False
    told = together([ground.told_by([*plain, *bearing]), ground.known])
    if _share_of(claim.fact.content, told) < BORNE_SHARE or not ends_alike(claim.fact.content, said):
        return False
    if any(unit.kind is UnitKind.NUMBER for unit in compare(claim.fact.content, said).lacking):
        return False  # a number belongs to what stands beside it
    if any(_share_of(part, told) < PART_SHARE for part in words.pattern("asserting.joins").split(claim.fact.content)):
        return False
    if any(unit.kind is UnitKind.NAME for unit in compare(claim.fact.content, ground.typed).lacking):
        return False  # nearly the typed name, or remembered
    if _brings_in_a_relative(claim, [*plain, *bearing], ground):
        return False
    return any(_is_kept(claim, clause) for clause in plain)


def _share_of(content: str, text: Wording) -> float:
    """How much of it a text has. That a thing is a team, a disease or a language is understood with its name."""
    named = words.pattern("asserting.kinds").sub(" ", content)
    return max((compare(each, text).share for each in (content, named) if units_of(each)), default=1.0)


def _brings_in_a_relative(claim: Claim, clauses: Sequence[Clause], ground: Ground) -> bool:
    """Whether it tells of a relative or a pet of whom no clause speaks: 「七岁」, 「孩子七岁」."""
    if not _has_a_relative(claim.text):
        return False
    named = (each for clause in clauses for each in (clause, *ground.named_before(clause)))
    return not any(_has_a_relative(f"{each.who} · {each.text}") for each in named)


def _has_a_relative(text: str) -> bool:
    return any(is_all("kin", found[0]) for found in each_of("people", text))


def _is_kept(claim: Claim, clause: Clause) -> bool:
    """Whether the fact keeps what the clause says: most of its words, whom it names, and that it is of a day ahead."""
    if kept_of(clause.text, claim.wording) < KEPT_SHARE:
        return False
    if is_set_ahead(clause.text) and not (claim.is_dated or claim.is_open):
        return False
    if has("people", claim.text):
        return True
    return all(_is_named(claim, units_of(found[0])) for found in each_of("people", clause.text))


def _is_named(claim: Claim, who: Sequence[Unit]) -> bool:
    return not who or any(stands_in(unit, claim.wording) for unit in who)
