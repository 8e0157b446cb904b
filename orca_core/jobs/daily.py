"""What is due at the start, and again once a day."""

from __future__ import annotations

from datetime import datetime

from orca_core.model.llm import Clock
from orca_core.rules.memory import daily


class Daily:
    """Remembers, by the clock, when it was done last in this process."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._done_at: datetime | None = None

    @property
    def is_due(self) -> bool:
        return daily.is_due(self._done_at, self._clock.now())

    @property
    def next_at(self) -> datetime | None:
        """None where it was never done."""
        return None if self._done_at is None else self._done_at + daily.EVERY

    def done(self, at: datetime) -> None:
        self._done_at = at

    def wanted(self) -> None:
        """Make it due now, whenever it was done."""
        self._done_at = None
