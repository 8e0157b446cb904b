"""Whether a fact may live: it stands on what the user typed, or it waits for a person.

The model is not asked. It may be wrong, or obey a page that the user pasted; what was typed can not be forged by
either. Each clause is read by `rules.clauses`, `agreement` says whether it bears the fact, `wordings` whether it has
the fact's words, `details` whether all that it names was typed."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from orca_core.domain.learning import ProposedFact
from orca_core.domain.memories import MemoryType
from orca_core.rules.asking.remembering import is_conditional, sensitive_reason
from orca_core.rules.clauses.clause import Clause, Mood
from orca_core.rules.clauses.tense import is_of_another_time, tells_of_an_end
from orca_core.rules.learning.agent.transcripts import Testimony
from orca_core.rules.learning.provenance.judging import Held, Verdict
from orca_core.rules.learning.trust import details
from orca_core.rules.learning.trust.agreement import Bearing, bearing, goes_the_other_way
from orca_core.rules.learning.trust.bindings import is_bound_best, is_of_another_thing, says_another_of_its_kind
from orca_core.rules.learning.trust.claims import Claim
from orca_core.rules.learning.trust.denials import contradicts
from orca_core.rules.learning.trust.fragments import is_repeated
from orca_core.rules.learning.trust.opposites import changes_otherwise, is_answered_no
from orca_core.rules.learning.trust.plainness import is_said_plainly
from orca_core.rules.learning.trust.typed import Ground, ground_of, is_long_enough, wording_of_clauses
from orca_core.rules.learning.trust.wordings import compare, stands_in, together, units_of
from orca_core.rules.text.letters import folded
from orca_core.rules.text.scripts import simplified

__all__ = ["Held", "Verdict", "judge"]

MIN_QUOTED_SHARE = 0.15
"""So much of what a fact says must stand in the clauses that its quote touches."""
MIN_TYPED_SHARE = 0.3
"""So much of it must stand in clauses that bear it, anywhere in the rounds.

