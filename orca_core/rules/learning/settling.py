"""What becomes of a judged fact, given the known memories that are near it. Decided inside the store's transaction."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from orca_core.domain.journal import Change
from orca_core.domain.memories import (
    Added,
    ArchivedBecause,
    Memory,
    MemoryType,
    NewMemory,
    OriginKind,
    SaidAgain,
    State,
)
from orca_core.domain.refs import MEMORY
from orca_core.domain.settling import Known, Proposal, Settlement
from orca_core.rules.keeping import said_again, waiting
from orca_core.rules.learning.assertions import folded
from orca_core.rules.learning.duplicates import Likeness, likeness
from orca_core.rules.learning.evidence import Held
from orca_core.rules.learning.succession import (
    is_no_newer,
    is_read_again,
    is_update,
    may_be_of_now,
    named_by_the_model,
    says_so_now,
    target_of,
)

OPPOSES = frozenset({Likeness.UPDATE, Likeness.CONFLICT})
OPEN = frozenset({Likeness.UNDECIDED, Likeness.CONFLICT, Likeness.UPDATE})
_LISTED = frozenset({State.LIVE, State.CANDIDATE})
_HAND_ADDS = frozenset({"add", "remember"})
_HAND_CHANGES = frozenset({"content", "type", "tags", "state"})


@dataclass(frozen=True, slots=True)
class _Surroundings:
    """A fact's known memories, each with how the fact stands to it, and those that no machine may put aside."""

    near: Sequence[tuple[Memory, Likeness]]
    by_hand: frozenset[int]
    is_of_a_change: bool

    @property
    def opposed(self) -> Memory | None:
        """A pinned memory that the fact speaks against."""
        return next((each for each, like in self.near if _opposes_pinned(each, like, self.is_of_a_change)), None)


def settle(proposal: Proposal, known: Known) -> Settlement:
    """What becomes of a fact, given what is known. What its own run has stored is known, too."""
    new = proposal.new
    near = [(memory, likeness(new.content, new.type, memory.content, memory.type)) for memory in known.memories]
    if any(_is_never_wanted(memory) and like is not Likeness.DIFFERENT for memory, like in near):
        return Settlement(reason=said_again.NEVER)
    around = _Surroundings(near, made_by_hand(known.memories, known.hand_changes), says_so_now(new))
    same = min((memory for memory, like in near if like is Likeness.SAME), key=_rank, default=None)
    if same is None:
        same = next((memory for memory in known.memories if _bore(memory, new) and memory.id in known.heard), None)
    if same is None:
        same = next(
            (memory for memory, like in near if memory.id in known.undone and _is_undone(memory, new, like)), None
        )
    named = named_by_the_model(proposal, known.memories)
    target = target_of(new, named)
    if same is not None and same.id in known.undone and _would_do_again(same, new):
        return Settlement(known=same.id, reason=said_again.UNDONE)
    if same is not None:
        return _said_already(new, same, target, around, is_heard=same.id in known.heard or is_read_again(new, same))
    refused = named[0] if named and target is None else None
    return _stored(new, target, refused, around)


def made_by_hand(memories: Sequence[Memory], changes: Sequence[Change]) -> frozenset[int]:
    """Those of the memories that a person added, accepted or edited; `changes` are what hands did to them."""
    ids = {memory.id for memory in memories if memory.origin.kind is not OriginKind.EXTRACTION}
    ids |= {
        change.ref.id
        for change in changes
        if change.ref.kind == MEMORY and (change.action in _HAND_ADDS or not _HAND_CHANGES.isdisjoint(change.after))
    }
    return frozenset(ids)


def _said_already(
    new: NewMemory, same: Memory, target: Memory | None, around: _Surroundings, *, is_heard: bool
) -> Settlement:
    again = said_again.said_again(same, new)
    if again.outcome is Added.DROPPED:
        return Settlement(known=same.id, reason=again.reason)
    is_doubted = same.held_because == Held.SECOND_READER  # a doubt goes away for new words alone
    if is_heard and (again.outcome is not Added.PROMOTED or is_doubted):  # the same words once more change nothing
        return _left_as_it_is(same)
    if again.archives and not _may_take_a_place(new, again, around):
        return _left_as_it_is(same)
    if again.changes.get("state", same.state) != State.LIVE:
        return Settlement(known=same.id, again=again)
    if target is not None and target.id != same.id and new.state is State.LIVE:
        again = replace(again, archives=tuple(dict.fromkeys([*again.archives, target.id])))
    return Settlement(known=same.id, again=_within_bounds(again, same, around))


def _left_as_it_is(same: Memory) -> Settlement:
    if same.state is State.ARCHIVED:
        return Settlement(known=same.id, reason=said_again.archived_reason(same))
    if same.state is State.REJECTED:
        return Settlement(known=same.id, reason=waiting.EXPIRED)
    return Settlement(known=same.id, again=SaidAgain(Added.CONFIRMED, {}))


