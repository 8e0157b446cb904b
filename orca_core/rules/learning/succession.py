"""Whether a fact may take the place of a known memory: what the model named, and which of the two was said later."""

from __future__ import annotations

from collections.abc import Sequence

from orca_core.domain.memories import Memory, NewMemory, State
from orca_core.domain.settling import Proposal
from orca_core.rules.learning import tense
from orca_core.rules.learning.assertions import folded
from orca_core.rules.learning.duplicates import Likeness, likeness, meaning_of

SIMILAR_NAMES = 85.0
"""How alike (of 100) a named old fact and a known memory must be written. No benchmark chose it: the cases of
`tests/rules/learning/test_settling.py` hold from 75 to 99, at 60 one memory is taken for another."""


def target_of(new: NewMemory, named: Sequence[Memory]) -> Memory | None:
    """The memory to be replaced, of those that the model named.

    It has the same type or a shared tag, was said no later than the fact, and the fact speaks of now."""
    if not may_be_of_now(new):
        return None
    return next((memory for memory in named if _is_of_a_kind(new, memory) and not _is_said_later(memory, new)), None)


def named_by_the_model(proposal: Proposal, known: Sequence[Memory]) -> list[Memory]:
    """The live memories that the model's words name, those that they name exactly first."""
    if not proposal.replace:
        return []
    named = [memory for memory in known if memory.state is State.LIVE and _is_named(memory, proposal.replace)]
    return sorted(named, key=lambda memory: folded(memory.content) != folded(proposal.replace))


def is_update(new: NewMemory, old: Memory) -> bool:
    """An update needs a clause that says so now."""
    return says_so_now(new) and may_be_of_now(new) and not _is_said_later(old, new)


def is_no_newer(new: NewMemory, successor: Memory) -> bool:
    """Whether the fact stands on words no later than those that have put another memory in its place."""
    if new.origin.session_id is None or new.origin.session_id != successor.origin.session_id:
        return False
    rounds, since = new.origin.rounds, successor.origin.rounds
    return bool(rounds and since) and min(rounds) <= max(since)


def is_read_again(new: NewMemory, known: Memory) -> bool:
    """Whether both come from the same rounds."""
    return (
        new.origin.session_id is not None
        and new.origin.session_id == known.origin.session_id
        and not set(new.origin.rounds).isdisjoint(known.origin.rounds)
    )


def may_be_of_now(new: NewMemory) -> bool:
    """Whether neither the fact nor its words speak of the past or of a plan alone."""
    return not any(tense.is_of_another_time(text) for text in (new.content, new.origin.quote or ""))


def says_so_now(new: NewMemory) -> bool:
    """Whether the fact, or the words that it stands on, tell of a change that has happened."""
    return any(tense.says_so_now(text) for text in (new.content, new.origin.quote or ""))


def _is_named(memory: Memory, name: str) -> bool:
    """Whether the words stand for the memory: they say the same (`k8s`, Kubernetes; two, 2), or are nearly its own."""
    from rapidfuzz import fuzz  # a command that only lists memories does not pay for it

    if likeness(name, memory.type, memory.content, memory.type) is Likeness.SAME:
        return True
    ours, theirs = meaning_of(name), meaning_of(memory.content)
    alike = fuzz.ratio(folded(name), folded(memory.content)) >= SIMILAR_NAMES
    return alike and (ours.numbers, ours.dates, ours.negations % 2) == (
        theirs.numbers, theirs.dates, theirs.negations % 2,
    )  # fmt: skip


def _is_of_a_kind(new: NewMemory, old: Memory) -> bool:
    return new.type is old.type or not set(new.tags).isdisjoint(old.tags)


def _is_said_later(memory: Memory, new: NewMemory) -> bool:
    """Whether the memory stands on later words of the same session than the fact does."""
    same_session = new.origin.session_id is not None and new.origin.session_id == memory.origin.session_id
    if not same_session or not new.origin.rounds or not memory.origin.rounds:
        return False
    return min(memory.origin.rounds) > max(new.origin.rounds)
