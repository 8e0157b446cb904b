"""Feedback: acts of the user (liked, edited, collected, asked), what speaks for a memory that nobody stated in so many
words, and what the memory agent says that acts show."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from datetime import datetime
from enum import StrEnum
from typing import Any

from msgspec import Struct, field

from orca_core.model.learning import Batch, DroppedFact, Due, LearntFacts, Proposal
from orca_core.model.memories import Memory, MemoryType, Origin
from orca_core.model.record_types import ACTION, BUILT_IN_KINDS, SUPPORT, Changeable, RecordType, Ref
from orca_core.model.tasks import TaskWithSteps
from orca_core.model.tools import CallsTaken


class ActionType(StrEnum):
    """What may be done. `rules.feedback.signals` says what each needs, teaches and takes back."""

    LIKE = "LIKE"
    DISLIKE = "DISLIKE"
    CANCEL_LIKE = "CANCEL_LIKE"
    CANCEL_DISLIKE = "CANCEL_DISLIKE"
    NOT_HELPFUL = "NOT_HELPFUL"
    """A record that stood before the model in a round did not help there."""
    CANCEL_NOT_HELPFUL = "CANCEL_NOT_HELPFUL"
    EDIT_ROADMAP = "EDIT_ROADMAP"
    EDIT_FILE = "EDIT_FILE"
    START_CHAT = "START_CHAT"
    FOLLOWUP_CHAT = "FOLLOWUP_CHAT"
    BREAK_CHAT = "BREAK_CHAT"
    COLLECT_SESSION = "COLLECT_SESSION"
    UNCOLLECT_SESSION = "UNCOLLECT_SESSION"
    COLLECT_TOOL = "COLLECT_TOOL"
    UNCOLLECT_TOOL = "UNCOLLECT_TOOL"
    TASK_STOP = "TASK_STOP"
    """Its session's tool calls go to the memory of tools."""
    EXECUTE_SHELL_COMMAND = "EXECUTE_SHELL_COMMAND"
    BROWSER_OPERATION = "BROWSER_OPERATION"


TAKE_BACK = frozenset(
    (
        ActionType.CANCEL_LIKE,
        ActionType.CANCEL_DISLIKE,
        ActionType.CANCEL_NOT_HELPFUL,
        ActionType.UNCOLLECT_SESSION,
        ActionType.UNCOLLECT_TOOL,
    )
)
"""Those that only take others back, and stand for nothing themselves."""


class ActionState(StrEnum):
    STANDING = "standing"
    WITHDRAWN = "withdrawn"
    """A later act took it back, or what it was about was replaced."""
    UNDONE = "undone"
    """Its recording was taken back."""


class ReadingState(StrEnum):
    """Whether the memory agent has looked at it."""

    NEVER = "never"
    """It teaches nothing by itself."""
    WAITING = "waiting"
    DONE = "done"


class Action(Struct, frozen=True):
    """One act. What it is about is named as far as it is known: a `round` by its number (`round_id`: the attempt of
    it that was meant), a `message` by a client's own name of it, a `task`, a `tool` and one `call` of it. `data` is
    what a client gave with it: `previous` and `current`, `query`, `operation`, `session_content`; of a `record` that
    is judged its `kind` and `id`."""

    id: int
    uid: str
    type: ActionType
    session_id: str
    at: datetime
    round: int | None = None
    round_id: int | None = None
    message: str = ""
    task: int | None = None
    tool: str = ""
    call: str = ""
    data: Mapping[str, Any] = field(default_factory=dict)
    state: Changeable[ActionState] = ActionState.STANDING
    read: Changeable[ReadingState] = ReadingState.NEVER
    origin: Origin = field(default_factory=Origin)

    @property
    def stands(self) -> bool:
        return self.state is ActionState.STANDING

    @property
    def created_at(self) -> datetime:
        return self.at

    @property
    def record(self) -> Ref | None:
        """The record that is judged; None where it names none, or one that no longer is."""
        match self.data.get("record"):
            case {"kind": str(kind), "id": int(number)} if not isinstance(number, bool):
                return Ref(BUILT_IN_KINDS.named(kind), number)
        return None


def naming(record: Ref) -> dict[str, Any]:
    """The data of an act that is about this record."""
    return {"record": {"kind": record.kind.name, "id": record.id}}


ACTIONS = RecordType(ACTION, Action, "actions", text="", unmade={"state": ActionState.UNDONE.value})


