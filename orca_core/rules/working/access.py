"""What it changes of an episode, or of knowledge, that it was put before the model or returned to who asked for it."""

from __future__ import annotations

from datetime import datetime
from typing import Protocol

from orca_core.domain.memories import Fields
from orca_core.domain.times import timestamp


class Accessible(Protocol):
    @property
    def access_count(self) -> int: ...


def accessed(record: Accessible, at: datetime) -> Fields:
    """It is counted once, however often a turn or a request shows it."""
    return {"access_count": record.access_count + 1, "last_accessed": timestamp(at)}
