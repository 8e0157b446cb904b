"""Messages of the lists of memories and of activity."""

from __future__ import annotations

from dataclasses import dataclass

from textual.message import Message

from orca_core.domain.memories import Memory
from orca_core.domain.views import MemoryView


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

    view: MemoryView | None
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
