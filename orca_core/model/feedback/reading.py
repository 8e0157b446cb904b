"""What the memory agent says that acts show: asked about a batch, judged, settled, and let live once shown often."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from msgspec import Struct

from orca_core.model.feedback.actions import Action
from orca_core.model.feedback.supports import Supported
from orca_core.model.learning import Batch, DroppedFact, Due, Learnt
from orca_core.model.memories import Memory, MemoryType
from orca_core.model.settling import Proposal
from orca_core.model.work.tasks import TaskWithSteps


class ActBatch(Batch, frozen=True):
    """Acts that one run reads, and what they refer to as it is stored: rounds (those of the session where it was
    collected) and tasks. They are of one session; where a `candidate` is to go live by them, of any, oldest first,
    and the rounds that speak for it are there, too."""

    actions: tuple[Action, ...] = ()
    tasks: tuple[TaskWithSteps, ...] = ()
    candidate: Supported | None = None


class ProposedPreference(Struct, frozen=True):
    """What the memory agent says that an act shows, within the rules of form; nothing says yet that it is true.
    `is_explicit` where the user is said to state it in these words (`quote`)."""

    action: int
    content: str
    type: MemoryType = MemoryType.PREFERENCE
    is_explicit: bool = False
    quote: str = ""
    tags: tuple[str, ...] = ()
    replace: str = ""
    retract: str = ""


class PreferencesRead(Struct, frozen=True):
    """What could be read of a memory agent's answer."""

    preferences: tuple[ProposedPreference, ...] = ()
    dropped: tuple[DroppedFact, ...] = ()


class Shown(Struct, frozen=True):
    """A judged preference on its way into the store, and the acts that show it."""

    proposal: Proposal
    acts: tuple[int, ...]


class Grown(Struct, frozen=True):
    """What a run of acts changed, in one operation: what became of each preference, and the memories that these acts
    support."""

    learnt: Learnt = Learnt()
    supported: tuple[int, ...] = ()


ChooseActs = Callable[[Sequence[Action], Due], Sequence[Action]]
"""The acts of one session that are read next, of all that wait, oldest first (`rules.feedback.due`)."""


class Promotion(Struct, frozen=True):
    """What became of a candidate that was to go live: it lives now, or waits for a person; in this operation."""

    memory: Memory
    operation: int | None = None
