"""How long a second reader's doubt stays: until new words are read a second time, or need not be."""

from __future__ import annotations

from msgspec.structs import replace

from orca_core.domain.memories import Memory, NewMemory, State
from orca_core.domain.settling import Known, Proposal
from orca_core.rules.keeping import waiting
from orca_core.rules.learning.likeness.duplicates import Likeness, likeness
from orca_core.rules.learning.trust.evidence import Held
from orca_core.rules.text.letters import folded


def is_doubted(memory: Memory) -> bool:
    """Whether a second reader doubted it, and nobody has decided since."""
    held = waiting.held_before(memory) if waiting.is_expired(memory) else memory.held_because
    return held == Held.SECOND_READER


def keeps_its_doubt(same: Memory, proposal: Proposal, *, is_heard: bool) -> bool:
    """Whether a doubt stays: it goes away for new words alone, and not where nobody read these a second time although
    somebody should have."""
    return is_doubted(same) and proposal.new.state is State.LIVE and (is_heard or proposal.is_unread)


def with_a_doubt(proposal: Proposal, known: Known) -> Proposal:
    """The proposal; held where nobody read it a second time, and a doubted memory stands on the same words."""
    new = proposal.new
    if not proposal.is_unread or new.state is not State.LIVE:
        return proposal
    if not any(is_doubted(memory) and _stand_on_the_same(new, memory) for memory in known.memories):
        return proposal
    return replace(proposal, new=replace(new, state=State.CANDIDATE, held_because=Held.SECOND_READER.value))


def _stand_on_the_same(new: NewMemory, doubted: Memory) -> bool:
    """Whether they have the same quote, whatever each makes of it; of two of which one holds the other, whether what
    they say is near."""
    ours, theirs = folded(new.origin.quote or ""), folded(doubted.origin.quote or "")
    if not ours or not theirs or (ours not in theirs and theirs not in ours):
        return False
    like = likeness(new.content, new.type, doubted.content, doubted.type)
    return ours == theirs or like is not Likeness.DIFFERENT
