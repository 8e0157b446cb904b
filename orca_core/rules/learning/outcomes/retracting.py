"""What becomes of a retraction that says nothing else: a memory is archived, or a person is asked."""

from __future__ import annotations

from msgspec.structs import replace

from orca_core import words
from orca_core.domain.memories import Added, Memory, NewMemory, SaidAgain, State
from orca_core.domain.settling import Known, Proposal, Settlement
from orca_core.rules.keeping import said_again, waiting
from orca_core.rules.keeping.said_again import standing_refusal
from orca_core.rules.learning.likeness.naming import meant_by
from orca_core.rules.learning.outcomes.bounds import Surroundings, held_for, made_by_hand
from orca_core.rules.learning.outcomes.succession import is_read_again, is_said_later, tells_of_an_end
from orca_core.rules.learning.trust.evidence import Held
from orca_core.rules.text.endings import says_only_an_end
from orca_core.rules.text.lexicon import concepts_of
from orca_core.rules.text.terms import content_words

UNKNOWN = "nothing_known"
UNCLEAR = "unclear_which"
NO_END = "no_end"
TWICE = "retracted_before"
"""Why a retraction is dropped."""


def settle_retraction(proposal: Proposal, known: Known) -> Settlement:
    """What is typed of an end, of the user, now, archives what it names. What is pinned, made by hand, or has nothing
    to do with the words is only proposed: the retraction waits as what it would replace. Whatever its words, it is
    known by its target: one waits at a time, and one that a person has refused stays refused."""
    new = proposal.new
    meant = meant_by(proposal.retract, new, [memory for memory in known.memories if memory.state is State.LIVE])
    target = meant.memory
    if target is None:
        return Settlement(reason=UNCLEAR if meant.unclear else UNKNOWN)
    if target.id in known.retracted:
        return Settlement(known=target.id, reason=said_again.UNDONE if target.id in known.undone else TWICE)
    if new.origin.quote and not tells_of_an_end(new):
        return Settlement(known=target.id, reason=NO_END)
    by_hand = made_by_hand([target])
    held = _held(new, target, Surroundings((), by_hand, is_of_a_change=True, since=known.since))
    asked_before = _asked_before(target, known)
    refused = next((each for each in asked_before if each.state is State.REJECTED and standing_refusal(each)), None)
    if refused is not None:
        return Settlement(known=refused.id, reason=standing_refusal(refused))
    if held is None:
        moot = tuple(memory.id for memory in asked_before if memory.state is State.CANDIDATE)
        return Settlement(retracts=(target.id,), moot=moot)
    asked_before.sort(key=lambda memory: memory.state is not State.CANDIDATE)
    asked = next((memory for memory in asked_before if not standing_refusal(memory)), None)
    waits = replace(new, state=State.CANDIDATE, held_because=held, would_replace=target.id)
    return Settlement(store=waits) if asked is None else _asked_again(asked, waits, known)


def _asked_before(target: Memory, known: Known) -> list[Memory]:
    """The retractions of the same memory, in whatever words, that wait, expired, were refused or went with it."""
    return [
        memory
        for memory in known.memories
        if memory.would_replace == target.id and memory.state is not State.LIVE and says_only_an_end(memory.content)
    ]


def _asked_again(asked: Memory, waits: NewMemory, known: Known) -> Settlement:
    """One retraction of a memory waits, not two: the waiting one is confirmed, and one that is gone waits again."""
    is_heard = asked.id in known.heard or is_read_again(waits, asked)
    if asked.state is State.CANDIDATE:
        again = SaidAgain(Added.CONFIRMED, {}) if is_heard else said_again.said_again(asked, waits)
        return Settlement(known=asked.id, again=again)
    if is_heard:
        gone = waiting.EXPIRED if asked.state is State.REJECTED else said_again.archived_reason(asked)
        return Settlement(known=asked.id, reason=gone)
    return Settlement(known=asked.id, again=said_again.waits_again(asked, waits))


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
