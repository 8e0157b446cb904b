"""What was considered for a turn, what was put before the model, and why: the receipt, its parts, and the memory block
as it is stored: literal pieces and a slot for each record's text."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from datetime import datetime
from enum import Enum, IntEnum, auto

from msgspec import Struct

from orca_core.model.memories import Status
from orca_core.model.record_types import Cause, Ref


class Level(IntEnum):
    """How much of the memory works. Falling and rising are automatic, announced once each."""

    FULL = 1
    TEXT_ONLY = 2
    SHORT_TERM_ONLY = 3
    NONE = 4


class Which(Enum):
    """Which records of a kind a search may find."""

    LIVE = auto()
    WAITING = auto()
    """Those that have a vector though they do not live: candidates."""
    ALL = auto()
    """What is archived or rejected, too."""


class ScoreParts(Struct, frozen=True):
    """A score and what it is made of: the four add up."""

    vector: float = 0.0
    text: float = 0.0
    weight: float = 0.0
    recency: float = 0.0

    @property
    def total(self) -> float:
        return self.vector + self.text + self.weight + self.recency


class Shortfall(Struct, frozen=True):
    """How near a record came to the floor of its turn, and what that floor asked for: the figure that decided. Above 1
    both mean the same for every question; below, they are shares: of the nearest one found, or of the question's
    words."""

    near: float
    asked: float


class Item(Struct, frozen=True):
    """A record as it was before one turn. `type` is what the block calls it; a record without a type is context
    only: the model can't cite it, and its use is not judged. One that was left out as not near enough has its
    `shortfall`; none has one in receipts that were written before it was kept."""

    ref: Ref
    content: str
    parts: ScoreParts
    reason: str
    type: str | None = None
    created_at: datetime | None = None
    pinned: bool = False
    shortfall: Shortfall | None = None

    @property
    def score(self) -> float:
        return self.parts.total

    @property
    def is_citable(self) -> bool:
        return self.type is not None


class WeightMove(Struct, frozen=True):
    """`status` is the memory's then; None in receipts that were written before it was kept."""

    ref: Ref
    before: float
    after: float
    status: Status | None = None


class LookUp(Struct, frozen=True):
    """One time that the model looked: its query, what it was given, and how long that took. `items` that stood before
    it already are among them; `failed` says why nothing could be searched."""

    query: str
    items: tuple[Item, ...] = ()
    seconds: float = 0.0
    failed: Cause | None = None


class Injection(Struct, frozen=True):
    """The outcome of recall: `considered` is `injected` and `dropped` together, each item once with its reason.

    `rules` are the rules that fired (`first_round`, `technical: docker, 报错` …); `failed` says why recall could
    not look (so that it never looks like "nothing to recall"). `block` is the text exactly as sent. `context_tokens` is
    what the model takes, as far as is known; 0 before it was looked at. `lookups` are what the model asked for itself,
    in their order, where it `may_look`.
    """

    level: Level
    rules: tuple[str, ...]
    injected: tuple[Item, ...] = ()
    dropped: tuple[Item, ...] = ()
    block: str = ""
    tokens: int = 0
    prompt_tokens: int = 0
    seconds: float = 0.0
    failed: Cause | None = None
    context_tokens: int = 0
    may_look: bool = False
    lookups: tuple[LookUp, ...] = ()

    @property
    def looked_up(self) -> tuple[Item, ...]:
        """What the model found by looking, each once, without what was injected."""
        seen = {item.ref for item in self.injected}
        found = {item.ref: item for each in self.lookups for item in each.items if item.ref not in seen}
        return tuple(found.values())

    @property
    def shown(self) -> tuple[Item, ...]:
        """All that stood before the model, each once."""
        return self.injected + self.looked_up

    @property
    def considered(self) -> tuple[Item, ...]:
        return self.injected + self.dropped


class References(Struct, frozen=True):
    """Which of the injected records that can be cited an answer used."""

    used: tuple[Ref, ...] = ()
    unused: tuple[Ref, ...] = ()
    unknown: tuple[Ref, ...] = ()


class Citation(Struct, frozen=True):
    """A record named by the answer, and where in the shown text (a character offset)."""

    ref: Ref
    at: int


class Receipt(Struct, frozen=True):
    """All that is kept of how a turn's memory was decided; `orca why` shows it."""

    session_id: str
    round: int
    injection: Injection
    references: References
    weights: tuple[WeightMove, ...] = ()


class Appearance(Struct, frozen=True):
    """One time that a record was put before the model: in which round, why, and what the answer did with it. `before`
    and `after` are its weight, where its kind has one."""

    session_id: str
    title: str
    round: int
    at: datetime
    reason: str
    use: str
    before: float | None
    after: float | None


class VectorHit(Struct, frozen=True):
    ref: Ref
    cosine: float


class TextHit(Struct, frozen=True):
    """A record found by words."""

    ref: Ref


class Neighbours(Struct, frozen=True):
    """The memories beside one in its conversation, in the order in which they were said."""

    before: int | None = None
    after: int | None = None
    before_that: int | None = None

    @property
    def all(self) -> tuple[int, ...]:
        return tuple(each for each in (self.before, self.after, self.before_that) if each is not None)


class TokenStatistics(Struct, frozen=True):
    """How many of `documents` hold each token: what rarity is made of."""

    documents: int
    frequencies: dict[str, int]


GONE = "[deleted]"
"""What a block says in the place of a text that was deleted."""
_TEXT = '"text": "'
_END = '"}'


class Slot(Struct, frozen=True):
    """Where the text of a record stands; `place` is that of its item among those of the block."""

    ref: Ref
    place: int


class CutBlock(Struct, frozen=True):
    """`head` is what stands before the first record."""

    head: str
    pieces: tuple[str | Slot, ...]


def as_written(text: str) -> str:
    """A text as it stands in a block: inside a JSON string, in which no backtick is left."""
    return json.dumps(text, ensure_ascii=False)[1:-1].replace("`", "\\u0060")


def cut(block: str, items: Sequence[Item]) -> CutBlock | None:
    """The block of these items in pieces; None where it is no such block. A text can not look like the beginning of a
    row, since its quotes are escaped; one that was deleted is looked for as such."""
    at = 0
    head = ""
    pieces: list[str | Slot] = []
    for place, item in enumerate(items):
        row = block.find(f'{{"id": "{item.ref}", ', at)
        start = -1 if row < 0 else block.find(_TEXT, row) + len(_TEXT)
        if row < 0 or start < len(_TEXT):
            return None
        written = as_written(item.content or GONE)
        if not block.startswith(written + _END, start):
            return None
        if not pieces:
            head, at = block[:row], row
        pieces += [block[at:start], Slot(item.ref, place)]
        at = start + len(written)
    return CutBlock(head, (*pieces, block[at:])) if pieces else None


def put_together(cut_block: CutBlock, text_of: Callable[[Slot], str | None]) -> str:
    """The block, with the texts that are there."""
    return cut_block.head + "".join(
        piece if isinstance(piece, str) else as_written(GONE if (text := text_of(piece)) is None else text)
        for piece in cut_block.pieces
    )
