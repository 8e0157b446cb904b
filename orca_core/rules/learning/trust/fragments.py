"""Whether a fact repeats a clause that does not say of whom it speaks: "final year of law in Ghent", 护照明年到期.

Where nobody else is spoken of, that is the one who speaks, and a fact that has all of its words leaves nothing to be
misread."""

from __future__ import annotations

from orca_core.rules.clauses.clause import Clause, Frame, Mood, Subject, Time
from orca_core.rules.clauses.wording import has
from orca_core.rules.learning.trust.claims import Claim
from orca_core.rules.learning.trust.denials import Opposed, opposed
from orca_core.rules.learning.trust.roles import compares_otherwise
from orca_core.rules.learning.trust.typed import Ground, wording_of_clauses
from orca_core.rules.learning.trust.wordings import compare, kept_of

WHOLE_SHARE = 0.9
"""So much of a fact must stand in the one clause. Chosen by hand: one word that differs may be the one that counts."""
WHOLE_KEPT = 0.75
"""So much of the clause must stand in the fact."""


def is_repeated(claim: Claim, clause: Clause, ground: Ground) -> bool:
    """Whether a clause that bears the fact, without saying of whom, can only be meant of the user, and says it all."""
    if claim.is_rule or not claim.is_of_the_user or not _names_nobody(clause) or not _is_said_now(clause):
        return False
    if opposed(claim, clause) is not Opposed.NO or compares_otherwise(claim, clause):
        return False
    if compare(claim.fact.content, wording_of_clauses([clause])).share < WHOLE_SHARE:
        return False
    return kept_of(clause.text, claim.wording) >= WHOLE_KEPT and not _another_is_near(clause, ground)


def _names_nobody(clause: Clause) -> bool:
    """Whether its subject is left out, or is a thing; what a thing does to the user is another matter."""
    if clause.subject is Subject.THING:
        return not has("first_person", clause.text) and not has("acted_on", clause.text)
    return clause.subject in (Subject.UNKNOWN, Subject.USER)


def _is_said_now(clause: Clause) -> bool:
    return clause.mood is Mood.STATED and clause.time is Time.NOW and clause.frame is Frame.NONE


def _another_is_near(clause: Clause, ground: Ground) -> bool:
    """Whether another person is spoken of in the message, or in the one before it."""
    for before, each in zip((None, *ground.rounds), ground.rounds, strict=False):
        if clause in each.clauses:
            near = (*(before.clauses if before else ()), *each.clauses)
            return any(_is_of_another(other) for other in near)
    return True


def _is_of_another(clause: Clause) -> bool:
    if clause.subject is Subject.ANOTHER or clause.frame is Frame.REPORTED:
        return True
    said = f"{clause.who} · {clause.text}"
    return has("people", said) or has("pronoun", said)
