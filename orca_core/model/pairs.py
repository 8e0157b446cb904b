"""Pairs of memories that may say the same, or contradict each other."""

from __future__ import annotations

from datetime import datetime
from enum import StrEnum

from msgspec import Struct

from orca_core.model.memories import Memory


class Why(StrEnum):
    """Why a pair is listed: it is near (`undecided`), of the same words with another figure, name or denial
    (`conflict`), or one was to take the other's place and did not (`other_value`). An `update` older versions listed.
    """

    UNDECIDED = "undecided"
    CONFLICT = "conflict"
    OTHER_VALUE = "other_value"
    UPDATE = "update"


class UndecidedPair(Struct, frozen=True):
    """Two memories of which nobody has said whether they are the same, or contradict each other. `newer` stands on the
    later words, whatever the numbers. A person has decided to keep both of a settled one."""

    newer: Memory
    older: Memory
    why: str
    listed_at: datetime
    is_settled: bool = False
