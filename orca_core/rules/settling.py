"""What a judged fact comes to, beside the memories that it is near: decided inside the store's transaction."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from orca_core.domain.learning import Proposal, Settlement
from orca_core.domain.memories import Added, Memory, MemoryType, NewMemory, SaidAgain, State
from orca_core.rules import status
from orca_core.rules.assertions import folded
from orca_core.rules.duplicates import Likeness, likeness, meaning_of
from orca_core.rules.evidence import Held

SIMILAR_NAMES = 85.0
"""How alike (of 100) a named old fact and a known memory must be written."""
OPPOSES = frozenset({Likeness.UPDATE, Likeness.CONFLICT})
OPEN = frozenset({Likeness.UNDECIDED, Likeness.CONFLICT, Likeness.UPDATE})
_SEARCH_ORDER = {State.LIVE: 0, State.CANDIDATE: 1}


def settle(proposal: Proposal, known: Sequence[Memory]) -> Settlement:
    """`known` are the memories nearest to the fact, in any state, and those that the same run has stored."""
    new = proposal.new
    near = [(memory, likeness(new.content, new.type, memory.content, memory.type)) for memory in known]
    if any(_is_never_wanted(memory) and like is not Likeness.DIFFERENT for memory, like in near):
        return Settlement(reason=status.NEVER)
    same = min(
        (memory for memory, like in near if like is Likeness.SAME),
        key=lambda memory: _SEARCH_ORDER.get(memory.state, 2),
        default=None,
    )
    if same is not None:
        return _said_already(new, same)
    target = _target(proposal, known)
    return _stored(new, near, target)


def _said_already(new: NewMemory, same: Memory) -> Settlement:
    again = status.said_again(same, new)
    if again.outcome is Added.DROPPED:
        return Settlement(known=same.id, reason=again.reason)
    if again.outcome is Added.CONFIRMED and _is_from_the_same_rounds(new, same):
        again = SaidAgain(Added.CONFIRMED, {})  # reading the same words once more confirms nothing
    return Settlement(known=same.id, again=again)


def _stored(new: NewMemory, near: Sequence[tuple[Memory, Likeness]], target: Memory | None) -> Settlement:
    opposed = next((memory for memory, like in near if _opposes_pinned(memory, like)), None)
    if opposed is None and target is not None and target.pinned:
        opposed = target
    if opposed is not None and new.state is State.LIVE:
        new = replace(new, state=State.CANDIDATE, held_because=Held.CONTRADICTS_PINNED.value)
    supersedes = [] if target is None or target.pinned else [target.id]
    supersedes += [
        memory.id
        for memory, like in near
        if like is Likeness.UPDATE and memory.state is State.LIVE and not memory.pinned and memory.id not in supersedes
    ]
    undecided = tuple(
        (memory.id, like.value)
        for memory, like in near
        if like in OPEN and memory.state in _SEARCH_ORDER and memory.id not in supersedes
    )
    if new.state is State.LIVE:
        return Settlement(store=new, supersedes=tuple(supersedes), undecided=undecided)
    would_replace = supersedes[0] if supersedes else (opposed.id if opposed is not None else None)
    return Settlement(store=replace(new, would_replace=would_replace), undecided=undecided)


def _is_never_wanted(memory: Memory) -> bool:
    return memory.state is State.REJECTED and memory.held_because == status.NEVER


def _is_from_the_same_rounds(new: NewMemory, known: Memory) -> bool:
    return (
        new.origin.session_id is not None
        and new.origin.session_id == known.origin.session_id
        and not set(new.origin.rounds).isdisjoint(known.origin.rounds)
    )


def _opposes_pinned(memory: Memory, like: Likeness) -> bool:
    """What is pinned is defended widely: of how things are to be done, also by what is only near."""
    if not memory.pinned or memory.state is not State.LIVE:
        return False
    is_a_rule = memory.type in (MemoryType.INSTRUCTION, MemoryType.PREFERENCE)
    return like in OPPOSES or (like is Likeness.UNDECIDED and is_a_rule)


def _target(proposal: Proposal, known: Sequence[Memory]) -> Memory | None:
    """The live memory that the model wants replaced: named well enough, of the same type, with a shared tag where
    both have tags."""
    if not proposal.replace:
        return None
    named = [memory for memory in known if memory.state is State.LIVE and _is_named(memory, proposal.replace)]
    fitting = [memory for memory in named if _may_replace(proposal.new, memory)]
    return fitting[0] if fitting else None


def _is_named(memory: Memory, name: str) -> bool:
    from rapidfuzz import fuzz  # a command that only lists memories does not pay for it

    ours, theirs = meaning_of(name), meaning_of(memory.content)
    if ours.folded == theirs.folded:
        return True
    alike = fuzz.ratio(folded(name), folded(memory.content)) >= SIMILAR_NAMES
    return alike and (ours.numbers, ours.dates, ours.negations % 2) == (
        theirs.numbers, theirs.dates, theirs.negations % 2,
    )  # fmt: skip


def _may_replace(new: NewMemory, old: Memory) -> bool:
    if new.type is not old.type:
        return False
    return not new.tags or not old.tags or not set(new.tags).isdisjoint(old.tags)
