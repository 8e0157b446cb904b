"""Which rounds the memory agent reads next."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from orca_core.model.learning import Due, OpenRun, RunState, WaitingSession


def is_run_due(run: OpenRun, due: Due, now: datetime) -> bool:
    """One that was cut short goes on at once. One that failed waits for its time; a verification that failed is
    over."""
    if run.id in due.besides or due.session_id not in (None, run.session_id):
        return False
    if run.state is RunState.RUNNING:
        return True
    return not run.is_again and run.next_at is not None and (due.everything or run.next_at <= now)


def due_session(waiting: Sequence[WaitingSession], due: Due) -> str | None:
    """The session that has waited longest of those that have enough rounds, or ended; None where none has."""
    ready = [each for each in waiting if _is_due(each, due)]
    return min(ready, key=lambda each: each.first).session_id if ready else None


def _is_due(waiting: WaitingSession, due: Due) -> bool:
    if waiting.is_held or due.session_id not in (None, waiting.session_id):
        return False
    has_ended = waiting.is_left or waiting.used_at < due.idle_since or waiting.session_id in due.ended
    return due.everything or has_ended or waiting.rounds >= due.batch_size


def is_fold_due(run: OpenRun, now: datetime) -> bool:
    """One that was cut short goes on at once, one that failed at its time, a parked one never."""
    return run.state is RunState.RUNNING or (run.next_at is not None and run.next_at <= now)
