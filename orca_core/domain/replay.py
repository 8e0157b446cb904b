"""Stored receipts under other settings: what would have been put before the model, and what weights would have come of
it."""

from __future__ import annotations

from datetime import datetime

from orca_core.domain.dataclass import dataclass
from orca_core.domain.recall import Item, Receipt
from orca_core.domain.refs import Ref


@dataclass(frozen=True, slots=True)
class PastTurn:
    """A turn as it is stored: what was asked, and its receipt. `first_round` where no answer stood before it."""

    text: str
    at: datetime
    first_round: bool
    receipt: Receipt


@dataclass(frozen=True, slots=True)
class TurnChange:
    """What a turn would have got besides, and what it would not have got. `is_open` where memories that its receipt
    does not name might have come, too."""

    turn: PastTurn
    gained: tuple[Item, ...]
    lost: tuple[Item, ...]
    is_open: bool


@dataclass(frozen=True, slots=True)
class WeightChange:
    """A memory whose weight would be another after all turns."""

    ref: Ref
    content: str
    before: float
    after: float
    archived_before: bool
    archived_after: bool


@dataclass(frozen=True, slots=True)
class Injected:
    """What was put before the model in all replayed turns."""

    memories: int
    tokens: int


@dataclass(frozen=True, slots=True)
class Replay:
    """`not_reproduced` turns got something else than the configured settings give: they were decided by other settings
    or by other rules, and nothing is said of them; nor of those `without_text`, of which something was deleted. Of the
    replayed ones, `open` might have got what no receipt holds."""

    turns: int
    not_reproduced: int
    without_text: int
    open: tuple[PastTurn, ...]
    before: Injected
    after: Injected
    changes: tuple[TurnChange, ...]
    weights: tuple[WeightChange, ...]
    weights_not_reproduced: int

    @property
    def replayed(self) -> int:
        return self.turns - self.not_reproduced - self.without_text
