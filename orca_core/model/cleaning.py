"""What cleaning comes to: what is put aside, merged and dropped."""

from __future__ import annotations

from msgspec import Struct

from orca_core.model.memories import MemoryType


class MemoryText(Struct, frozen=True):
    """What a live memory says, without all else that is known of it."""

    id: int
    content: str
    type: MemoryType


class Merged(Struct, frozen=True):
    """The memory that stays, and those that say just the same and give way to it."""

    kept: int
    others: tuple[int, ...]


class Cleaned(Struct, frozen=True):
    """What a cleaning did, or would do. Its `operation` takes back what was archived and merged; None where there was
    nothing of that. Summaries that expired and vectors without a record are only counted."""

    archived: tuple[int, ...] = ()
    merged: tuple[Merged, ...] = ()
    summaries: int = 0
    vectors: int = 0
    operation: int | None = None

    @property
    def is_empty(self) -> bool:
        return not (self.archived or self.merged or self.summaries or self.vectors)

    @property
    def memories(self) -> tuple[int, ...]:
        """Every memory that is touched, each once."""
        touched = [*self.archived, *(each for one in self.merged for each in (one.kept, *one.others))]
        return tuple(dict.fromkeys(touched))
