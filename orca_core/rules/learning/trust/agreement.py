"""Whether a clause bears a fact: both speak of the same one, in the same time, and neither denies the other."""

from __future__ import annotations

import re
from enum import IntEnum
from functools import lru_cache

from orca_core.rules.clauses.clause import Clause, Frame, Mood, Subject, Time
from orca_core.rules.clauses.reading import places_behind, read_clauses
from orca_core.rules.clauses.wording import each_of, has, match
from orca_core.rules.learning.trust.claims import Claim
from orca_core.rules.learning.trust.denials import Opposed, opposed
from orca_core.rules.learning.trust.opposites import says_the_opposite
from orca_core.rules.learning.trust.roles import compares_otherwise, is_said_of_another, turns_round
from orca_core.rules.learning.trust.wordings import (
    Unit,
    UnitKind,
    compare,
    stands_in,
    units_of,
    wording_of,
)
from orca_core.rules.text.scripts import simplified

PRESUPPOSED_SHARE = 0.6
"""So much of a fact must stand in what a clause takes for granted. Chosen by hand."""


class Bearing(IntEnum):
    """How well a clause bears a fact; the larger the better."""

    NONE = 0
    UNCLEAR = 1
    """It may, and nothing speaks against it."""
    PLAIN = 2
    """It says so, of the user, seriously, now, in so many words."""


@lru_cache(maxsize=1024)
def bearing(claim: Claim, clause: Clause) -> Bearing:
    """How well the clause bears the fact, by how it is said; whether it says the same words is asked elsewhere. It is
    asked several times of one fact."""
    clause = clause._replace(text=simplified(clause.text))
    if clause.frame not in (Frame.NONE, Frame.POSSIBLE) and not _says_who_said_it(claim, clause):
        return Bearing.NONE
    if not (_is_of_the_time(claim, clause) and _is_of_the_mood(claim, clause)):
        return Bearing.UNCLEAR if _is_presupposed(claim, clause) else Bearing.NONE
    if not _is_of_the_one(claim, clause):
        return Bearing.NONE
    denies = opposed(claim, clause)
    if denies is Opposed.SURELY or _turns_back(claim, clause) or goes_the_other_way(claim, clause):
        return Bearing.NONE
    if is_said_of_another(claim, clause) or says_the_opposite(claim, clause):
        return Bearing.NONE
    is_sure = denies is Opposed.NO and not compares_otherwise(claim, clause)
    return Bearing.PLAIN if is_sure and _is_plain(claim, clause) else Bearing.UNCLEAR


def _is_plain(claim: Claim, clause: Clause) -> bool:
    """Said by the user of themselves or of what is named as theirs, or an order on how to answer."""
    if clause.frame is not Frame.NONE or clause.time is not Time.NOW:
        return False
    if clause.mood is Mood.ORDERED:
        return claim.is_rule
    if clause.mood is not Mood.STATED or not clause.is_named:
        return False
    if claim.is_rule and not has("first_person", clause.text):
        return False
    match clause.subject:
        case Subject.USER:
            return True
        case Subject.THEIRS if has("kin", clause.who) and not has("people", clause.who):
            return True
        case Subject.THEIRS:  # what is mine, and of no kind that is known, may be a person
            is_named = any(stands_in(unit, claim.wording) for unit in units_of(clause.who))
            return is_named or _last_word(clause.who) in claim.fact.content.casefold().split()
        case _:
            return False


def _last_word(who: str) -> str:
    """ "first language": what it is."""
    return who.casefold().rpartition(" ")[2]


def _says_who_said_it(claim: Claim, clause: Clause) -> bool:
    """Whether the fact, too, tells it as the word of the one who said it: "User's tutor wants a report each week"."""
    is_told = clause.frame is Frame.REPORTED and clause.is_named and clause.subject in (Subject.ANOTHER, Subject.THEIRS)
    return is_told and has("reports", claim.text) and bool(units_of(clause.who)) and _names(claim, clause.who)


def _is_presupposed(claim: Claim, clause: Clause) -> bool:
    """Whether a question, wish, plan or order takes for granted what the fact says ("on my Arch laptop")."""
    if claim.is_rule or claim.denied:
        return False
    granted = " · ".join(found[0] for found in each_of("presupposed", clause.text))
    told = compare(claim.fact.content, wording_of(granted))
    return bool(granted) and told.said > 0 and told.share >= PRESUPPOSED_SHARE


