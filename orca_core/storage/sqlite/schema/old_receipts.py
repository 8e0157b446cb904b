"""Receipts as schemas 1 to 3 stored them: one JSON document each, texts and all; a memory was `7`, a summary `s41`."""

from __future__ import annotations

from datetime import datetime

import msgspec

from orca_core.domain.causes import cause_of_sentence
from orca_core.domain.dataclass import dataclass
from orca_core.domain.memories import Status
from orca_core.domain.recall import Injection, Item, Level, Receipt, References, ScoreParts, WeightMove
from orca_core.domain.refs import BUILT_IN_KINDS


@dataclass(frozen=True, slots=True)
class _Item:
    ref: str
    kind: str
    content: str
    parts: ScoreParts
    reason: str
    type: str | None = None
    created_at: datetime | None = None
    pinned: bool = False


@dataclass(frozen=True, slots=True)
class _Injection:
    level: Level
    rules: tuple[str, ...]
    injected: tuple[_Item, ...] = ()
    dropped: tuple[_Item, ...] = ()
    block: str = ""
    tokens: int = 0
    prompt_tokens: int = 0
    seconds: float = 0.0
    failed: str = ""
    context_tokens: int = 0


@dataclass(frozen=True, slots=True)
class _References:
    used: tuple[int | str, ...] = ()
    unused: tuple[int | str, ...] = ()
    unknown: tuple[int | str, ...] = ()


@dataclass(frozen=True, slots=True)
class _Move:
    id: int | str
    before: float
    after: float
    status: Status | None = None


@dataclass(frozen=True, slots=True)
class _Receipt:
    session_id: str
    round: int
    injection: _Injection
    references: _References
    weights: tuple[_Move, ...] = ()


def receipt_from_json(text: str) -> Receipt:
    """From what is stored."""
    stored = msgspec.json.decode(text, type=_Receipt)
    given = stored.injection
    injection = Injection(
        given.level, given.rules, tuple(_item(each) for each in given.injected),
        tuple(_item(each) for each in given.dropped), given.block, given.tokens, given.prompt_tokens,
        given.seconds, cause_of_sentence(given.failed), given.context_tokens,
    )  # fmt: skip
    judged = stored.references
    named = BUILT_IN_KINDS.ref
    references = References(*(tuple(map(named, plain)) for plain in (judged.used, judged.unused, judged.unknown)))
    moves = tuple(WeightMove(named(move.id), move.before, move.after, move.status) for move in stored.weights)
    return Receipt(stored.session_id, stored.round, injection, references, moves)


def _item(stored: _Item) -> Item:
    ref = BUILT_IN_KINDS.ref(int(stored.ref) if stored.ref.isdecimal() else stored.ref)
    return Item(ref, stored.content, stored.parts, stored.reason, stored.type, stored.created_at, stored.pinned)
