"""What is due at the start, and again once a day."""

from __future__ import annotations

from datetime import datetime, timedelta

from orca_core.domain.ports import Clock

EVERY = timedelta(days=1)


class Daily:
    """Remembers, by the clock, when it was done last."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._done_at: datetime | None = None

    @property
    def is_due(self) -> bool:
        # A clock that was set back would put the next time off for as long as it was ahead.
        return self._done_at is None or not timedelta(0) <= self._clock.now() - self._done_at < EVERY

    @property
    def next_at(self) -> datetime | None:
        """None where it was never done."""
        return None if self._done_at is None else self._done_at + EVERY

    def done(self, at: datetime) -> None:
        self._done_at = at
