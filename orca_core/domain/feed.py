"""The one stream of all that changes: turns, learning, changes by hand, and what other processes do to the database.

What is stored (`OperationMade`) comes in the order of the operations, each once, from any `after` on: the number of an
operation is the cursor with which a listener goes on. All else is live: who was not there has missed it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from orca_core.domain.events import Event
from orca_core.domain.journal import Change, Operation


@dataclass(frozen=True, slots=True)
class OperationMade:
    """An operation, whoever made it, and what it did: by hand, by a turn, by what was learnt, here or elsewhere."""

    event: ClassVar[str] = "operation"
    operation: Operation
    changes: tuple[Change, ...]


@dataclass(frozen=True, slots=True)
class ChangedElsewhere:
    """Another process wrote into the database: what is shown of it (chats, runs, what waits) may be old."""

    event: ClassVar[str] = "elsewhere"


@dataclass(frozen=True, slots=True)
class Missed:
    """A listener did not listen for so long that this many live events were dropped for it."""

    event: ClassVar[str] = "missed"
    count: int


FeedEvent = Event | OperationMade | ChangedElsewhere | Missed


@dataclass(frozen=True, slots=True)
class Notice:
    """Something that happened. `cursor` is what to go on after; `session_id` says of which chat a turn's event is."""

    cursor: int
    event: FeedEvent
    session_id: str = ""
