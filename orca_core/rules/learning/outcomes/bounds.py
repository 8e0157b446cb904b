"""What no machine may put aside: what is pinned, and what a person added, accepted or edited."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from orca_core.domain.journal import Change
from orca_core.domain.memories import ArchivedBecause, ConfirmedBy, Memory, MemoryType, State
from orca_core.domain.refs import MEMORY
from orca_core.rules.learning.likeness.duplicates import Likeness
from orca_core.rules.learning.trust.evidence import Held

_OPPOSES = frozenset({Likeness.UPDATE, Likeness.CONFLICT, Likeness.OTHER_VALUE})
_MERGE = "merge"


class Surroundings(Struct, frozen=True):
    """A fact's known memories, each with how the fact stands to it; those that no machine may put aside, and those in
    `since`, which were said after the fact."""

    near: Sequence[tuple[Memory, Likeness]]
    by_hand: frozenset[int]
    is_of_a_change: bool
    since: frozenset[int] = frozenset()

    @property
    def opposed(self) -> Memory | None:
        """A pinned memory that the fact speaks against."""
        return next((each for each, like in self.near if _opposes_pinned(each, like, self.is_of_a_change)), None)

    def is_out_of_reach(self, memory: Memory) -> bool:
        """Whether a machine may only propose to replace it."""
        return memory.pinned or memory.id in self.by_hand


def made_by_hand(memories: Sequence[Memory]) -> frozenset[int]:
    """Those of the memories that a person added, accepted or edited."""
    return frozenset(each.id for each in memories if each.confirmed_by is ConfirmedBy.HAND)


def kept_of_a_merge(memory: Memory, memories: Sequence[Memory], changes: Sequence[Change]) -> Memory:
    """The memory that a person has merged this one into, and that one again; itself where nobody did."""
    there = {each.id: each for each in memories}
    merged = {
        (change.ref.id, change.after.get("superseded_by"))
        for change in changes
        if change.ref.kind == MEMORY and change.action == _MERGE
    }
    passed: set[int] = set()
    while (memory.id, memory.superseded_by) in merged and memory.id not in passed:
        passed.add(memory.id)
        if memory.archived_because is not ArchivedBecause.SUPERSEDED or memory.superseded_by not in there:
            break
        memory = there[memory.superseded_by]
    return memory


def held_for(blocker: Memory) -> Held:
    """Why a fact waits that would put it aside."""
    return Held.CONTRADICTS_PINNED if blocker.pinned else Held.KEPT_BY_HAND


def _opposes_pinned(memory: Memory, like: Likeness, is_of_a_change: bool) -> bool:
    """Whether the fact opposes a pinned memory. A rule or preference, and a memory that a change would replace, is
    defended even where the fact is only near."""
    if not memory.pinned or memory.state is not State.LIVE:
        return False
    is_a_rule = memory.type in (MemoryType.INSTRUCTION, MemoryType.PREFERENCE)
    return like in _OPPOSES or (like is Likeness.UNDECIDED and (is_a_rule or is_of_a_change))