class ActionRecorded(Struct, frozen=True):
    """What recording an act came to: the act, those that it took back, and the memories that stand otherwise by that.
    `is_known` where the same act stood already: nothing was written, and `operation` is None."""

    action: Action
    operation: int | None
    withdrawn: tuple[Action, ...] = ()
    memories: tuple[Memory, ...] = ()
    is_known: bool = False
    calls: CallsTaken | None = None
    """Of what ended a task: the tools that its session called."""

    @property
    def took_back_nothing(self) -> bool:
        """An act that only takes back, where nothing stood that it names."""
        return self.action.type in TAKE_BACK and not self.withdrawn

    @property
    def is_kept(self) -> bool:
        """Not so where acts are switched off, and only the calls of a task that stopped were taken."""
        return self.operation is not None or self.is_known


class SupportKind(StrEnum):
    ACT = "act"
    ROUND = "round"


class SupportState(StrEnum):
    STANDING = "standing"
    WITHDRAWN = "withdrawn"
    """Its act is deleted."""
    UNDONE = "undone"


class Support(Struct, frozen=True):
    """One thing that speaks for a memory. Whether it stands follows from itself and from its `act`: taking an act back
    touches that one row, whatever it supported. `source` names what both an act on a round and what was read out of
    that round rest on: they are one."""

    id: int
    memory: int
    kind: SupportKind
    source: str
    at: datetime
    act: int | None = None
    session_id: str | None = None
    round: int | None = None
    state: Changeable[SupportState] = SupportState.STANDING

    @property
    def created_at(self) -> datetime:
        return self.at


SUPPORTS = RecordType(SUPPORT, Support, "supports", text="", unmade={"state": SupportState.UNDONE.value})


class SupportedMemory(Struct, frozen=True):
    """A memory with the supports that stand. `undone_at` is when a person took back what became of it by them."""

    memory: Memory
    supports: tuple[Support, ...] = ()
    undone_at: datetime | None = None


class Visits(Struct, frozen=True):
    """A candidate, as far as its visits go."""

    created_at: datetime
    searched_at: datetime | None = None
    supports: tuple[Support, ...] = ()


class PromotionScore(Struct, frozen=True):
    """How near a candidate is to going live by what supports it: on so many `days` of `needed`, with a `score` against
    the `threshold` of the pool. `visited` counts supports, and searches by programs that returned it. `is_ready`: it
    may go live now, where it is the best; `blocked_by` names the reason that only a person lifts, empty where there is
    none."""

    days: int
    needed: int
    score: float
    threshold: float
    visited: int
    supports: tuple[Support, ...] = ()
    blocked_by: str = ""

    @property
    def is_ready(self) -> bool:
        return not self.blocked_by and self.days >= self.needed and self.score >= self.threshold


class SupportDays(Struct, frozen=True):
    """What speaks for a memory, on so many different `days`."""

    days: int
    supports: tuple[Support, ...]


ChoosePromoted = Callable[[Sequence[SupportedMemory], datetime, Collection[int]], Memory | None]
"""The candidate that is to go live next, of all that wait, but for those with these numbers
(`rules.feedback.promotion_score.promoted`)."""


class ActBatch(Batch, frozen=True):
    """Acts that one run reads, and what they refer to as it is stored: rounds (those of the session where it was
    collected) and tasks. They are of one session; where a `candidate` is to go live by them, of any, oldest first,
    and the rounds that speak for it are there, too."""

    actions: tuple[Action, ...] = ()
    tasks: tuple[TaskWithSteps, ...] = ()
    candidate: SupportedMemory | None = None


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


class ShownPreference(Struct, frozen=True):
    """A judged preference on its way into the store, and the acts that show it."""

    proposal: Proposal
    acts: tuple[int, ...]


class ActsLearnt(Struct, frozen=True):
    """What a run of acts changed, in one operation: what became of each preference, and the memories that these acts
    support."""

    learnt: LearntFacts = LearntFacts()
    supported: tuple[int, ...] = ()


ChooseActs = Callable[[Sequence[Action], Due], Sequence[Action]]
"""The acts of one session that are read next, of all that wait, oldest first (`rules.feedback.preference_claims`)."""


class Promotion(Struct, frozen=True):
    """What became of a candidate that was to go live: it lives now, or waits for a person; in this operation."""

    memory: Memory
    operation: int | None = None
