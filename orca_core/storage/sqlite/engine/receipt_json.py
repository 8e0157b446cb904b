"""Receipts as they are stored: one JSON document each, in which a memory is `long` and a summary `short`."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

import msgspec

from orca_core.domain.memories import Status
from orca_core.domain.recall import Injection, Item, Level, Receipt, References, ScoreParts, WeightMove
from orca_core.domain.refs import MEMORY, SUMMARY, Kinds, plain_ref

_STORED_KINDS = {MEMORY: "long", SUMMARY: "short"}


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


def receipt_to_json(receipt: Receipt) -> str:
    """As it is stored."""
    given = receipt.injection
    injection = _Injection(
        given.level, given.rules, tuple(map(_stored, given.injected)), tuple(map(_stored, given.dropped)), given.block,
        given.tokens, given.prompt_tokens, given.seconds, given.failed, given.context_tokens,
    )  # fmt: skip
    judged = receipt.references
    references = _References(*(tuple(map(plain_ref, refs)) for refs in (judged.used, judged.unused, judged.unknown)))
    moves = tuple(_Move(plain_ref(move.ref), move.before, move.after, move.status) for move in receipt.weights)
    return msgspec.json.encode(_Receipt(receipt.session_id, receipt.round, injection, references, moves)).decode()


def receipt_from_json(text: str, kinds: Kinds) -> Receipt:
    """From what is stored."""
    stored = msgspec.json.decode(text, type=_Receipt)
    given = stored.injection
    injection = Injection(
        given.level, given.rules, tuple(_item(each, kinds) for each in given.injected),
        tuple(_item(each, kinds) for each in given.dropped), given.block, given.tokens, given.prompt_tokens,
        given.seconds, given.failed, given.context_tokens,
    )  # fmt: skip
    judged = stored.references
    references = References(*(tuple(map(kinds.ref, plain)) for plain in (judged.used, judged.unused, judged.unknown)))
    moves = tuple(WeightMove(kinds.ref(move.id), move.before, move.after, move.status) for move in stored.weights)
    return Receipt(stored.session_id, stored.round, injection, references, moves)


def _stored(item: Item) -> _Item:
    kind = _STORED_KINDS.get(item.ref.kind, item.ref.kind.name)
    return _Item(
        str(plain_ref(item.ref)), kind, item.content, item.parts, item.reason, item.type, item.created_at, item.pinned
    )


def _item(stored: _Item, kinds: Kinds) -> Item:
    ref = kinds.ref(int(stored.ref) if stored.ref.isdecimal() else stored.ref)
    return Item(ref, stored.content, stored.parts, stored.reason, stored.type, stored.created_at, stored.pinned)