`tests/data/trust` bounds both: at 0.25 and 0.5 six of 375 honest facts more wait, one false one of 333 less lives."""
MIN_UNQUOTED_SHARE = 0.45
"""So much of it must stand in all clauses that bear it, where it has no quote. Chosen on the development sets."""
MIN_NEAREST_SHARE = 0.3
"""So much of that in one of them. Chosen on the development sets."""


def judge(fact: ProposedFact, said: Testimony, known: Sequence[str] = ()) -> Verdict:
    """Whether the fact lives, by what was typed in the rounds that it was found in. `known` are live memories."""
    ground = ground_of(said, tuple(known))
    quoted = {each.number: each.holding(fact.quote) for each in ground.rounds} if is_long_enough(fact.quote) else {}
    holding = [clause for clauses in quoted.values() for clause in clauses]
    rounds = tuple(number for number, clauses in quoted.items() if clauses)
    quote = next(filter(None, (each.spelling(fact.quote) for each in ground.rounds)), None) if holding else None
    claim = Claim(replace(fact, content=simplified(fact.content), quote=simplified(quote or fact.quote)))
    held = (
        _held_for_what_it_says(claim, ground)
        or _held_for_its_details(claim, ground)
        or _held_for_its_labels(claim.fact)
    )
    if held is not None:
        return Verdict(held, quote, rounds)
    if quote is not None:
        held, is_plain = _held_with_quote(claim, holding, ground)
    else:
        held, is_plain = _held_without_quote(claim, ground), False
    return Verdict(held, quote, rounds, is_plain and held is None)


def _held_for_its_labels(fact: ProposedFact) -> Held | None:
    """What the model itself says of another, or of another time, is weak. An event has its date, what the
    typed words end is past, and a fact that speaks of the past or of a plan in its own words is true of now."""
    if fact.about == "other":
        return Held.WEAK_EVIDENCE
    if fact.when in ("", "now"):
        return None
    if fact.when == "past" and fact.retract and tells_of_an_end(fact.quote, f"{fact.content} {fact.retract}"):
        return None
    if fact.type is MemoryType.EVENT or is_of_another_time(fact.content):
        return None
    return Held.WEAK_EVIDENCE


def _held_for_what_it_says(claim: Claim, ground: Ground) -> Held | None:
    reason = sensitive_reason(claim.fact.content) or sensitive_reason(claim.fact.quote)
    if reason is not None and not (reason == Held.URL and not compare(claim.fact.content, ground.typed).lacking):
        return Held(reason)
    if claim.is_rule and (is_conditional(claim.fact.content) or is_conditional(claim.fact.quote)):
        return Held.CONDITIONAL
    return None


def _held_for_its_details(claim: Claim, ground: Ground) -> Held | None:
    """Held for a word that only others wrote, and for a name, number or date that was not typed."""
    if details.is_foreign(claim, ground) or details.is_the_assistants(claim, ground):
        return Held.NOT_TYPED
    return Held.WEAK_EVIDENCE if details.lacks_one(claim, ground) else None


def _held_with_quote(claim: Claim, holding: Sequence[Clause], ground: Ground) -> tuple[Held | None, bool]:
    borne = [(clause, bearing(claim, clause)) for clause in holding]
    bearers = [clause for clause, how in borne if how is not Bearing.NONE]
    if not bearers and all(clause.mood is Mood.SUPPOSED for clause in holding):
        return Held.CONDITIONAL, False
    if not bearers or compare(claim.fact.content, ground.told_by(bearers)).share < MIN_QUOTED_SHARE:
        return Held.WEAK_EVIDENCE, False
    anywhere = _bearing_anywhere(claim, ground)
    if _share_of(claim, anywhere, ground) < MIN_TYPED_SHARE or _is_denied_beside(claim, bearers, holding):
        return Held.WEAK_EVIDENCE, False
    if is_of_another_thing(claim, holding, ground) or says_another_of_its_kind(claim, holding, ground):
        return Held.WEAK_EVIDENCE, False
    plain = [
        clause
        for clause, how in borne
        if how is Bearing.PLAIN or (how is Bearing.UNCLEAR and is_repeated(claim, clause, ground))
    ]
    is_plain = is_said_plainly(claim, plain, anywhere, ground)
    return None, is_plain and is_bound_best(claim, holding) and not _stands_against(claim, anywhere, ground)


def _stands_against(claim: Claim, bearers: Sequence[Clause], ground: Ground) -> bool:
    """Whether something that the fact says was typed only in clauses that do not bear it."""
    others = [clause for each in ground.rounds for clause in each.clauses if clause not in bearers]
    lacking = compare(claim.fact.content, together([wording_of_clauses(bearers), ground.known])).lacking
    return any(stands_in(unit, wording_of_clauses(others)) and not details.is_small(unit) for unit in lacking)


def _is_denied_beside(claim: Claim, bearers: Sequence[Clause], holding: Sequence[Clause]) -> bool:
    """Whether what the bearing clauses lack of the fact stands in one beside them that denies it: "cats, not dogs"."""
    if any(changes_otherwise(claim, clause) or goes_the_other_way(claim, clause) for clause in holding):
        return True
    lacking = compare(claim.fact.content, wording_of_clauses(bearers)).lacking
    if is_answered_no(claim, holding, " · ".join(unit.text for unit in lacking)):
        return True
    if claim.denied:
        return False
    denying = wording_of_clauses([clause for clause in holding if clause.negated and contradicts(claim, clause)])
    return any(stands_in(unit, denying) for unit in lacking)


def _held_without_quote(claim: Claim, ground: Ground) -> Held | None:
    """A long quote that stands nowhere is worse than none. Without one, the nearest clause must bear it, and all that
    bear it must say it, better than an answer does; where something else was there to read, in so many words."""
    if is_long_enough(claim.fact.quote):
        return Held.NOT_TYPED if _is_anothers(claim.fact.quote, ground) else Held.WEAK_EVIDENCE
    if compare(claim.fact.content, ground.answered).share > compare(claim.fact.content, ground.typed).share:
        return Held.WEAK_EVIDENCE
    clauses = [clause for each in ground.rounds for clause in each.clauses]
    nearest = max(clauses, key=lambda clause: _share(claim, [clause]), default=None)
    if nearest is None or not units_of(claim.fact.content) or bearing(claim, nearest) is Bearing.NONE:
        return Held.WEAK_EVIDENCE
    least = Bearing.PLAIN if ground.has_untrusted else Bearing.UNCLEAR
    bearers = [clause for clause in clauses if bearing(claim, clause) >= least]
    is_said = _share(claim, bearers) >= MIN_UNQUOTED_SHARE and _share(claim, [nearest]) >= MIN_NEAREST_SHARE
    return None if is_said else Held.WEAK_EVIDENCE


def _share(claim: Claim, clauses: Sequence[Clause]) -> float:
    return compare(claim.fact.content, wording_of_clauses(clauses)).share


def _share_of(claim: Claim, bearers: Sequence[Clause], ground: Ground) -> float:
    """How much of the fact stands in what bears it and in what is known."""
    told = ground.told_by(bearers)
    return compare(claim.fact.content, together([told, ground.known])).share


def _bearing_anywhere(claim: Claim, ground: Ground) -> list[Clause]:
    """The clauses that bear it, in all rounds."""
    return [clause for each in ground.rounds for clause in each.clauses if bearing(claim, clause) is not Bearing.NONE]


def _is_anothers(quote: str, ground: Ground) -> bool:
    wanted = folded(quote)
    return any(wanted in folded(text) for text in ground.untrusted)
