"""What was considered for a turn, what was put before the model, and why: the receipt and its parts."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from enum import IntEnum
from typing import Literal

from orca_core.domain.memories import MemoryType, Status


class Level(IntEnum):
    """How much of the memory works. Falling and rising are automatic, announced once each."""

    FULL = 1
    TEXT_ONLY = 2
    SHORT_TERM_ONLY = 3
    NONE = 4


@dataclass(frozen=True, slots=True)
class ScoreParts:
    """A score and what it is made of: the four add up."""

    vector: float = 0.0
    text: float = 0.0
    weight: float = 0.0
    recency: float = 0.0

    @property
    def total(self) -> float:
        return self.vector + self.text + self.weight + self.recency


@dataclass(frozen=True, slots=True)
class Item:
    """A memory as it stood before one turn. `ref` is what people see: `7`, or `s41` for a short-term one."""

    ref: str
    kind: Literal["long", "short"]
    content: str
    parts: ScoreParts
    reason: str
    type: MemoryType | None = None
    created_at: datetime | None = None
    pinned: bool = False

    @property
    def score(self) -> float:
        return self.parts.total


@dataclass(frozen=True, slots=True)
class WeightMove:
    """`status` is the memory's then; None in receipts that were written before it was kept."""

    id: int
    before: float
    after: float
    status: Status | None = None


@dataclass(frozen=True, slots=True)
class Injection:
    """The outcome of recall: `considered` is `injected` and `dropped` together, each item once with its reason.

    `rules` are the rules that fired (`first_round`, `technical: docker, 报错` …); `failed` says why recall could
    not look (so that it never looks like "nothing to recall"). `block` is the text exactly as sent. `context_tokens` is
    what the model takes, as far as is known; 0 before it was looked at.
    """

    level: Level
    rules: tuple[str, ...]
    injected: tuple[Item, ...] = ()
    dropped: tuple[Item, ...] = ()
    block: str = ""
    tokens: int = 0
    prompt_tokens: int = 0
    seconds: float = 0.0
    failed: str = ""
    context_tokens: int = 0

    @property
    def considered(self) -> tuple[Item, ...]:
        return self.injected + self.dropped


@dataclass(frozen=True, slots=True)
class References:
    """Which injected long-term memories an answer used."""

    used: tuple[int, ...] = ()
    unused: tuple[int, ...] = ()
    unknown: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Citation:
    """A memory named by the answer, and where in the shown text (a character offset)."""

    id: int
    at: int


@dataclass(frozen=True, slots=True)
class Receipt:
    """All that is kept of how a turn's memory was decided; `orca why` shows it."""

    session_id: str
    round: int
    injection: Injection
    references: References
    weights: tuple[WeightMove, ...] = ()


@dataclass(frozen=True, slots=True)
class Appearance:
    """One time that a memory was put before the model: in which round, why, and what the answer did with it."""

    session_id: str
    title: str
    round: int
    at: datetime
    reason: str
    use: str
    before: float
    after: float


@dataclass(frozen=True, slots=True)
class VectorHit:
    id: int
    cosine: float


@dataclass(frozen=True, slots=True)
class TextHit:
    """A memory found by words: its BM25 score (greater is better) and the query's tokens that it holds."""

    id: int
    bm25: float
    matched: frozenset[str]


@dataclass(frozen=True, slots=True)
class TokenStatistics:
    """How many of `documents` hold each token: what rarity is made of."""

    documents: int
    frequencies: dict[str, int]
