"""Acts of the user: what was liked, edited, collected, asked; kept, taken back, and read for what they show."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from enum import StrEnum
from typing import Any

from msgspec import Struct, field

from orca_core.model.memories import Memory, Origin
from orca_core.model.records import Changeable, RecordType
from orca_core.model.refs import ACTION, BUILT_IN_KINDS, Ref
from orca_core.model.work.tools import CallsTaken


class ActionType(StrEnum):
    """What may be done. `rules.feedback.acts` says what each needs, teaches and takes back."""

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


class ActionRead(StrEnum):
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
    read: Changeable[ActionRead] = ActionRead.NEVER
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
