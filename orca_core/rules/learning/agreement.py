"""Whether a clause bears a fact: both speak of the same one, in the same time, and neither denies the other."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from enum import IntEnum
from functools import cached_property

from orca_core import words
from orca_core.domain.learning import ProposedFact
from orca_core.domain.memories import MemoryType
from orca_core.rules.asking.remembering import remembered_type
from orca_core.rules.clauses.clause import Clause, Frame, Mood, Subject, Time
from orca_core.rules.clauses.reading import denied_in, read_clauses, time_of
from orca_core.rules.clauses.wording import has
from orca_core.rules.learning.grounding import Wording, compare, shared, stands_in, units_of, wording_of


class Bearing(IntEnum):
    """How well a clause bears a fact; the larger the better."""

    NONE = 0
    UNCLEAR = 1
    """It may, and nothing speaks against it."""
    PLAIN = 2
    """It says so, of the user, seriously, now, in so many words."""


@dataclass(frozen=True)
class Claim:
    """What a fact says of itself, read once."""

    fact: ProposedFact

    @cached_property
    def text(self) -> str:
        """The fact without the one whom it is about."""
        return words.pattern("asserting.the_user").sub(" ", self.fact.content).strip()

    @cached_property
    def is_rule(self) -> bool:
        """Whether it says how the user wants to be answered."""
        is_instruction = MemoryType.INSTRUCTION in (self.fact.type, remembered_type(self.text))
        return is_instruction or words.pattern("asserting.to_the_assistant").search(self.fact.content) is not None

    @cached_property
    def denied(self) -> tuple[str, ...]:
        return denied_in(self.text)

    @cached_property
    def ends(self) -> bool:
        """Whether it says that something is no longer so."""
        return any(clause.ends for clause in read_clauses(self.text))

    @cached_property
    def time(self) -> Time:
        return time_of(self.text)

    @cached_property
    def is_open(self) -> bool:
        """Whether it speaks itself of a wish or a plan."""
        return has("wished", self.text) or has("planned", self.text) or self.time is Time.PLANNED

    @cached_property
    def is_of_the_past(self) -> bool:
        return self.fact.type is MemoryType.EVENT or self.time is Time.PAST or has("past", self.text)

    @cached_property
    def wording(self) -> Wording:
        return wording_of(self.fact.content)


def bearing(claim: Claim, clause: Clause) -> Bearing:
    """How well the clause bears the fact, by how it is said; whether it says the same words is asked elsewhere."""
    if clause.frame not in (Frame.NONE, Frame.POSSIBLE) or not _is_of_the_time(claim, clause):
        return Bearing.NONE
    if not _is_of_the_mood(claim, clause) or not _is_of_the_one(claim, clause):
        return Bearing.NONE
    if _contradicts(claim, clause) or _turns_back(claim, clause):
        return Bearing.NONE
    return Bearing.PLAIN if _is_plain(claim, clause) else Bearing.UNCLEAR


def _is_plain(claim: Claim, clause: Clause) -> bool:
    """Said by the user of themselves or of what is named as theirs, or an order on how to answer."""
    if clause.frame is not Frame.NONE or clause.time is not Time.NOW:
        return False
    if clause.mood is Mood.ORDERED:
        return claim.is_rule
    if clause.mood is not Mood.STATED or not clause.is_named:
        return False
    return clause.subject is Subject.USER or (
        clause.subject is Subject.THEIRS and bool(clause.who) and _names(claim, clause.who)
    )


def _is_of_the_time(claim: Claim, clause: Clause) -> bool:
    match clause.time:
        case Time.PAST:
            return claim.is_of_the_past
        case Time.PLANNED:
            return claim.is_open or claim.fact.type is MemoryType.EVENT
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
        case _:
            return True


def _is_of_the_one(claim: Claim, clause: Clause) -> bool:
    """A fact that drops the one whom the clause is about is another fact."""
    match clause.subject:
        case Subject.USER | Subject.UNKNOWN | Subject.THING:
            return True
        case Subject.THEIRS:
            return not has("people", clause.who) or _names(claim, clause.who)
        case Subject.ASSISTANT:
            return clause.mood is Mood.ORDERED or claim.is_rule
        case _ if has("pronoun", clause.who):
            return has("people", claim.text)
        case _:
            return _names(claim, clause.who)


def _contradicts(claim: Claim, clause: Clause) -> bool:
    """Whether more of what both say is denied by one of them alone than by both or none. Two that tell of an end do not
    contradict each other, wherever the denial stands ("vim 我已经不用了")."""
    if clause.ends and claim.ends:
        return False
    said = shared(claim.text, clause.text)
    against = [each for each in said if _is_denied(each, claim.denied) is not _is_denied(each, clause.denied)]
    return bool(against) and 2 * len("".join(against)) >= len("".join(said))


def _is_denied(word: str, denied: Sequence[str]) -> bool:
    """Two denials are none."""
    return sum(bool(shared(word, stretch)) for stretch in denied) % 2 == 1


def _names(claim: Claim, who: str) -> bool:
    named = units_of(who)
    return not named or any(stands_in(unit, claim.wording) for unit in named)


def _turns_back(claim: Claim, clause: Clause) -> bool:
    """Whether the fact takes what the clause turned away from for what it turned to."""
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


def _order(content: str, clause: Clause) -> bool:
    """Whether a fact that names both gives them the other way round."""
    from orca_core.rules.clauses.reading import read_clauses

    read = read_clauses(content)
    turned = [each.instead_of for each in read if each.instead_of]
    if not turned:
        return False
    return not any(stands_in(unit, wording_of(turned[0])) for unit in units_of(clause.instead_of))
