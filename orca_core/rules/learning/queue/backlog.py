"""When a run that failed is tried again, and when it is parked."""

from __future__ import annotations

from datetime import datetime, timedelta

MAX_TRIES = 5
FIRST_WAIT_S = 30.0
WAIT_FACTOR = 4.0
MAX_WAIT_S = 3600.0
"""Chosen by hand: tries after 30 s, 2, 8 and 32 minutes end within the hour."""
_LONGEST = 10
"""Behind it every wait is the longest, and no power is too large for a number."""


def look_again_s(failures: int) -> float:
    """After so many failures in a row: how soon to look again whether what broke still does."""
    return min(MAX_WAIT_S, FIRST_WAIT_S * WAIT_FACTOR ** min(_LONGEST, max(0, failures - 1)))


def is_spent(tries: int) -> bool:
    """Whether a run that was begun so often, and never ended well, is begun no more."""
    return tries >= MAX_TRIES


def next_try(tries: int, now: datetime) -> datetime | None:
    """After so many failed tries: the time of the next one, or None where the run is parked."""
    if is_spent(tries):
        return None
    return now + timedelta(seconds=look_again_s(tries))
