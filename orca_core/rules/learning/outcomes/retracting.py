"""What becomes of a retraction that says nothing else: a memory is archived, or a person is asked."""

from __future__ import annotations

from dataclasses import replace

from orca_core import words
from orca_core.domain.memories import Memory, NewMemory, State
from orca_core.domain.settling import Known, Proposal, Settlement
from orca_core.rules.keeping import said_again
from orca_core.rules.learning.likeness.naming import meant_by
from orca_core.rules.learning.outcomes.bounds import Surroundings, held_for, made_by_hand
from orca_core.rules.learning.outcomes.succession import is_said_later, tells_of_an_end
from orca_core.rules.learning.trust.evidence import Held
from orca_core.rules.text.lexicon import concepts_of
from orca_core.rules.text.terms import content_words

UNKNOWN = "nothing_known"
UNCLEAR = "unclear_which"
NO_END = "no_end"
TWICE = "retracted_before"
"""Why a retraction is dropped."""


def settle_retraction(proposal: Proposal, known: Known) -> Settlement:
    """What is typed of an end, of the user, now, archives what it names. What is pinned, made by hand, or has nothing
    to do with the words is only proposed: the retraction waits as what it would replace."""
    new = proposal.new
    meant = meant_by(proposal.retract, new, [memory for memory in known.memories if memory.state is State.LIVE])
    target = meant.memory
    if target is None:
        return Settlement(reason=UNCLEAR if meant.unclear else UNKNOWN)
    if target.id in known.retracted:
        return Settlement(known=target.id, reason=said_again.UNDONE if target.id in known.undone else TWICE)
    if new.origin.quote and not tells_of_an_end(new):
        return Settlement(known=target.id, reason=NO_END)
    by_hand = made_by_hand([target], known.hand_changes)
    held = _held(new, target, Surroundings((), by_hand, is_of_a_change=True, since=known.since))
    if held is None:
        return Settlement(retracts=(target.id,))
    waiting = replace(new, state=State.CANDIDATE, held_because=held, would_replace=target.id)
    return Settlement(store=waiting)


def _held(new: NewMemory, target: Memory, around: Surroundings) -> str | None:
    if new.state is not State.LIVE:
        return new.held_because or Held.WEAK_EVIDENCE.value
    if around.is_out_of_reach(target):
        return held_for(target).value
    if not new.origin.quote or not speaks_of(new.origin.quote, target) or is_said_later(target, new, around.since):
        return Held.WEAK_EVIDENCE.value
    return None


def speaks_of(quote: str, memory: Memory) -> bool:
    """Whether typed words share a word or a concept with a memory, and speak of nobody whom it does not speak of."""
    persons = words.word_set("comparing.persons")
    said, known = concepts_of(quote), concepts_of(memory.content)
    if (said & persons) - known:
        return False
    stock = words.word_set("asserting.generic")
    return bool((content_words(quote) & content_words(memory.content)) - stock or (said & known))
