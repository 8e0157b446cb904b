"""The one stream of all that changes: turns, learning, changes by hand, and other processes' writes.

Stored changes (`OperationMade`) come in the order of the operations, each once, from any `after` on: the number
of an operation is the cursor from which a listener resumes. All other events are live and can not be resumed.
"""

from __future__ import annotations

from msgspec import Struct

from orca_core.model.events import Event, Happened
from orca_core.model.journal import Change, Operation

MOST_CHANGES = 1000
"""So many changes of one operation are told: an import may have a hundred thousand. Chosen by hand."""


class OperationMade(Happened, frozen=True, tag="operation"):
    """An operation and its changes, whoever made it: a person, a turn, learning, in this process or another. Of more
    than MOST_CHANGES the first are told."""

    operation: Operation
    changes: tuple[Change, ...]


class ChangedElsewhere(Happened, frozen=True, tag="elsewhere"):
    """Another process wrote into the database: what is shown of chats, runs and waiting rounds may be out of date."""


class Missed(Happened, frozen=True, tag="missed"):
    """A listener was too slow, and this many live events were dropped for it."""

    count: int


FeedEvent = Event | OperationMade | ChangedElsewhere | Missed


class Notice(Struct, frozen=True):
    """One event of the stream. `cursor` is the operation to resume after; `session_id` is the chat of a turn's
    event."""

    cursor: int
    event: FeedEvent
    session_id: str = ""
