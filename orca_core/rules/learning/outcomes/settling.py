"""What becomes of a judged fact, given the known memories that are near it. Decided inside the store's transaction."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from msgspec.structs import replace

from orca_core.domain.memories import ArchivedBecause, Memory, NewMemory, State
from orca_core.domain.settling import Known, Proposal, Settlement
from orca_core.rules.keeping import said_again
from orca_core.rules.learning.likeness.duplicates import OPEN, Likeness, likeness
from orca_core.rules.learning.outcomes.bounds import Surroundings, held_for, kept_of_a_merge, made_by_hand
from orca_core.rules.learning.outcomes.doubts import keeps_its_doubt, with_a_doubt
from orca_core.rules.learning.outcomes.known_already import (
    left_as_it_is,
    said_already,
    would_do_again,
)
from orca_core.rules.learning.outcomes.retracting import settle_retraction
from orca_core.rules.learning.outcomes.rewording import is_told_already
from orca_core.rules.learning.outcomes.succession import (
    Succession,
    is_read_again,
    outdated,
    says_so_now,
    speaks_of_another_time,
    succession_of,
    with_what_is_told,
)
from orca_core.rules.learning.trust.evidence import Held
from orca_core.rules.text.letters import folded

_LISTED = frozenset({State.LIVE, State.CANDIDATE})


def settle(proposal: Proposal, known: Known) -> Settlement:
    """What becomes of a fact, given what is known. What its own run has stored is known, too."""
    if proposal.is_bare:
        return settle_retraction(proposal, known)
    new = proposal.new
    near = [(memory, likeness(new.content, new.type, memory.content, memory.type)) for memory in known.memories]
    if any(_is_never_wanted(memory) and like is not Likeness.DIFFERENT for memory, like in near):
        return Settlement(reason=said_again.NEVER)
    around = Surroundings(near, made_by_hand(known.memories), says_so_now(new), known.since)
    same = min((memory for memory, like in near if like is Likeness.SAME), key=_rank, default=None)
    if same is None:
        same = next((memory for memory, like in near if memory.id in known.heard and _bore(memory, new, like)), None)
    if same is None:
        same = next(
            (memory for memory, like in near if memory.id in known.undone and _is_undone(memory, new, like)), None
        )
    if same is None:
        proposal = with_a_doubt(proposal, known)
        new = proposal.new
        same = next((memory for memory in known.memories if is_told_already(new, memory)), None)
    succession = succession_of(proposal, known)
    if same is not None and same.id in known.undone and would_do_again(same, new):
        return Settlement(known=same.id, reason=said_again.UNDONE)
    if same is not None:
        is_heard = same.id in known.heard or is_read_again(new, same)
        same = kept_of_a_merge(same, known.memories, known.hand_changes)
        if keeps_its_doubt(same, proposal, is_heard=is_heard):
            return left_as_it_is(same)
        return said_already(new, same, succession, around, is_heard=is_heard)
    return _stored(new, succession, around, moot=outdated(proposal, known))


def _stored(new: NewMemory, succession: Succession, around: Surroundings, *, moot: tuple[int, ...] = ()) -> Settlement:
    succession = with_what_is_told(new, succession, around)
    wanted = succession.targets
    new = _held_by_what_it_would_replace(new, wanted, succession, around)
    supersedes = tuple(memory.id for memory in wanted if not memory.pinned)
    moot = moot if new.state is State.LIVE else ()
    undecided = _undecided(new, {*supersedes, *moot}, succession, around)
    if new.state is State.LIVE:
        return Settlement(store=new, supersedes=supersedes, moot=moot, undecided=undecided)
    if new.would_replace is None and supersedes:
        new = replace(new, would_replace=supersedes[0])
    return Settlement(store=new, undecided=undecided)


def _held_by_what_it_would_replace(
    new: NewMemory, wanted: Sequence[Memory], succession: Succession, around: Surroundings
) -> NewMemory:
    """The fact, waiting for a person where it would replace what no machine may, or what its words do not allow it to
    replace. What speaks of another time itself takes no place, and harms nothing."""
    blocker = around.opposed or next((memory for memory in wanted if around.is_out_of_reach(memory)), None)
    held = None if blocker is None else held_for(blocker).value
    if blocker is None and succession.refused and not speaks_of_another_time(new):
        blocker, held = succession.refused[0], Held.WEAK_EVIDENCE.value
    if blocker is None:
        return new
    if new.state is State.LIVE:
        return replace(new, state=State.CANDIDATE, held_because=held, would_replace=blocker.id)
    return replace(new, would_replace=wanted[0].id if wanted else blocker.id)


def _undecided(
    new: NewMemory, gone: Collection[int], succession: Succession, around: Surroundings
) -> tuple[tuple[int, str], ...]:
    """The pairs that a person is to decide: what is near, and what the model may have meant, or named in vain."""
    pairs = {
        memory.id: like.value
        for memory, like in around.near
        if like in OPEN and memory.state in _LISTED and memory.id not in gone
    }
    for memory in (*succession.unclear, *succession.refused):
        if memory.id != new.would_replace:
            pairs.setdefault(memory.id, Likeness.UPDATE.value)
    return tuple(pairs.items())


def _rank(memory: Memory) -> int:
    """Which of several equal memories answers: a live one, then a candidate, then one that a person refused, then the
    rest."""
    if memory.state in _LISTED:
        return 0 if memory.state is State.LIVE else 1
    return 2 if said_again.standing_refusal(memory) else 3


def _is_never_wanted(memory: Memory) -> bool:
    return memory.state is State.REJECTED and memory.held_because == said_again.NEVER


def _bore(memory: Memory, new: NewMemory, like: Likeness) -> bool:
    """Whether the memory was taken from the words, of the same rounds, that the fact stands on: just these, or a part
    of them that the fact says again in other words."""
    if not is_read_again(new, memory):
        return False
    ours, theirs = folded(new.origin.quote or ""), folded(memory.origin.quote or "")
    if like is Likeness.UNDECIDED or (ours and ours == theirs):
        return True
    return like is not Likeness.DIFFERENT and bool(ours and theirs) and (ours in theirs or theirs in ours)


def _is_undone(memory: Memory, new: NewMemory, like: Likeness) -> bool:
    """Whether the fact is what a person took back, in other words: it stands on the same ones, or is near to it, and
    nothing was said since. What is typed anew is new evidence, and another fact in other words."""
    if memory.archived_because is not ArchivedBecause.UNDONE or not is_read_again(new, memory):
        return False
    ours, theirs = folded(new.origin.quote or ""), folded(memory.origin.quote or "")
    stands_on_the_same = bool(ours and theirs) and (ours in theirs or theirs in ours)
    return stands_on_the_same or like is not Likeness.DIFFERENT
