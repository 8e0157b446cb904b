"""What decides which rounds are read next: open runs, and sessions with waiting rounds."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime

from msgspec import Struct

from orca_core.model.learning import Due, RunState


class OpenRun(Struct, frozen=True):
    """A run that was cut short or failed; `is_again` where its rounds had been read before. It is tried again at
    `next_at`, or by a person where there is none."""

    id: int
    session_id: str
    state: RunState
    tries: int
    rounds: tuple[int, ...]
    is_again: bool
    next_at: datetime | None
    target: str = ""
    """What a consolidation is about."""
    acts: tuple[int, ...] = ()


class WaitingSession(Struct, frozen=True):
    """A session with rounds that nobody has claimed, the first of which is `first` in the queue. It `is_held` while a
    run of it that failed waits for its time; `is_left` once another session was begun after its last round."""

    session_id: str
    rounds: int
    first: int
    used_at: datetime
    is_left: bool
    is_held: bool


IsRunDue = Callable[[OpenRun, Due, datetime], bool]
"""Whether a run goes on now (`rules.learning.queue.due.is_run_due`)."""

DueSession = Callable[[Sequence[WaitingSession], Due], str | None]
"""The session whose rounds are read next (`rules.learning.queue.due.due_session`)."""

IsFoldDue = Callable[[OpenRun, datetime], bool]
"""Whether a fold goes on now (`rules.learning.queue.due.is_fold_due`)."""
