"""Whether a fact and a clause deny different things: surely, perhaps, or not at all.

That one of them has a word of denial and the other none says little where the other denies in its meaning ("I can't
do nuts", "User is allergic to nuts"), or where it is not sure how far a denial reaches."""

from __future__ import annotations

import re
from collections.abc import Sequence
from enum import IntEnum

from orca_core.rules.clauses.clause import Clause, Time
from orca_core.rules.clauses.wording import each_of, find, is_in
from orca_core.rules.learning.trust.claims import Claim
from orca_core.rules.learning.trust.wordings import shared

_REACH = 30
"""So many characters before a word a denial of it may begin. It bounds the time."""


class Opposed(IntEnum):
    """How sure it is that a fact and a clause deny each other."""

    NO = 0
    PERHAPS = 1
    SURELY = 2


def opposed(claim: Claim, clause: Clause) -> Opposed:
    """Whether what both say is denied by one of them alone: surely so where that is more of it than by both or none,
    and nothing else in either may say the same. Two that tell of an end do not contradict each other, wherever the
    denial stands ("vim 我已经不用了")."""
    if clause.ends and claim.ends:
        return Opposed.SURELY if _denies_the_end(clause.text) is not _denies_the_end(claim.text) else Opposed.NO
    if clause.time is Time.PAST and claim.ends and not clause.negated:
        return Opposed.PERHAPS
    said = shared(claim.text, clause.text)
    ended = _ended(claim, clause)
    typed = [each for each in said if bool(shared(each, ended)) or _is_denied(each, clause.denied)]
    told = [each for each in said if _is_denied(each, claim.denied)]
    against = [each for each in said if (each in typed) is not (each in told)]
    if not against or 2 * len("".join(against)) < len("".join(said)):
        return Opposed.NO
    return Opposed.SURELY if _is_sure(claim, clause, against, typed) else Opposed.PERHAPS


def contradicts(claim: Claim, clause: Clause) -> bool:
    """Whether one surely denies what the other says."""
    return opposed(claim, clause) is Opposed.SURELY


def _is_sure(claim: Claim, clause: Clause, against: Sequence[str], typed: Sequence[str]) -> bool:
    """Facts are worded with care: where one denies, it is sure of what. What was typed may say the same in other words,
    or deny one thing and then go on with another."""
    if any(each not in typed for each in against):
        return not _denies_otherwise(clause.text, claim.text)
    return not (_denies_otherwise(claim.text, clause.text) or _is_beyond_a_joint(clause, against))


def _denies_otherwise(text: str, other: str) -> bool:
    """Whether it denies by the meaning of a word that the other one does not have."""
    return any(found[0] not in other.casefold() for found in each_of("denies_in_meaning", text))


def _is_beyond_a_joint(clause: Clause, against: Sequence[str]) -> bool:
    """Whether it stands in what is denied only behind an "and": "no car and a bike"."""
    if not clause.denied:
        return False
    near = [stretch[: joint.start()] if (joint := find("joint", stretch)) else stretch for stretch in clause.denied]
    return not any(_is_denied(each, near) for each in against)


def _ended(claim: Claim, clause: Clause) -> str:
    """What the clause ends; where it also says what came in its place, that is not ended."""
    if clause.ended is None or claim.is_of_the_past:
        return ""
    old = clause.instead_of
    return old if old and re.search(re.escape(old), clause.ended, re.IGNORECASE) else clause.ended


def _denies_the_end(text: str) -> bool:
    """Whether it is the end that is denied: 不想离开."""
    return any(is_in("denies_next", text[max(0, end.start() - _REACH) : end.start()]) for end in each_of("ends", text))


def _is_denied(word: str, denied: Sequence[str]) -> bool:
    """Two denials are none."""
    return sum(bool(shared(word, stretch)) for stretch in denied) % 2 == 1
