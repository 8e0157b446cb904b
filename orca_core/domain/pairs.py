"""Pairs of memories that may say the same, or contradict each other."""

from __future__ import annotations

from datetime import datetime

from orca_core.domain.dataclass import dataclass
from orca_core.domain.memories import Memory

OTHER_VALUE = "other_value"
"""Why a pair is listed whose memories give one thing two values: until a person decides, the newer one counts."""


@dataclass(frozen=True, slots=True)
class UndecidedPair:
    """Two memories that may say the same, or contradict each other: the rules do not know. `newer` stands on the later
    words, whatever the numbers. A person has decided to keep both of a settled one."""

    newer: Memory
    older: Memory
    why: str
    listed_at: datetime
    is_settled: bool = False


@dataclass(frozen=True, slots=True)
class Side:
    """A memory of a pair, as far as it tells which of the two counts."""

    id: int
    pinned: bool = False


@dataclass(frozen=True, slots=True)
class ListedPair:
    """Two live memories that give one thing two values, as a recall reads them: there may be hundreds."""

    newer: Side
    older: Side
    listed_at: datetime
    is_settled: bool = False
