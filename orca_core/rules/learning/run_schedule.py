"""Decide when a background run is due, when a failed one is tried again, and when the daily cap is reached."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import date, datetime, time, timedelta

from orca_core.model.knowledge import DueTargets
from orca_core.model.learning import Due, OpenRun, RunState, WaitingSession
from orca_core.model.llm import ChatMessage, Usage
from orca_core.model.tools import DueGuides
from orca_core.rules.text import token_count

MAX_TRIES = 5
FIRST_WAIT_S = 30.0
WAIT_FACTOR = 4.0
MAX_WAIT_S = 3600.0
"""Chosen by hand: tries after 30 s, 2, 8 and 32 minutes end within the hour."""
_LONGEST = 10
"""Behind it every wait is the longest, and no power is too large for a number."""


def retry_wait_s(failures: int) -> float:
    """After so many failures in a row: how soon to look again whether what broke still does."""
    return min(MAX_WAIT_S, FIRST_WAIT_S * WAIT_FACTOR ** min(_LONGEST, max(0, failures - 1)))


def is_out_of_tries(tries: int) -> bool:
    """Tell whether a run that was begun so often, and never ended well, is begun no more."""
    return tries >= MAX_TRIES


def next_try(tries: int, now: datetime) -> datetime | None:
    """After so many failed tries: the time of the next one, or None where the run is parked."""
    if is_out_of_tries(tries):
        return None
    return now + timedelta(seconds=retry_wait_s(tries))


def is_cap_reached(used: int, limit: int) -> bool:
    """Tell whether so many tokens of a day are all that may be used in it; a limit of 0 is none."""
    return limit > 0 and used >= limit


def day_of(local: datetime) -> str:
    """The day of a time on the user's clock, as the ledger keeps it."""
    return local.date().isoformat()


def next_day(local: datetime) -> datetime:
    """Tell when the user's next day begins, on the user's clock: the cap opens then."""
    return datetime.combine(local.date() + timedelta(days=1), time.min)


def first_day(local: datetime, days: int) -> str:
    """The first of so many days, today being the last."""
    first: date = local.date() - timedelta(days=max(1, days) - 1)
    return first.isoformat()


def count_tokens(
    usage: Usage | None, asked: Sequence[ChatMessage], answered: str, *, was_taken: bool
) -> tuple[int, int]:
    """Tokens of the prompt and of the answer: the provider's where it says, else estimated. A request that was refused
    before anything was done with it used none."""
    if usage is not None:
        return usage.prompt_tokens, usage.completion_tokens
    if not was_taken:
        return 0, 0
    return token_count.estimate_messages(asked), token_count.estimate(answered)


def is_run_due(run: OpenRun, due: Due, now: datetime) -> bool:
    """One that was cut short goes on at once. One that failed waits for its time; a verification that failed is
    over."""
    if run.id in due.besides or due.session_id not in (None, run.session_id):
        return False
    if run.state is RunState.RUNNING:
        return True
    return not run.is_again and run.next_at is not None and (due.everything or run.next_at <= now)


def is_target_run_due(run: OpenRun, due: DueTargets | DueGuides, fold: Callable[[str], str]) -> bool:
    """The same of a run on one target or tool. A parked one goes on when a person names that; `fold` says when two
    names are one."""
    is_named = due.target is not None and fold(due.target) == fold(run.target)
    if run.id in due.besides or (due.target is not None and not is_named):
        return False
    if run.state is RunState.RUNNING or is_named:
        return True
    return run.next_at is not None and (due.everything or run.next_at <= due.at)


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