def _may_take_a_place(new: NewMemory, again: SaidAgain, around: _Surroundings) -> bool:
    """Whether the words speak of now, and are newer than what would be put aside for them."""
    there = [memory for memory, _ in around.near if memory.id in again.archives]
    return may_be_of_now(new) and not any(is_no_newer(new, memory) for memory in there)


def _within_bounds(again: SaidAgain, same: Memory, around: _Surroundings) -> SaidAgain:
    """The change, limited to what a machine may do: it makes nothing live against a pinned memory, and replaces
    nothing that a person made."""
    at_stake = [memory for memory, _ in around.near if memory.id in again.archives and memory.state is State.LIVE]
    kept = next((memory for memory in at_stake if _is_out_of_reach(memory, around)), None)
    comes_alive = same.state is not State.LIVE
    opposed = around.opposed if comes_alive else None
    if opposed is None and kept is None:
        return again
    if not comes_alive:
        out_of_reach = {memory.id for memory in at_stake if _is_out_of_reach(memory, around)}
        return replace(again, archives=tuple(each for each in again.archives if each not in out_of_reach))
    blocker = opposed or kept
    assert blocker is not None
    held = {"held_because": _held_for(blocker).value, "would_replace": blocker.id, "state": State.CANDIDATE.value}
    outcome = Added.CONFIRMED if same.state is State.CANDIDATE else again.outcome
    return SaidAgain(outcome, {**again.changes, **held})


def _stored(new: NewMemory, target: Memory | None, refused: Memory | None, around: _Surroundings) -> Settlement:
    """`refused` is what the model named to be replaced and may not be: it stays, and the pair is listed."""
    wanted = [] if target is None else [target]
    wanted += [
        memory
        for memory, like in around.near
        if like is Likeness.UPDATE and memory.state is State.LIVE and memory not in wanted and is_update(new, memory)
    ]
    blocker = around.opposed or next((memory for memory in wanted if _is_out_of_reach(memory, around)), None)
    if blocker is not None and new.state is State.LIVE:
        new = replace(new, state=State.CANDIDATE, held_because=_held_for(blocker).value)
    supersedes = [memory.id for memory in wanted if not memory.pinned]
    undecided = tuple(
        (memory.id, like.value)
        for memory, like in around.near
        if like in OPEN and memory.state in _LISTED and memory.id not in supersedes
    )
    if refused is not None and all(refused.id != memory_id for memory_id, _ in undecided):
        undecided = (*undecided, (refused.id, Likeness.UPDATE.value))
    if new.state is State.LIVE:
        return Settlement(store=new, supersedes=tuple(supersedes), undecided=undecided)
    would_replace = supersedes[0] if supersedes else (blocker.id if blocker is not None else None)
    return Settlement(store=replace(new, would_replace=would_replace), undecided=undecided)


def _rank(memory: Memory) -> int:
    """Which of several equal memories answers: a live one, then a candidate, then one that a person refused, then the
    rest."""
    if memory.state in _LISTED:
        return 0 if memory.state is State.LIVE else 1
    return 2 if said_again.standing_refusal(memory) else 3


def _is_never_wanted(memory: Memory) -> bool:
    return memory.state is State.REJECTED and memory.held_because == said_again.NEVER


def _bore(memory: Memory, new: NewMemory) -> bool:
    """Whether the memory was taken from the very words, of the same rounds, that the fact stands on."""
    quote = folded(new.origin.quote or "")
    return bool(quote) and is_read_again(new, memory) and quote == folded(memory.origin.quote or "")


def _is_undone(memory: Memory, new: NewMemory, like: Likeness) -> bool:
    """Whether the fact is what a person took back, in other words: it stands on the same ones, or is near to it, and
    nothing was said since. What is typed anew is new evidence, and another fact in other words."""
    if memory.archived_because is not ArchivedBecause.UNDONE or not is_read_again(new, memory):
        return False
    ours, theirs = folded(new.origin.quote or ""), folded(memory.origin.quote or "")
    stands_on_the_same = bool(ours and theirs) and (ours in theirs or theirs in ours)
    return stands_on_the_same or like is not Likeness.DIFFERENT


def _would_do_again(same: Memory, new: NewMemory) -> bool:
    """Whether saying it again would bring alive, from the same rounds, what a person has put back to wait."""
    return same.state is State.CANDIDATE and said_again.said_again(same, new).outcome is Added.PROMOTED


def _is_out_of_reach(memory: Memory, around: _Surroundings) -> bool:
    """Whether a machine may only propose to replace it."""
    return memory.pinned or memory.id in around.by_hand


def _held_for(blocker: Memory) -> Held:
    return Held.CONTRADICTS_PINNED if blocker.pinned else Held.KEPT_BY_HAND


def _opposes_pinned(memory: Memory, like: Likeness, is_of_a_change: bool) -> bool:
    """Whether the fact opposes a pinned memory. A rule or preference, and a memory that a change would replace, is
    defended even where the fact is only near."""
    if not memory.pinned or memory.state is not State.LIVE:
        return False
    is_a_rule = memory.type in (MemoryType.INSTRUCTION, MemoryType.PREFERENCE)
    return like in OPPOSES or (like is Likeness.UNDECIDED and (is_a_rule or is_of_a_change))
