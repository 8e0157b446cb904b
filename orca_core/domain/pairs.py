"""Pairs of memories that may say the same, or contradict each other."""

from __future__ import annotations

from datetime import datetime

from msgspec import Struct

from orca_core.domain.memories import Memory

OTHER_VALUE = "other_value"
"""Why a pair is listed whose memories give one thing two values, as far as rules can tell: it hides neither."""


class UndecidedPair(Struct, frozen=True):
    """Two memories that may say the same, or contradict each other: the rules do not know. `newer` stands on the later
    words, whatever the numbers. A person has decided to keep both of a settled one."""

    newer: Memory
    older: Memory
    why: str
    listed_at: datetime
    is_settled: bool = False