def _is_of_the_time(claim: Claim, clause: Clause) -> bool:
    match clause.time:
        case Time.PAST:
            return claim.is_of_the_past
        case Time.PLANNED:
            is_to_come = claim.is_dated and not has("happened", claim.text)
            if clause.mood is Mood.DOUBTED or has("considered", clause.text):
                return claim.is_open and not has("decided", claim.text)
            return claim.is_open or is_to_come
        case _:
            return True


def _is_of_the_mood(claim: Claim, clause: Clause) -> bool:
    match clause.mood:
        case Mood.ASKED | Mood.SUPPOSED:
            return False
        case Mood.WISHED:
            return claim.is_open or claim.is_rule
        case Mood.ORDERED:
            return claim.is_rule
        case Mood.DOUBTED:  # "maybe back to work in march" is no day on which it will be
            return claim.is_open or not claim.is_to_come
        case _:
            return True


def _is_of_the_one(claim: Claim, clause: Clause) -> bool:
    """A fact that drops the one whom the clause is about is another fact."""
    if clause.mood is Mood.ORDERED and claim.is_rule and not clause.is_named:
        return True  # who is asked to do it is not the one who was spoken of
    if claim.is_of_the_user and not match("people", claim.text) and has("done_to_the_user", clause.text):
        return True
    match clause.subject:
        case Subject.USER | Subject.UNKNOWN:
            return True
        case Subject.THING:
            return claim.is_rule or not clause.who or not _is_a_name(clause.who) or _names(claim, clause.who)
        case Subject.THEIRS:
            return not _is_a_person(clause) or _names(claim, clause.who)
        case Subject.ASSISTANT:
            return clause.mood is Mood.ORDERED or claim.is_rule
        case _ if has("pronoun", clause.who):
            is_a_person = any(not has("pets", each[0]) for each in each_of("people", claim.text))
            return is_a_person or any(stands_in(unit, claim.wording) for unit in units_of(clause.who))
        case _:
            return _names(claim, clause.who)


def _is_a_person(clause: Clause) -> bool:
    """Whether who is the user's is a person or a pet, by their name or by what they do."""
    if has("people", clause.who) or has("kin", clause.who):
        return has("people", clause.who)
    behind = clause.text.casefold().partition(clause.who.casefold())[2]
    return bool(clause.who) and has("does_as_a_person", behind)


def _is_a_name(who: str) -> bool:
    """Whether one is named, in a single word: "Hanneke", not "the lease" and not "it"."""
    return who.isascii() and who.isalpha() and not has("thing", who)


def _names(claim: Claim, who: str) -> bool:
    named = units_of(who)
    return not named or any(stands_in(unit, claim.wording) for unit in named)


def _turns_back(claim: Claim, clause: Clause) -> bool:
    """Whether the fact takes what the clause turned away from for what it turned to, or one who did for the other."""
    if turns_round(claim, clause):
        return True
    if not clause.instead_of:
        return False
    old = units_of(clause.instead_of)
    told = claim.wording
    if not old or not any(stands_in(unit, told) for unit in old):
        return False
    rest = re.sub(re.escape(clause.instead_of), " ", clause.text, flags=re.IGNORECASE)
    chosen = [unit for unit in units_of(rest) if unit not in old]
    if chosen and compare(rest, told).share == 0.0:
        return True
    return _order(claim.fact.content, clause)


def goes_the_other_way(claim: Claim, clause: Clause) -> bool:
    """Whether what the clause goes to, or gives to, is where the fact comes from, or the other way round."""
    return _is_opposed(claim, clause, "toward", "away") or _is_opposed(claim, clause, "away", "toward")


def _is_opposed(claim: Claim, clause: Clause, one: str, other: str) -> bool:
    there = [wording_of(place) for place in places_behind(one, claim.text)]
    meant = [unit for place in places_behind(other, clause.text) for unit in units_of(place) if _is_a_place(unit)]
    kept = [unit for place in places_behind(one, clause.text) for unit in units_of(place)]
    return any(stands_in(unit, place) for unit in meant if unit not in kept for place in there)


def _is_a_place(unit: Unit) -> bool:
    """A day or a number that stands behind a place is none."""
    return unit.kind not in (UnitKind.DATE, UnitKind.NUMBER)


def _order(content: str, clause: Clause) -> bool:
    """Whether a fact that names both gives them the other way round."""
    read = read_clauses(content)
    turned = [each.instead_of for each in read if each.instead_of]
    if not turned:
        return False
    return not any(stands_in(unit, wording_of(turned[0])) for unit in units_of(clause.instead_of))
