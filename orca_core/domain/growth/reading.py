"""What the memory agent says that acts show: asked about a batch, judged, settled."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from enum import StrEnum

from msgspec import Struct

from orca_core.domain.growth.actions import Action
from orca_core.domain.learning import Batch, DroppedFact, Due, Learnt, ProposedFact
from orca_core.domain.memories import Memory
from orca_core.domain.settling import Proposal
from orca_core.domain.work.tasks import TaskWithSteps


class ActReading(StrEnum):
    """What a batch is read for: each has a prompt of its own."""

    FEEDBACK = "feedback"
    """Likes, dislikes, collected tools."""
    EDITS = "edits"
    CHATS = "chats"
    WORKFLOWS = "workflows"
    """Collected sessions."""
    USER_INFO = "user_info"
    """What the queries of chats tell of the user; the run that reads them for wishes asks for it, too."""


class ActBatch(Batch, frozen=True):
    """Acts of one session that one run reads, and what they refer to as it is stored: rounds (those of the session
    where it was collected) and tasks."""

    reading: ActReading = ActReading.FEEDBACK
    actions: tuple[Action, ...] = ()
    tasks: tuple[TaskWithSteps, ...] = ()


class ChosenActs(Struct, frozen=True):
    """The acts of one session and reading that a run takes."""

    reading: ActReading
    actions: tuple[Action, ...]


class ProposedPreference(Struct, frozen=True):
    """What the memory agent says that an act shows, within the rules of form; nothing says yet that it is true.
    `replace` and `retract` name something known, as a fact does."""

    action: int
    content: str
    is_explicit: bool = False
    quote: str = ""
    tags: tuple[str, ...] = ()
    replace: str = ""
    retract: str = ""


class PreferencesRead(Struct, frozen=True):
    """What could be read of a memory agent's answer."""

    preferences: tuple[ProposedPreference, ...]
    dropped: tuple[DroppedFact, ...]


class ProposedInfo(Struct, frozen=True):
    """A fact, a project or an event that a query is said to tell, by the place of its act."""

    action: int
    fact: ProposedFact


class InfoRead(Struct, frozen=True):
    """What could be read of a memory agent's answer about queries."""

    infos: tuple[ProposedInfo, ...] = ()
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


ChooseActs = Callable[[Sequence[Action], Due], ChosenActs | None]
"""The acts that are read next, of all that wait, oldest first; None where none are due (`rules.growing.due`)."""


class Promotion(Struct, frozen=True):
    """A candidate that went live by what supports it; None where none was ready."""

    memory: Memory | None = None
    operation: int | None = None
