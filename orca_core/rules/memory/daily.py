"""What is due once a day."""

from __future__ import annotations

from datetime import datetime, timedelta

EVERY = timedelta(days=1)


def is_due(last: datetime | None, now: datetime) -> bool:
    """Whether a day passed since it was done `last`, or it never was. A clock that was set back does not put it off:
    what was done later than now is due."""
    return last is None or not timedelta(0) <= now - last < EVERY
