"""What the bridge and the widgets tell the screen. Frozen, one direction: bridge → screen → widgets."""

from __future__ import annotations

from dataclasses import dataclass

from textual.message import Message

from orca_core.domain.errors import OrcaError
from orca_core.domain.events import Event
from orca_core.domain.memories import Memory
from orca_core.domain.messages import Span
from orca_tui.app.shown_round import ShownRound


class EngineReady(Message):
    """The database is open."""


@dataclass
class EngineFailed(Message):
    """The database can't be opened."""

    error: OrcaError


@dataclass
class TurnEvent(Message):
    """An event of the turn that runs."""

    event: Event


@dataclass
class TurnRefused(Message):
    """The turn could not begin."""

    error: OrcaError


class TurnEnded(Message):
    """Nothing more comes of the turn."""


@dataclass
class Learnt(Message):
    """Something was learnt, or tried, in the background."""

    event: Event


@dataclass
class WorkFailed(Message):
    """Something that was asked of the engine, in a group of work, went wrong."""

    error: OrcaError
    group: str


@dataclass
class WorkMended(Message):
    """What failed last in this group of work did well now."""

    group: str


@dataclass
class Submitted(Message):
    """The prompt was sent: its text with where each piece came from."""

    text: str
    spans: tuple[Span, ...]


@dataclass
class SlashTyped(Message):
    """A command is being typed: those that it may become, and which of them enter takes; none where it is none."""

    names: tuple[str, ...]
    at: int = 0


class QueuedWanted(Message):
    """Someone wants to go on writing the message that waits to be sent."""


class ReachedTop(Message):
    """Someone wants to see what was said earlier."""


@dataclass
class EndSeen(Message):
    """The end of the chat came into sight, or left it."""

    is_seen: bool


@dataclass
class RowsWanted(Message):
    """The memory list needs rows from here on; `restart` where it asks for other ones than before."""

    offset: int
    restart: bool = False


@dataclass
class RangeWanted(Message):
    """The rows from the first to the last are to be marked, whether they were looked at or not."""

    first: int
    last: int


@dataclass
class MemoryChosen(Message):
    """The cursor stands on another memory; None where there is none. Where it moved, from the row `before`, it is to
    be shown."""

    memory: Memory | None
    before: int | None = None


@dataclass
class MemoryAction(Message):
    """Something is to be done to memories: those that are marked, else the one under the cursor."""

    action: str
    memories: tuple[Memory, ...]


@dataclass
class ActivityAction(Message):
    """Something is to be done about a line of the activity: an operation, or a run."""

    action: str
    operation: int | None
    run: int | None
    text: str = ""


@dataclass
class TranscriptAction(Message):
    """Something is to be done with a round: why, regenerate, edit, copy …"""

    action: str
    said: ShownRound


class WhyWanted(Message):
    """Someone wants to know all about the memory of this turn."""
